//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Payments
import TestUpstream
import Testing

@testable import MPGS

/// What the gateway reports to the account's address.
struct MPGSNoticeTests {
    private static let id = Bench.operationID

    private static func read(
        _ body: String, secret: String? = "s3cret", of account: [String: String]? = nil
    ) -> NoticeReading? {
        let headers = secret.map { ["x-notification-secret": $0] } ?? [:]
        return MPGSConnector(client: Bench.client()).read(
            NoticeCall(headers: headers, body: Array(body.utf8)),
            for: Bench.account(
                host: "http://127.0.0.1:1",
                secrets: account ?? ["password": Bench.password, "notificationSecret": "s3cret"]))
    }

    private static func body(_ id: String) -> String {
        #"{"order": {"id": "pay_1"}, "result": "SUCCESS", "transaction": {"id": "\#(id)", "type": "CAPTURE"}}"#
    }

    @Test func isAReasonToAsk() {
        guard case .notices(let notices, let answer)? = Self.read(Self.body(Self.id.text)) else {
            Issue.record("refused")
            return
        }
        #expect(notices == [AcquirerNotice(.operation(Self.id), .changed)])
        #expect(answer.status == 200)
    }

    /// A sale's capture, its authorization's void, and what a last capture leaves are operations' second transactions.
    @Test(arguments: ["-capture", "-void", "-rest"])
    func secondTransactionsAreTheirOperations(_ suffix: String) {
        guard case .notices(let notices, _)? = Self.read(Self.body(Self.id.text + suffix)) else {
            Issue.record("refused")
            return
        }
        #expect(notices == [AcquirerNotice(.operation(Self.id), .changed)])
    }

    /// Somebody's void in Merchant Administration: nothing here waits for it, and it need not be sent again.
    @Test(arguments: ["1", "", "op_x", "-capture", "op_x-void"])
    func transactionsOfTheBanksAreAnsweredAndIgnored(_ id: String) {
        guard case .notices(let notices, let answer)? = Self.read(Self.body(id)) else {
            Issue.record("refused")
            return
        }
        #expect(notices.isEmpty && answer.status == 200)
    }

    @Test(arguments: ["s3creT", "s3cre", "", "s3cret0", nil])
    func refusesAnotherSecret(_ secret: String?) {
        guard case .refused(let answer, let word)? = Self.read(Self.body(Self.id.text), secret: secret) else {
            Issue.record("taken")
            return
        }
        #expect(answer.status == 401 && word == "notification_secret_wrong")
    }

    @Test func refusesWhatIsNoJSON() {
        guard case .refused(let answer, _)? = Self.read("result=SUCCESS") else {
            Issue.record("taken")
            return
        }
        #expect(answer.status == 400)
    }

    @Test func takesNothingWithoutASecret() {
        #expect(Self.read(Self.body(Self.id.text), of: ["password": Bench.password]) == nil)
    }
}
