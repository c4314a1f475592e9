//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import ConnectorKit
import Payments
import TestUpstream
import Testing

@testable import RadialUpstream

/// The service's events: what proves them, and what is made of them.
@Suite struct NoticeTests {
    private static let context = Bench.operationID.text

    private static func authorization(
        _ user: String = Bench.noticeUser, _ password: String = Bench.noticePassword
    ) -> String {
        "Basic " + Base64.encode(Array("\(user):\(password)".utf8))
    }

    private static func read(
        _ body: String, authorization: String? = NoticeTests.authorization(), settings: [String: String] = [:],
        secrets: [String: String] = Bench.secrets
    ) -> NoticeReading? {
        var headers = ["content-type": "application/xml; charset=UTF-8"]
        headers["authorization"] = authorization
        return RadialConnector(client: Bench.client()).read(
            NoticeCall(headers: headers, body: Array(body.utf8)),
            for: Bench.account(host: "http://127.0.0.1:1", settings: settings, secrets: secrets))
    }

    private static func taken(_ reading: NoticeReading?) -> [AcquirerNotice]? {
        guard case .notices(let notices, let answer)? = reading, answer == NoticeAnswer(status: 200) else {
            return nil
        }
        return notices
    }

    private static func settlement(
        _ status: String, type: String = "Debit", amount: String = "30.10", context: String? = NoticeTests.context,
        reason: String? = nil, store: String? = Bench.storeID
    ) -> String {
        "<PaymentSettlementStatus><PaymentContext><OrderId>\(Bench.orderID)</OrderId>"
            + "<PaymentAccountUniqueId isToken=\"true\">4054131ImpMJ6965</PaymentAccountUniqueId></PaymentContext>"
            + "<TenderType>VC</TenderType><Amount currencyCode=\"USD\">\(amount)</Amount>"
            + "<SettlementType>\(type)</SettlementType><SettlementStatus>\(status)</SettlementStatus>"
            + TestReply.element("DeclineReason", reason) + TestReply.element("ClientContext", context)
            + TestReply.element("StoreId", store) + "</PaymentSettlementStatus>"
    }

    private static func cancellation(
        _ code: String, reason: String? = nil, store: String = Bench.storeID, order: String = Bench.orderID
    ) -> String {
        "<PaymentAuthCancelReply><PaymentContext><OrderId>\(order)</OrderId></PaymentContext>"
            + "<TenderType>VC</TenderType><ResponseCode>\(code)</ResponseCode>"
            + "<Amount currencyCode=\"USD\">30.10</Amount>" + TestReply.element("ExtendedResponseCode", reason)
            + "<StoreId>\(store)</StoreId></PaymentAuthCancelReply>"
    }

    private static func list(_ name: String, _ items: String...) -> String {
        "<?xml version=\"1.0\"?><\(name)List \(TestReply.namespace)>\(items.joined())</\(name)List>"
    }

    private static func answer(_ status: String) -> AcquirerAnswer {
        AcquirerAnswer(reference: Bench.orderID, responseCode: status)
    }

    private static func approved(_ minorUnits: Int64 = 3010) throws -> AcquirerNotice.Event {
        .resolved(
            .approved(AcquirerApproval(amount: try Bench.money(minorUnits), answer: Self.answer("S"))))
    }

    private static func declined(_ reason: DeclineReason, _ status: String = "R") -> AcquirerNotice.Event {
        .resolved(.declined(AcquirerDecline(reason: reason, answer: Self.answer(status))))
    }

    private static let subject = AcquirerNotice.Subject.operation(Bench.operationID)
    private static let cancelSubject = AcquirerNotice.Subject.latest(
        [.void, .reversal], of: "order/" + Bench.orderID)

    // MARK: - Settlements

    @Test func settledIsApproved() throws {
        let approval = AcquirerNotice(Self.subject, try Self.approved())
        let single = Self.settlement("S")
        #expect(Self.taken(Self.read(single)) == [approval])
        #expect(Self.taken(Self.read(Self.list("PaymentSettlementStatus", single))) == [approval])
        // Twice is the same twice; the gateway books it once.
        #expect(Self.taken(Self.read(Self.list("PaymentSettlementStatus", single, single))) == [approval, approval])
        #expect(Self.taken(Self.read(Self.settlement("S", store: nil))) == [approval])
    }

    @Test(
        arguments: [
            ("DoNotHonor", .doNotHonor), ("InsufficientFunds", .insufficientFunds), ("ExpiredCard", .expiredCard),
            ("InvalidCard", .invalidCard), ("LostOrStolenCard", .lostOrStolenCard), ("SuspectedFraud", .suspectedFraud),
            ("ExceedsLimit", .exceedsLimit), ("NotPermitted", .notPermitted), ("IssuerUnavailable", .issuerUnavailable),
            ("TimedOut", .timedOut), ("SystemError", .systemError), ("NotProcessed", .systemError),
            ("NoAuthFoundException", .invalidOperation), ("Unspecified", .unspecified), ("Reversed", .unspecified),
            ("51", .insufficientFunds), ("A word of tomorrow", .unspecified), (nil, .unspecified),
        ] as [(String?, DeclineReason)])
    func refusedIsADeclineWithItsReason(_ word: String?, _ reason: DeclineReason) {
        let event = Self.list("PaymentSettlementStatus", Self.settlement("R", reason: word))
        #expect(Self.taken(Self.read(event)) == [AcquirerNotice(Self.subject, Self.declined(reason))])
    }

    /// Of this gateway's own dialect: a part of what was settled may be taken back.
    @Test func chargebackIsNoRefusal() throws {
        for context in [Self.context, Self.context + "-sale"] {
            let event = Self.settlement("R", amount: "4.00", context: context, reason: "Chargeback")
            let chargeback = AcquirerNotice(
                Self.subject, .chargedBack(try Bench.money(400), fee: nil), reference: "\(context)/chargeback/4.00")
            #expect(Self.taken(Self.read(event)) == [chargeback])
        }
        // Of several settlements of an order none is named.
        let ofOrder = Self.settlement("R", amount: "4.00", context: nil, reason: "Chargeback")
        #expect(
            Self.taken(Self.read(ofOrder)) == [
                AcquirerNotice(
                    .latest([.capture], of: "order/\(Bench.orderID)"), .chargedBack(try Bench.money(400), fee: nil),
                    reference: "order/\(Bench.orderID)/chargeback/4.00")
            ])
        // Somebody else's settlement of the store.
        let foreign = Self.settlement("R", amount: "4.00", context: "CCA-1", reason: "Chargeback")
        #expect(Self.taken(Self.read(foreign)) == [])
        // Without an amount it says too little: whatever it is, the settlement did not stand.
        let event = Self.settlement("R", amount: "", reason: "Chargeback")
        #expect(Self.taken(Self.read(event)) == [AcquirerNotice(Self.subject, Self.declined(.unspecified))])
    }

    @Test func eventsOfAListAreReadOneByOne() throws {
        let body = Self.list(
            "PaymentSettlementStatus", Self.settlement("S", amount: "12.50"),
            Self.settlement("R", type: "Credit", context: Bench.authorizationID.text, reason: "ExpiredCard"))
        #expect(
            Self.taken(Self.read(body)) == [
                AcquirerNotice(Self.subject, try Self.approved(1250)),
                AcquirerNotice(.operation(Bench.authorizationID), Self.declined(.expiredCard)),
            ])
    }

    @Test(arguments: [("S", ""), ("S", "0.00"), ("S", "-1.00"), ("S", "1e2"), ("S", "1.001"), ("P", "30.10")])
    func whatSaysNothingIsAReasonToLook(_ status: String, _ amount: String) {
        #expect(
            Self.taken(Self.read(Self.settlement(status, amount: amount))) == [AcquirerNotice(Self.subject, .changed)])
    }

    /// What somebody else has done in the store: nothing here waits for it, and it need not be sent again.
    @Test(arguments: ["CCA-1", "", "op_x", "op_x-sale", "-sale", nil])
    func settlementsOfOthersAreAcknowledged(_ context: String?) {
        #expect(Self.taken(Self.read(Self.settlement("S", context: context))) == [])
    }

    // MARK: - Sales

    private static let saleMemo: AcquirerMemo = {
        var memo = Bench.noted
        memo["BankAuthorizationCode"] = nil
        return memo
    }()

    /// The event has what everything else is called by: where the process ended before it was noted, it is now.
    @Test func settledSaleBringsItsAccount() throws {
        let event = Self.settlement("S", context: Self.context + "-sale")
        let approval = AcquirerApproval(
            amount: try Bench.money(3010), answer: Self.answer("S"), memo: Self.saleMemo)
        #expect(Self.taken(Self.read(event)) == [AcquirerNotice(Self.subject, .resolved(.approved(approval)))])
    }

    /// Its authorization is still held.
    @Test func refusedSaleIsStillHeld() {
        var memo = Self.saleMemo
        memo["Refusal"] = "insufficientFunds"
        let event = Self.settlement("R", context: Self.context + "-sale", reason: "InsufficientFunds")
        let decline = AcquirerDecline(reason: .insufficientFunds, answer: Self.answer("R"), memo: memo)
        #expect(Self.taken(Self.read(event)) == [AcquirerNotice(Self.subject, .declinedStillHeld(decline))])
    }

    @Test(arguments: [
        ("isToken=\"true\"", "isToken=\"false\""), ("<TenderType>VC", "<TenderType>DW"), ("4054131ImpMJ6965", "4054 1"),
    ])
    func accountOfASaleIsBelievedAsThatOfAReply(_ text: String, _ other: String) throws {
        let event = Self.settlement("S", context: Self.context + "-sale").replacing(text, with: other)
        let approval = AcquirerApproval(amount: try Bench.money(3010), answer: Self.answer("S"))
        #expect(Self.taken(Self.read(event)) == [AcquirerNotice(Self.subject, .resolved(.approved(approval)))])
    }

    // MARK: - Cancellations

    @Test func canceledIsApprovedAsAsked() {
        let approval = AcquirerNotice(
            Self.cancelSubject, .approvedAsAsked(Self.answer("Success"), AcquirerMemo()))
        #expect(Self.taken(Self.read(Self.cancellation("Success"))) == [approval])
        #expect(
            Self.taken(Self.read(Self.list("PaymentAuthCancelReply", Self.cancellation("Success")))) == [approval])
    }

    @Test(
        arguments: [
            ("Fail", "NoAuthFoundException", .invalidOperation), ("Fail", "SystemError", .systemError),
            ("Timeout", "IssuerUnavailable", .timedOut),
        ] as [(String, String, DeclineReason)])
    func failedCancellationIsADecline(_ code: String, _ word: String, _ reason: DeclineReason) {
        #expect(
            Self.taken(Self.read(Self.cancellation(code, reason: word)))
                == [AcquirerNotice(Self.cancelSubject, Self.declined(reason, code))])
    }

    @Test func cancellationsThatNameNoOrderOfOursAreAcknowledged() {
        for order in ["", "order of twenty-one ch", String(repeating: "1", count: 21)] {
            #expect(Self.taken(Self.read(Self.cancellation("Success", order: order))) == [])
        }
    }

    // MARK: - Whose they are

    @Test(arguments: [
        nil, "", "Basic ", "Basic " + Base64.encode(Array("radial:another".utf8)),
        "Basic " + Base64.encode(Array("another:\(Bench.noticePassword)".utf8)),
        "basic " + Base64.encode(Array("radial:\(Bench.noticePassword)".utf8)), Bench.noticePassword,
    ])
    func refusesOtherCredentials(_ authorization: String?) {
        guard case .refused(let answer, let word)? = Self.read(Self.settlement("S"), authorization: authorization)
        else {
            Issue.record("taken")
            return
        }
        #expect(answer == NoticeAnswer(status: 401) && word == "webhook_credentials_wrong")
    }

    @Test func eitherPasswordIsTaken() {
        let secrets = Bench.secrets.merging(["webhookPassword2": "n3xt-w3bh00k-0f-a-test"]) { $1 }
        for password in [Bench.noticePassword, "n3xt-w3bh00k-0f-a-test"] {
            let sent = Self.authorization(Bench.noticeUser, password)
            #expect(Self.taken(Self.read(Self.settlement("S"), authorization: sent, secrets: secrets))?.count == 1)
        }
    }

    @Test func takesNothingWithoutCredentialsOfItsOwn() {
        #expect(Self.read(Self.settlement("S"), secrets: ["apikey": Bench.apiKey]) == nil)
        let account = Bench.account(host: nil, settings: ["webhookUser": ""])
        var settings = account.settings
        settings["webhookUser"] = nil
        let without = OpenedAcquirerAccount(
            AcquirerAccount(
                id: Bench.id(9), merchantID: Bench.id(8), name: "radial", connector: RadialConnector.connectorName,
                mode: .sandbox, acceptor: CardAcceptor(), settings: settings, createdAt: Bench.at),
            secrets: account.secrets)
        let call = NoticeCall(
            headers: ["authorization": Self.authorization("", Bench.noticePassword)],
            body: Array(Self.settlement("S").utf8))
        #expect(RadialConnector(client: Bench.client()).read(call, for: without) == nil)
    }

    /// The address belongs to another account: somebody has to see it.
    @Test func eventsOfAnotherStoreAreRefused() throws {
        let other = Self.settlement("S", store: "OTHER")
        guard case .refused(let answer, let word)? = Self.read(other) else {
            Issue.record("taken")
            return
        }
        #expect(answer == NoticeAnswer(status: 404) && word == "event_of_another_store")
        // Beside ours they are somebody else's business.
        let mixed = Self.list("PaymentSettlementStatus", other, Self.settlement("S"))
        #expect(Self.taken(Self.read(mixed)) == [AcquirerNotice(Self.subject, try Self.approved())])
    }

    @Test(arguments: [
        "", "{}", "<a>", "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>", "<a>&b;</a>",
        String(repeating: "<a>", count: 200),
    ])
    func refusesWhatIsNoXML(_ body: String) {
        guard case .refused(let answer, let word)? = Self.read(body) else {
            Issue.record("taken")
            return
        }
        #expect(answer == NoticeAnswer(status: 400) && word == "event_not_xml")
    }

    @Test(arguments: ["<Test/>", "<OrderShipped><OrderId>1</OrderId></OrderShipped>", "<PaymentSettlementStatusList/>"])
    func otherMessagesAreAcknowledged(_ body: String) {
        #expect(Self.taken(Self.read(body)) == [])
    }
}
