//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerConformance
import ConnectorKit
import DialectConformance
import DialectKit
import Money
import Payments
import TestGateway
import TestUpstream
import Testing

@testable import RadialUpstream

/// The suite of everything that acquirers report, over what the other gateway really sends, in both of its forms.
@Suite struct ReportTests {
    private static let connector = RadialConnector(client: Bench.client())

    @Test(arguments: AcquirerNoticeLaw.allCases, [true, false])
    func keeps(_ law: AcquirerNoticeLaw, _ usesLists: Bool) async throws {
        let genuine = try await Self.genuine(usesLists: usesLists)
        try await AcquirerNoticeConformance(
            connector: Self.connector, account: Bench.account(host: nil),
            another: Bench.account(
                host: nil, secrets: Bench.secrets.merging(["webhookPassword": "an0ther-w3bh00k"]) { $1 }),
            proof: .header("authorization", .secret)
        ) { genuine }.check(law)
    }

    /// A capture, a refund, a settlement that was refused, and a cancellation.
    private static func genuine(usesLists: Bool) async throws -> [GenuineNotice] {
        let other = try await OtherRadial.open(usesLists: usesLists)
        let (total, declined) = (try Bench.money(10_000), try Bench.money(5757))
        return try await other.withAcquirer { acquirer in
            var notices: [GenuineNotice] = []
            for payment in [PaymentID(at: Bench.at, random: Array(repeating: 7, count: 10)), Bench.paymentID] {
                let isVoided = payment == Bench.paymentID
                let authorizationID = OperationID(at: Bench.at, random: Array(payment.text.utf8.suffix(10)))
                let authorization = await acquirer.perform(
                    Bench.request(
                        .authorize(try other.charge(total)), total, operation: authorizationID, payment: payment))
                let original = Bench.original(
                    .authorization, total, id: authorizationID, memo: authorization.memo)
                let steps: [(AcquirerRequest.Action, Money, UInt8, AcquirerQueryOutcome)] =
                    isVoided
                    ? [(.void(original), total, 3, Self.approved(total, payment, "Success"))]
                    : [
                        (.capture(of: original, isFinal: false), declined, 4, Self.declined(payment)),
                        (.capture(of: original, isFinal: true), total, 5, Self.approved(total, payment, "S")),
                        (.refund(of: original, capture: nil), total, 6, Self.approved(total, payment, "S")),
                    ]
                for (action, amount, number, found) in steps {
                    let id: OperationID = Bench.id(number)
                    _ = await acquirer.perform(
                        preparing: Bench.request(action, amount, operation: id, payment: payment))
                    for call in try await Self.calls(other) {
                        notices.append(
                            GenuineNotice(
                                call, of: id, siblings: [authorizationID],
                                handles: authorization.memo.handles,
                                found: found))
                    }
                }
            }
            #expect(notices.count == 4)
            return notices
        }
    }

    private static func calls(_ other: OtherRadial) async throws -> [NoticeCall] {
        try await other.test.deliverAll(through: other.dialect) { _ in (200, "") }.map(\.notification)
            .map { notification in
                let headers = notification.headers.map { ($0.name.lowercased(), $0.value) }
                return NoticeCall(headers: Dictionary(uniqueKeysWithValues: headers), body: notification.body)
            }
    }

    private static func approved(_ amount: Money, _ payment: PaymentID, _ status: String) -> AcquirerQueryOutcome {
        .approved(
            AcquirerApproval(
                amount: amount, answer: AcquirerAnswer(reference: payment.shortName, responseCode: status)))
    }

    private static func declined(_ payment: PaymentID) -> AcquirerQueryOutcome {
        .declined(
            AcquirerDecline(
                reason: .doNotHonor, answer: AcquirerAnswer(reference: payment.shortName, responseCode: "R")))
    }
}
