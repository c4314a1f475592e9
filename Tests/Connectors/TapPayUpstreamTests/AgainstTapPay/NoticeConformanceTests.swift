//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerConformance
import ConnectorKit
import Payments
import TestGateway
import TestUpstream
import Testing

@testable import TapPayUpstream

/// The suite of every connector's notices, with what another gateway sends of a payment that was taken and of one that was
/// declined. Nothing proves them, so that each is a reason to ask and no more.
@Suite struct NoticeConformanceTests {
    private static let settings: [String: String?] = ["notificationUrl": TwoGateways.notificationURL]

    private static func genuine(_ minorUnits: Int64) async throws -> GenuineNotice {
        let other = try await OtherTapPay.open()
        let amount = try Bench.money(minorUnits)
        let found = try await other.withAcquirer(settings: self.settings) { acquirer in
            let outcome = await acquirer.perform(Bench.request(.authorize(try other.charge(amount)), amount))
            let original = Bench.original(
                .authorization, amount, id: Bench.operationID, trade: outcome.memo[AcquirerMemo.trade])
            return await acquirer.query(Bench.query(original))
        }
        let calls = try await other.reports()
        #expect(calls.count == 1)
        return GenuineNotice(try #require(calls.first), of: Bench.operationID, found: found)
    }

    @Test(arguments: AcquirerNoticeLaw.allCases)
    func keeps(_ law: AcquirerNoticeLaw) async throws {
        let account = Bench.account(settings: Self.settings)
        let another = Bench.account(
            settings: Self.settings,
            secrets: ["appKey": Bench.secondAppKey, "partnerKey": Bench.secondPartnerKey])
        try await AcquirerNoticeConformance(
            connector: TapPayConnector(client: Bench.client()), account: account, another: another, proof: .none
        ) { [try await Self.genuine(500_000), try await Self.genuine(575_700)] }.check(law)
    }
}
