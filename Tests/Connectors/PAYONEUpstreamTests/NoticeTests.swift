//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Money
import Payments
import TestUpstream
import Testing

@testable import PAYONEUpstream

/// TransactionStatus messages, as PAYONE documents them.
@Suite struct NoticeTests {
    private static let reference = Bench.authorizationID.shortName

    /// A message; `nil` leaves a field out.
    private static func body(_ fields: [String: String?] = [:]) -> [UInt8] {
        var all: [String: String] = [
            "key": Bench.keyMD5, "txaction": "appointed", "transaction_status": "completed", "notify_version": "7.6",
            "mode": "test", "portalid": Bench.portalID, "aid": Bench.aid, "clearingtype": "wlt",
            "txtime": "1750000000", "currency": "EUR", "userid": "987654321", "customerid": "M%FCller", "param": "",
            "txid": Bench.txid, "reference": Self.reference, "sequencenumber": "0", "price": "10.00",
            "balance": "0.00", "receivable": "0.00",
        ]
        for (name, value) in fields { all[name] = value }
        return Array(all.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "&").utf8)
    }

    private static func read(
        _ body: [UInt8], settings: [String: String?] = [:], secrets: [String: String] = ["key": Bench.key],
        mode: Mode = .sandbox, from address: String? = nil
    ) -> NoticeReading? {
        let call = NoticeCall(
            headers: ["content-type": "application/x-www-form-urlencoded"], body: body, address: address)
        return PAYONEConnector(client: Bench.client()).read(
            call, for: Bench.account(mode: mode, settings: settings, secrets: secrets))
    }

    /// What is to be booked, after the message has been acknowledged as PAYONE wants it.
    private static func notices(
        _ fields: [String: String?], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [AcquirerNotice] {
        guard case .notices(let notices, let answer)? = Self.read(Self.body(fields)) else {
            Issue.record("refused", sourceLocation: sourceLocation)
            return []
        }
        #expect(
            answer == NoticeAnswer(status: 200, contentType: "text/plain", body: "TSOK"),
            sourceLocation: sourceLocation)
        return notices
    }

    private static func expectRefused(
        _ reading: NoticeReading?, _ status: Int, _ word: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard case .refused(let answer, let found)? = reading else {
            Issue.record("taken", sourceLocation: sourceLocation)
            return
        }
        #expect(answer.status == status && answer.body.isEmpty, sourceLocation: sourceLocation)
        #expect(found == word, sourceLocation: sourceLocation)
    }

    // MARK: - What becomes of what

    @Test(arguments: ["completed", "", nil]) func appointedApprovesTheAuthorization(_ status: String?) throws {
        let amount = try Bench.money(1000)
        let expected = AcquirerNotice(
            .shortName(Self.reference),
            .resolved(
                .approved(
                    AcquirerApproval(
                        amount: amount, answer: AcquirerAnswer(reference: Bench.txid),
                        memo: PAYONEMemo.memo(txid: Bench.txid)))))
        #expect(try Self.notices(["transaction_status": status]) == [expected])
    }

    @Test func theAmountIsThatOfTheCurrency() throws {
        for (price, currency, minorUnits) in [("10.00", "EUR", 1000), ("10", "EUR", 1000), ("10.00", "JPY", 10)]
            as [(String, String, Int64)]
        {
            let notices = try Self.notices(["price": price, "currency": currency])
            guard case .resolved(.approved(let approval))? = notices.first?.event else {
                Issue.record("\(notices)")
                continue
            }
            #expect(try approval.amount == Bench.money(minorUnits, currency))
        }
    }

    @Test func pendingSaysNothingYet() throws {
        #expect(try Self.notices(["transaction_status": "pending"]).isEmpty)
    }

    /// The second request of the payment process is the gateway's third operation, counted from 1.
    @Test(arguments: ["capture", "debit", "refund"]) func approvesTheRequestOfThatNumber(_ action: String) throws {
        let expected = AcquirerNotice(
            .request(3, of: Self.reference),
            .approvedAsAsked(AcquirerAnswer(reference: "\(Bench.txid)/2"), AcquirerMemo()))
        #expect(try Self.notices(["txaction": action, "sequencenumber": "2"]) == [expected])
        // One of the authorization's own number would be no request of ours.
        #expect(try Self.notices(["txaction": action, "sequencenumber": "0"]).isEmpty)
        #expect(
            try Self.notices(["txaction": action, "sequencenumber": "2", "transaction_status": "pending"]).isEmpty)
    }

    @Test(arguments: [("0", 1), ("1", 2)]) func failedEndsTheRequestOfThatNumber(
        _ number: String, _ ordinal: Int
    ) throws {
        let subject: AcquirerNotice.Subject =
            ordinal == 1 ? .shortName(Self.reference) : .request(ordinal, of: Self.reference)
        let reference = ordinal == 1 ? Bench.txid : "\(Bench.txid)/1"
        for (code, reason) in [
            ("51", .insufficientFunds), ("5", .doNotHonor), ("2700", .unspecified), (nil, .unspecified),
        ]
            as [(String?, DeclineReason)]
        {
            let notices = try Self.notices(["txaction": "failed", "sequencenumber": number, "reasoncode": code])
            let answer = AcquirerAnswer(reference: reference, responseCode: code)
            let expected = AcquirerNotice(
                subject, .resolved(.declined(AcquirerDecline(reason: reason, answer: answer))))
            #expect(notices == [expected])
        }
        #expect(try Self.notices(["txaction": "failed", "reasoncode": "soc"]).count == 1)
    }

    @Test func cancelationIsAChargebackOfWhatIsOpenAgain() throws {
        let fields = ["txaction": "cancelation", "balance": "4.00", "receivable": "10.00"]
        let expected = AcquirerNotice(
            .shortName(Self.reference), .chargedBackInAll(try Bench.money(400)),
            reference: ExpectedAnswer.reference(Bench.txid, 0))
        #expect(try Self.notices(fields) == [expected])
    }

    /// As after a reservation that was given back.
    @Test(arguments: ["0.00", "-4.00"]) func cancelationOfNothingIsNone(_ balance: String) throws {
        #expect(try Self.notices(["txaction": "cancelation", "balance": balance]).isEmpty)
    }

    @Test(arguments: [
        "paid", "underpaid", "reminder", "vauthorization", "vsettlement", "transfer", "invoice", "tomorrow", "", nil,
    ])
    func everythingElseIsAcknowledged(_ action: String?) throws {
        #expect(try Self.notices(["txaction": action]).isEmpty)
    }

    /// A shop's payments from before, at the same portal.
    @Test(arguments: ["order-1", "", nil, "0000000000000000I", "000000000000000I", "00000000000000000"])
    func whatIsNotOursIsAcknowledged(_ reference: String?) throws {
        #expect(try Self.notices(["reference": reference]).isEmpty)
    }

    // MARK: - Proof

    @Test(arguments: ["", "x", Bench.keySHA384, Bench.keyMD5.uppercased(), Bench.secondKeyMD5, Bench.key, nil])
    func refusesAnotherKey(_ key: String?) {
        Self.expectRefused(Self.read(Self.body(["key": key])), 401, "key_wrong")
    }

    @Test func takesEitherKey() {
        for key in [Bench.keyMD5, Bench.secondKeyMD5] {
            let reading = Self.read(
                Self.body(["key": key]), secrets: ["key": Bench.key, "key2": Bench.secondKey])
            guard case .notices(let notices, _)? = reading else {
                Issue.record("refused")
                continue
            }
            #expect(notices.count == 1)
        }
    }

    @Test(arguments: [
        "", "&", "=", "key", "key=\(Bench.keyMD5)&key=\(Bench.keyMD5)", "key=%zz", "key=%", "{\"key\":1}", "\u{0}\u{1}",
    ])
    func refusesGarbage(_ body: String) {
        Self.expectRefused(Self.read(Array(body.utf8)), 401, "key_wrong")
    }

    /// Every byte of a message, changed: it is refused, or it says no more than that.
    @Test func everyChangedByteIsBorne() {
        let body = Self.body()
        for index in body.indices {
            var changed = body
            changed[index] ^= 0x01
            #expect(Self.read(changed) != nil)
            #expect(Self.read(Array(body.prefix(index))) != nil)
        }
    }

    // MARK: - Whose it is

    /// A portal has one key for both modes.
    @Test func refusesTheOtherMode() {
        for (mode, word) in [(Mode.sandbox, "live"), (.live, "test"), (.live, ""), (.sandbox, "TEST")] {
            Self.expectRefused(Self.read(Self.body(["mode": word]), mode: mode), 400, "mode_not_the_accounts")
        }
        guard case .notices? = Self.read(Self.body(["mode": "live"]), mode: .live) else {
            Issue.record("a live account takes no live notice")
            return
        }
    }

    @Test func refusesAnotherPortal() {
        Self.expectRefused(Self.read(Self.body(["portalid": "2030406"])), 400, "portal_not_the_accounts")
    }

    @Test(
        arguments: [
            (["txid": "1"], "txid_or_sequence_number"), (["txid": nil], "txid_or_sequence_number"),
            (["sequencenumber": "-1"], "txid_or_sequence_number"), (["sequencenumber": nil], "txid_or_sequence_number"),
            (["sequencenumber": "1000"], "txid_or_sequence_number"), (["price": "10,00"], "price"),
            (["price": nil], "price"), (["price": "-1.00"], "price"), (["currency": "EURO"], "price"),
            (["price": "10.001"], "price"), (["txaction": "cancelation", "balance": "x"], "balance"),
        ] as [([String: String?], String)])
    func refusesWhatCannotBeRead(_ fields: [String: String?], _ name: String) {
        Self.expectRefused(Self.read(Self.body(fields)), 400, "\(name)_unreadable")
    }

    @Test(arguments: [
        ("185.60.20.7", true), ("185.60.20.0", true), ("185.60.20.255", true), ("::ffff:185.60.20.7", true),
        ("54.246.203.105", true), ("185.60.21.7", false), ("54.246.203.106", false), ("127.0.0.1", false),
        ("::1", false), ("", false), (nil, false), ("185.60.20", false), ("185.60.20.256", false),
        ("185.060.20.7", false), ("2001:db8::1", false),
    ])
    func takesNoticesOfTheNamedNetworksAlone(_ address: String?, _ isTaken: Bool) {
        let reading = Self.read(
            Self.body(), settings: ["noticeNetworks": "185.60.20.0/24, 54.246.203.105"], from: address)
        if isTaken {
            guard case .notices? = reading else {
                Issue.record("refused")
                return
            }
        } else {
            Self.expectRefused(reading, 403, "sender_not_in_networks")
        }
    }

    @Test func anAccountThatCannotBeOpenedIsTriedAgain() {
        Self.expectRefused(Self.read(Self.body(), settings: ["mid": nil]), 503, "account_not_usable")
    }
}
