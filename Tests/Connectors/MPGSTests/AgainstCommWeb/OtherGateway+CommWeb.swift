//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import CommWeb
import ConnectorKit
import Money
import Payments
import Redaction
import SimulatorAcquirer
import TestGateway
import TestUpstream

@testable import MPGS

extension OtherGateway {
    /// - Parameter allowedOperations: what the merchant's profile permits; everything if left out.
    static func open(
        allowedOperations: [String]? = nil, notificationSecret: String? = nil, notifyURL: String? = nil
    ) async throws -> OtherGateway {
        try await self.opened(
            certified: false, allowedOperations: allowedOperations, notificationSecret: notificationSecret,
            notifyURL: notifyURL
        ).other
    }

    /// A gateway with the key to its merchant's tokens.
    static func openWithKey() async throws -> (other: OtherGateway, merchant: TestMerchant) {
        try await self.opened(certified: true)
    }

    private static func opened(
        certified: Bool, allowedOperations: [String]? = nil, notificationSecret: String? = nil, notifyURL: String? = nil
    ) async throws -> (other: OtherGateway, merchant: TestMerchant) {
        let test = try await TestGateway.open()
        let draft = CommWeb.accountDraft(
            password: Redacted(Bench.password), notificationSecret: notificationSecret.map { Redacted($0) },
            notifyURL: notifyURL, allowedOperations: allowedOperations)
        let merchant = try await test.addMerchant(
            dialect: CommWeb.dialectName, key: Bench.merchantID, settings: draft.settings, secrets: draft.secrets,
            certified: certified, countryCode: "AU")
        return (OtherGateway(test) { CommWeb(gateway: $0) }, merchant)
    }

    /// A gateway whose merchant may not use PAY.
    static func openWithoutPay() async throws -> OtherGateway {
        try await self.open(
            allowedOperations: APIOperation.allCases.filter { $0 != .pay }.map(\.rawValue)
                + ["RETRIEVE_TRANSACTION", "RETRIEVE_ORDER"])
    }

    /// Serves while a body runs with an acquirer that talks to it.
    func withAcquirer<Value: Sendable>(
        settings: [String: String] = [:], _ body: (any Acquirer) async throws -> Value
    ) async throws -> Value {
        try await self.withAcquirer(
            { client, port in
                try MPGSConnector(client: client).open(
                    Bench.account(host: "http://127.0.0.1:\(port)", settings: settings))
            }, body)
    }

    /// Of verifications that have succeeded: they move nothing. By the transaction that each is.
    func verified() async throws -> [String: SimulatorPosition] {
        var positions: [String: SimulatorPosition] = [:]
        for payment in try await self.test.payments() {
            guard let operation = payment.operations.first, operation.kind == .verification,
                operation.state == .succeeded, let transaction = operation.labels.fields["transaction"]
            else { continue }
            let zero = Money.zero(operation.amount.currency)
            positions[transaction] = SimulatorPosition(
                authorized: zero, captured: zero, refunded: zero, voided: zero, released: zero)
        }
        return positions
    }

    /// What its acquirer has booked, by the transaction with which a payment began; nothing for what it knows not.
    func positions() async throws -> [String: SimulatorPosition] {
        var positions: [String: SimulatorPosition] = [:]
        for payment in try await self.test.payments() {
            guard let transaction = payment.operations.first?.labels.fields["transaction"] else { continue }
            positions[transaction] = try await self.test.book.position(payment.id)
        }
        return positions
    }
}
