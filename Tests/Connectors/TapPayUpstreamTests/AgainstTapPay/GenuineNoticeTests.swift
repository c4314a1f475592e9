//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Payments
import TestGateway
import TestUpstream
import Testing

@testable import TapPayUpstream

/// The notifications that the other gateway really sends, read here.
@Suite struct GenuineNoticeTests {
    @Test(arguments: [500_000, 575_700] as [Int64]) func nameTheOperation(_ minorUnits: Int64) async throws {
        let other = try await OtherTapPay.open()
        let amount = try Bench.money(minorUnits)
        let settings: [String: String?] = ["notificationUrl": TwoGateways.notificationURL]
        try await other.withAcquirer(settings: settings) { acquirer in
            _ = await acquirer.perform(Bench.request(.authorize(try other.charge(amount)), amount))
        }
        let connector = TapPayConnector(client: Bench.client())
        let calls = try await other.reports()
        #expect(calls.count == 1)
        for call in calls {
            guard case .notices(let notices, let answer)? = connector.read(call, for: Bench.account(settings: settings))
            else {
                Issue.record("refused")
                return
            }
            #expect(notices == [AcquirerNotice(.shortName(Bench.operationID.shortName), .changed)])
            #expect(answer == NoticeAnswer(status: 200))
        }
    }
}
