//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Payments
import TestUpstream
import Testing

@testable import TapPayUpstream

/// What anybody may send: a reason to ask, and nothing else.
@Suite struct NoticeTests {
    private static let url = "https://pay.example/acquirers/acc_1/notices"

    private static func read(_ body: String, notified: Bool = true) -> NoticeReading? {
        TapPayConnector(client: Bench.client()).read(
            NoticeCall(headers: [:], body: Array(body.utf8)),
            for: Bench.account(settings: ["notificationUrl": notified ? Self.url : nil]))
    }

    private static func notices(_ body: String) -> [AcquirerNotice]? {
        guard case .notices(let notices, let answer)? = self.read(body), answer == NoticeAnswer(status: 200) else {
            return nil
        }
        return notices
    }

    /// The vendor's fields (docs/dialects/tappay.md, "Notifications").
    private static func body(_ name: String, status: Int64 = 0) -> String {
        """
        {"rec_trade_id":"\(Bench.trade)","auth_code":"358224","bank_transaction_id":"\(name)","bank_order_number":"x",
        "order_number":"ORDER-1","amount":350,"status":\(status),"msg":"Success","transaction_time_millis":1750000000000,
        "transaction_complete_millis":1750000001000,"acquirer":"TW_CTBC","bank_result_code":"00","bank_result_msg":"",
        "pay_info":{"method":"apple_pay","masked_credit_card_number":"489537******5671"}}
        """
    }

    /// Whatever it says of the outcome, and however often it says it.
    @Test(arguments: [0, 10_003, 421] as [Int64]) func isAReasonToAsk(_ status: Int64) {
        let name = Bench.operationID.shortName
        for _ in 0..<2 {
            #expect(
                Self.notices(Self.body(name, status: status)) == [AcquirerNotice(.shortName(name), .changed)])
        }
    }

    @Test(arguments: ["TP20250615Uxy4ZR", "", "order-1", "0000000000000000a", "000000000000000I"])
    func tradesOfOthersAreAnsweredAndIgnored(_ name: String) { #expect(Self.notices(Self.body(name)) == []) }

    @Test func noticesWithoutANameAreIgnored() {
        #expect(Self.notices("{}") == [])
        #expect(Self.notices(#"{"bank_transaction_id":1}"#) == [])
    }

    @Test(arguments: ["", "status=0", "[]", "\"x\"", #"{"a":1"#]) func refusesWhatIsNoJSONObject(_ body: String) {
        guard case .refused(let answer, let word)? = Self.read(body) else {
            Issue.record("taken")
            return
        }
        #expect(answer.status == 400 && word == "notification_not_json")
    }

    @Test func takesNothingWithoutAnAddress() { #expect(Self.read("{}", notified: false) == nil) }
}
