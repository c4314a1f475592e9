//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Money
import PAYONE
import Payments
import Redaction
import SimulatorAcquirer
import StrictJSON
import TestGateway
import TestUpstream
import WalletSimulator

@testable import PAYONEUpstream

/// Another gateway, which speaks PAYONE's language and holds the key to the tokens.
struct OtherPAYONE: Sendable {
    let gateway: OtherGateway
    let merchant: TestMerchant

    var test: TestGateway { self.gateway.test }

    var dialect: PAYONE { PAYONE(gateway: self.test.gateway) }

    static func open() async throws -> OtherPAYONE {
        let test = try await TestGateway.open()
        let draft = PAYONE.accountDraft(
            mid: Bench.mid, aids: [Bench.aid], key: Redacted(Bench.key),
            notificationURL: "https://first.example/acquirers/acc/notices")
        let merchant = try await test.addMerchant(
            dialect: PAYONE.dialectName, key: Bench.portalID, settings: draft.settings, secrets: draft.secrets,
            countryCode: "DE")
        return OtherPAYONE(gateway: OtherGateway(test) { PAYONE(gateway: $0) }, merchant: merchant)
    }

    func token(_ amount: Money, card: SimulatedCard = .visa) throws -> PaymentInstrument {
        let token = try self.test.mint(amount, for: self.merchant, card: card)
        return .sealedApplePayToken(
            SealedApplePayToken(
                paymentData: Redacted(Array(token.paymentData.serialized())),
                transactionIdentifier: token.transactionIdentifier, network: card.network.rawValue))
    }

    /// Serves while a body runs with an acquirer that talks to it.
    func withAcquirer<Value: Sendable>(_ body: (any Acquirer) async throws -> Value) async throws -> Value {
        try await self.gateway.withAcquirer(
            { client, port in
                try PAYONEConnector(client: client).open(Bench.account(host: "http://127.0.0.1:\(port)"))
            }, body)
    }

    /// What its acquirer has booked, by the reference of the payment; nothing for what it knows not.
    func positions() async throws -> [String: SimulatorPosition] {
        var positions: [String: SimulatorPosition] = [:]
        for payment in try await self.test.payments() {
            guard let reference = payment.operations.first?.labels.reference else { continue }
            positions[reference] = try await self.test.book.position(payment.id)
        }
        return positions
    }
}

/// One payment at another gateway: its operations, numbered as this gateway numbers them.
final class Steps {
    let acquirer: any Acquirer
    let other: OtherPAYONE
    private let number: UInt8
    private var memo = AcquirerMemo()
    private var total: Money?
    private var captured: Int64 = 0
    private var standing = 0
    private var isSale = false

    init(_ acquirer: any Acquirer, _ other: OtherPAYONE, number: UInt8 = 0) {
        self.acquirer = acquirer
        self.other = other
        self.number = number
    }

    var authorizationID: OperationID { self.id(1) }

    /// The operations in the order made; the authorization is the first.
    func operationID(_ number: UInt8) -> OperationID { self.id(number) }

    var reference: String { self.authorizationID.shortName }

    private func id<Tag: IdentifierTag>(_ operation: UInt8) -> Identifier<Tag> {
        Identifier(at: Bench.at, random: [0, 0, 0, 0, 0, 0, 0, 1, self.number, operation])
    }

    private var made: UInt8 = 1

    func authorize(_ amount: Money, captures: Bool = false, card: SimulatedCard = .visa) async throws -> AcquirerOutcome
    {
        let network = CardNetwork(passKitName: card.network.rawValue) ?? .other
        let charge = Bench.charge(network, captures: captures, instrument: try self.other.token(amount, card: card))
        let request = Bench.request(
            .authorize(charge), amount, operation: self.authorizationID, ordinal: 1, payment: self.id(0))
        let outcome = await self.acquirer.perform(request)
        self.memo = self.memo.merging(outcome.memo)
        (self.total, self.isSale, self.standing) = (amount, captures, 1)
        if captures { self.captured = amount.minorUnits }
        return outcome
    }

    private func original() throws -> OriginalOperation {
        let total = try self.total ?? Bench.money(0)
        return OriginalOperation(
            id: self.authorizationID, kind: .authorization, isSale: self.isSale, amount: total, begunAt: Bench.at,
            authorizedTotal: total, capturedTotal: Money(minorUnits: self.captured, currency: total.currency),
            memo: self.memo)
    }

    func capture(_ amount: Money, isFinal: Bool = false) async throws -> AcquirerOutcome {
        let outcome = try await self.follow(amount) { .capture(of: $0, isFinal: isFinal) }
        if case .approved = outcome { self.captured += amount.minorUnits }
        return outcome
    }

    func refund(_ amount: Money) async throws -> AcquirerOutcome {
        try await self.follow(amount) { .refund(of: $0, capture: nil) }
    }

    func void(_ amount: Money) async throws -> AcquirerOutcome { try await self.follow(amount) { .void($0) } }

    func reverse(_ amount: Money) async throws -> AcquirerOutcome { try await self.follow(amount) { .reverse($0) } }

    private func follow(
        _ amount: Money, _ action: (OriginalOperation) -> AcquirerRequest.Action
    ) async throws -> AcquirerOutcome {
        self.made += 1
        let outcome = await self.acquirer.perform(
            Bench.request(
                action(try self.original()), amount, operation: self.id(self.made), ordinal: self.standing + 1,
                payment: self.id(0)))
        switch outcome {
        case .approved, .accepted, .unknown: self.standing += 1
        case .declined, .notProcessed: break
        }
        return outcome
    }
}

extension AcquirerOutcome {
    func isApproved(_ amount: Money) -> Bool {
        if case .approved(let approval) = self { approval.amount == amount } else { false }
    }

    var declineReason: DeclineReason? {
        if case .declined(let decline) = self { decline.reason } else { nil }
    }
}
