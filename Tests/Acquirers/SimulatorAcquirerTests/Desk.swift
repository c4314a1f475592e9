//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Redaction
import SimulatorAcquirer
import Testing
import Time

/// A cashier's desk: one simulator, and the calls that a gateway would make for one payment.
final class Desk: Sendable {
    static let now = Timestamp(seconds: 1_780_000_000)
    static let pan = "4895370012345671"
    static let cryptogram: [UInt8] = Array("cryptogram-that-must-not-be-kept".utf8)
    static let card = Desk.card(pan: Desk.pan)

    static func card(pan: String, expiry: String = "2812") -> PaymentInstrument {
        .networkToken(
            NetworkToken(
                pan: Redacted(pan), expiryYearMonth: expiry, proof: .cryptogram(Redacted(Desk.cryptogram)), eci: "05"))
    }

    let acquirer: SimulatorAcquirer
    let script: SimulatorScript
    let currency: Currency
    let paymentID: PaymentID
    let merchantID = Desk.merchantID(1)
    private let payment: UInt8

    init(book: SimulatorBook? = nil, script: SimulatorScript = SimulatorScript(), payment: UInt8 = 1) throws {
        self.script = script
        self.acquirer = SimulatorAcquirer(book: try book ?? .inMemory(), script: script)
        self.currency = try #require(Currency.alphabetic("CAD"))
        self.paymentID = PaymentID(at: Desk.now, random: [payment])
        self.payment = payment
    }

    var book: SimulatorBook { self.acquirer.book }

    static func merchantID(_ number: UInt8) -> MerchantID { MerchantID(at: Desk.now, random: [number]) }

    func money(_ minorUnits: Int64) -> Money { Money(minorUnits: minorUnits, currency: self.currency) }

    /// The id of the payment's n-th operation; 0 is the authorization.
    func id(_ number: UInt8) -> OperationID { OperationID(at: Desk.now, random: [self.payment, number]) }

    var authorizationID: OperationID { self.id(0) }

    func authorize(
        _ minorUnits: Int64, captures: Bool = false, with instrument: PaymentInstrument = Desk.card,
        at now: Timestamp = Desk.now
    ) async -> AcquirerOutcome {
        await self.acquirer.authorize(
            AcquirerAuthorization(
                operationID: self.authorizationID, paymentID: self.paymentID, merchantID: self.merchantID,
                amount: self.money(minorUnits), captures: captures, instrument: instrument, at: now))
    }

    /// A verification in the authorization's place.
    func verify(with instrument: PaymentInstrument = Desk.card, billing: BillingAddress? = nil) async
        -> AcquirerOutcome
    {
        await self.acquirer.verify(
            AcquirerAuthorization(
                operationID: self.authorizationID, paymentID: self.paymentID, merchantID: self.merchantID,
                amount: self.money(0), captures: false, instrument: instrument, billing: billing, at: Desk.now))
    }

    func adjust(_ number: UInt8, _ minorUnits: Int64) async -> AcquirerOutcome {
        await self.acquirer.adjust(self.followUp(number, self.money(minorUnits)))
    }

    func capture(_ number: UInt8, _ minorUnits: Int64, isFinal: Bool = false) async -> AcquirerOutcome {
        await self.acquirer.capture(self.followUp(number, self.money(minorUnits), isFinal: isFinal))
    }

    func refund(_ number: UInt8, _ minorUnits: Int64) async -> AcquirerOutcome {
        await self.acquirer.refund(self.followUp(number, self.money(minorUnits)))
    }

    func followUp(_ number: UInt8, _ amount: Money, isFinal: Bool = false) -> AcquirerFollowUp {
        AcquirerFollowUp(
            operationID: self.id(number), paymentID: self.paymentID, merchantID: self.merchantID,
            authorizationID: self.authorizationID, authorizationReference: nil, amount: amount, isFinal: isFinal,
            at: Desk.now)
    }

    func reverse(
        _ number: UInt8, target: UInt8, _ minorUnits: Int64, because reason: AcquirerReversal.Reason = .outcomeUnknown
    ) async -> AcquirerOutcome {
        await self.acquirer.reverse(
            AcquirerReversal(
                operationID: self.id(number), paymentID: self.paymentID, merchantID: self.merchantID,
                targetID: self.id(target), targetReference: nil, amount: self.money(minorUnits), reason: reason,
                at: Desk.now))
    }

    func query(_ number: UInt8) async -> AcquirerQueryOutcome {
        await self.acquirer.query(
            AcquirerQuery(
                operationID: self.id(number), paymentID: self.paymentID, merchantID: self.merchantID, at: Desk.now))
    }

    func position(
        authorized: Int64 = 0, captured: Int64 = 0, refunded: Int64 = 0, voided: Int64 = 0, released: Int64 = 0
    ) -> SimulatorPosition {
        SimulatorPosition(
            authorized: self.money(authorized), captured: self.money(captured), refunded: self.money(refunded),
            voided: self.money(voided), released: self.money(released))
    }
}

/// An outcome in a line, without what differs from operation to operation: "approved 1000 00", "declined doNotHonor
/// 05", "unknown timed_out".
func words(_ outcome: AcquirerOutcome) -> String {
    switch outcome {
    case .approved(let approval): "approved \(approval.amount.minorUnits) \(approval.answer.responseCode ?? "-")"
    case .declined(let decline): "declined \(decline.reason.rawValue) \(decline.answer.responseCode ?? "-")"
    case .unknown(let word): "unknown \(word)"
    }
}

func words(_ outcome: AcquirerQueryOutcome) -> String {
    switch outcome {
    case .approved(let approval): words(AcquirerOutcome.approved(approval))
    case .declined(let decline): words(AcquirerOutcome.declined(decline))
    case .reversed: "reversed"
    case .notFound: "notFound"
    case .unknown(let word): "unknown \(word)"
    }
}
