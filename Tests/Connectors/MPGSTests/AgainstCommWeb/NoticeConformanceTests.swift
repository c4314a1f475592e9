//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerConformance
import CommWeb
import ConnectorKit
import DialectConformance
import DialectKit
import Gateway
import Money
import Payments
import TestGateway
import TestUpstream
import Testing

@testable import MPGS

/// The suite of every connector's notices, with what another gateway sends by itself.
@Suite struct NoticeConformanceTests {
    private static let secret = "n0tification-s3cret-0f-a-test"

    private static func account(_ secret: String) -> OpenedAcquirerAccount {
        Bench.account(
            host: "http://127.0.0.1:1", secrets: ["password": Bench.password, "notificationSecret": secret])
    }

    /// An authorization, its capture, a refund and the refund's void; and a sale of two calls, which is reported twice.
    private static func genuine() async throws -> [GenuineNotice] {
        let amount = try Bench.money(5000)
        let other = try await OtherGateway.open(
            notificationSecret: Self.secret, notifyURL: "https://pay.example/acquirers/1/notices")
        let found = try await other.withAcquirer(settings: ["pay": "false"]) { acquirer in
            let authorization = Bench.original(.authorization, amount, id: Bench.id(2))
            let capture = Bench.original(.capture, amount, id: Bench.id(3), authorized: amount)
            let refund = Bench.original(.refund, amount, id: Bench.id(4), authorized: amount)
            for (original, action) in [
                (authorization, .authorize(Bench.charge())),
                (capture, .capture(of: authorization, isFinal: false)),
                (refund, .refund(of: authorization, capture: capture)),
            ] as [(OriginalOperation, AcquirerRequest.Action)] {
                _ = await acquirer.perform(Bench.request(action, amount, operation: original.id))
            }
            let sale = Bench.authorization(5, amount, captures: true)
            _ = await acquirer.perform(sale)
            var found: [OperationID: AcquirerQueryOutcome] = [:]
            for original in [authorization, capture, refund] {
                found[original.id] = await acquirer.query(Bench.query(original))
            }
            found[sale.operationID] = await acquirer.query(sale.asQuery)
            return found
        }
        let sent = try await other.test.deliverAll(through: CommWeb(gateway: other.test.gateway)) { _ in (200, "") }
        return try sent.map { delivered in
            let text = try #require(delivered.delivery.operation.labels.fields["transaction"])
            let id = try #require(TransactionID.operation(text))
            let headers = delivered.notification.headers.map { ($0.name.lowercased(), $0.value) }
            return GenuineNotice(
                NoticeCall(headers: Dictionary(headers) { $1 }, body: delivered.notification.body), of: id,
                found: try #require(found[id]))
        }
    }

    @Test(arguments: AcquirerNoticeLaw.allCases)
    func keeps(_ law: AcquirerNoticeLaw) async throws {
        let genuine = try await Self.genuine()
        #expect(genuine.count == 5)
        try await AcquirerNoticeConformance(
            connector: MPGSConnector(client: Bench.client()), account: Self.account(Self.secret),
            another: Self.account("another"), proof: .header("x-notification-secret", .secret)
        ) { genuine }.check(law)
    }
}
