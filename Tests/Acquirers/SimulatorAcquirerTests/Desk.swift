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

    // MARK: - Requests

    /// An operation of the payment as a later one refers to it. The simulator knows it by its id; what a gateway believes
    /// of it beside that is left out.
    func original(_ number: UInt8) -> OriginalOperation {
        OriginalOperation(
            id: self.id(number), kind: .authorization, amount: self.money(0), begunAt: Desk.now,
            authorizedTotal: self.money(0), capturedTotal: self.money(0))
    }

    /// - Parameters:
    ///   - paymentID: whose operation it says it is; `nil` for the desk's own payment.
    ///   - merchantID: likewise.
    func request(
        _ number: UInt8, _ amount: Money, _ action: AcquirerRequest.Action, paymentID: PaymentID? = nil,
        merchantID: MerchantID? = nil, at now: Timestamp = Desk.now
    ) -> AcquirerRequest {
        AcquirerRequest(
            operationID: self.id(number), paymentID: paymentID ?? self.paymentID,
            merchantID: merchantID ?? self.merchantID, amount: amount, begunAt: now, action: action)
    }

    private func perform(
        _ number: UInt8, _ minorUnits: Int64, _ action: AcquirerRequest.Action, at now: Timestamp = Desk.now
    ) async -> AcquirerOutcome {
        await self.acquirer.perform(self.request(number, self.money(minorUnits), action, at: now))
    }

    func authorize(
        _ minorUnits: Int64, captures: Bool = false, with instrument: PaymentInstrument = Desk.card,
        at now: Timestamp = Desk.now
    ) async -> AcquirerOutcome {
        let charge = Charge(instrument: instrument, network: .visa, captures: captures)
        return await self.perform(0, minorUnits, .authorize(charge), at: now)
    }

    /// A verification in the authorization's place.
    func verify(with instrument: PaymentInstrument = Desk.card, billing: PostalAddress? = nil) async
        -> AcquirerOutcome
    {
        let details = ChargeDetails(billing: billing)
        return await self.perform(0, 0, .verify(Charge(instrument: instrument, network: .visa, details: details)))
    }

    func adjust(_ number: UInt8, _ minorUnits: Int64) async -> AcquirerOutcome {
        await self.perform(number, minorUnits, .adjust(self.original(0)))
    }

    func capture(_ number: UInt8, _ minorUnits: Int64, isFinal: Bool = false) async -> AcquirerOutcome {
        await self.perform(number, minorUnits, .capture(of: self.original(0), isFinal: isFinal))
    }

    func refund(_ number: UInt8, _ minorUnits: Int64) async -> AcquirerOutcome {
        await self.perform(number, minorUnits, .refund(of: self.original(0), capture: nil))
    }

    func void(_ number: UInt8, target: UInt8, _ minorUnits: Int64) async -> AcquirerOutcome {
        await self.perform(number, minorUnits, .void(self.original(target)))
    }

    func reverse(_ number: UInt8, target: UInt8, _ minorUnits: Int64) async -> AcquirerOutcome {
        await self.perform(number, minorUnits, .reverse(self.original(target)))
    }

    func query(_ number: UInt8, paymentID: PaymentID? = nil, merchantID: MerchantID? = nil) async
        -> AcquirerQueryOutcome
    {
        await self.acquirer.query(
            AcquirerQuery(
                paymentID: paymentID ?? self.paymentID, merchantID: merchantID ?? self.merchantID,
                original: self.original(number), at: Desk.now))
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
/// 05", "accepted", "notProcessed busy", "unknown timed_out".
func words(_ outcome: AcquirerOutcome) -> String {
    switch outcome {
    case .approved(let approval): "approved \(approval.amount.minorUnits) \(approval.answer.responseCode ?? "-")"
    case .declined(let decline): "declined \(decline.reason.rawValue) \(decline.answer.responseCode ?? "-")"
    case .accepted: "accepted"
    case .notProcessed(let not): "notProcessed \(not.reason.rawValue)"
    case .unknown(let unknown): "unknown \(unknown.word)"
    }
}

func words(_ outcome: AcquirerQueryOutcome) -> String {
    switch outcome {
    case .approved(let approval): words(AcquirerOutcome.approved(approval))
    case .declined(let decline): words(AcquirerOutcome.declined(decline))
    case .accepted: "accepted"
    case .reversed: "reversed"
    case .notFound: "notFound"
    case .unknown(let unknown): words(AcquirerOutcome.unknown(unknown))
    }
}
