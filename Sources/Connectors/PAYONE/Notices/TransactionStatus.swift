//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Clients
import ConnectorKit
import Money
import Payments
import StrictJSON

/// TransactionStatus: what PAYONE reports of a payment process, as a form that carries the MD5 of the portal's key
/// (docs/connectors/payone.md, "Notices").
///
/// The messages of a process come strictly one after the other, each until it is answered TSOK, for 48 hours. So whatever
/// is PAYONE's and says nothing here is acknowledged, or it would hold up what follows it.
struct TransactionStatus {
    private static let acknowledgement = NoticeAnswer(contentType: "text/plain", body: "TSOK")

    private let notice: Notice
    /// The short name of the operation that opened the payment process.
    private let reference: String
    private let txid: String
    private let sequenceNumber: Int

    static func read(_ call: NoticeCall, _ account: PAYONEAccount) -> NoticeReading {
        if let networks = account.noticeNetworks, !networks.contain(call.address) {
            return .refused(NoticeAnswer(status: 403), word: "sender_not_in_networks")
        }
        guard let notice = account.keys.read(ClientNotification(path: "/", body: call.body)) else {
            return .refused(NoticeAnswer(status: 401), word: "key_wrong")
        }
        // A portal has one key for both modes.
        guard notice["mode"] == account.mode else {
            return .refused(NoticeAnswer(status: 400), word: "mode_not_the_accounts")
        }
        guard notice["portalid"] == account.portalID else {
            return .refused(NoticeAnswer(status: 400), word: "portal_not_the_accounts")
        }
        guard let reference = notice["reference"], Self.isShortName(reference) else {
            // A payment process of somebody else's at the same portal: a shop's own, from before.
            return .notices([], answer: Self.acknowledgement)
        }
        guard let txid = notice["txid"].flatMap(PAYONEReply.txid),
            let number = notice["sequencenumber"], ASCII.isDigits(number, 1...3), let sequenceNumber = Int(number)
        else { return .refused(NoticeAnswer(status: 400), word: "txid_or_sequence_number_unreadable") }
        let status = TransactionStatus(
            notice: notice, reference: reference, txid: txid, sequenceNumber: sequenceNumber)
        do throws(Unreadable) {
            return .notices(try status.event().map { [$0] } ?? [], answer: Self.acknowledgement)
        } catch {
            return .refused(NoticeAnswer(status: 400), word: "\(error.name)_unreadable")
        }
    }

    /// As ``Identifier/shortName`` is: the last sixteen of an id's 26 characters.
    private static func isShortName(_ text: String) -> Bool {
        OperationID("\(OperationTag.prefix)0000000000\(text)") != nil
    }

    private struct Unreadable: Error {
        let name: String
    }

    /// `nil` for what says nothing that is not known from the answers: that money was paid out, reminders, invoices.
    private func event() throws(Unreadable) -> AcquirerNotice? {
        let isPending = self.notice["transaction_status"] == "pending"
        switch self.notice["txaction"] {
        // Pending, it is what was answered PENDING.
        case "appointed" where !isPending && self.sequenceNumber == 0:
            return AcquirerNotice(
                self.subject,
                .resolved(
                    .approved(
                        AcquirerApproval(
                            amount: try self.amount("price"), answer: self.answer,
                            memo: PAYONEMemo.memo(txid: self.txid)))))
        // Neither names its amount: `receivable` is a sum, and `balance` what of it is open at that moment.
        case "capture" where !isPending && self.sequenceNumber > 0,
            "debit" where !isPending && self.sequenceNumber > 0,
            "refund" where !isPending && self.sequenceNumber > 0:
            return AcquirerNotice(self.subject, .approvedAsAsked(self.answer, AcquirerMemo()))
        case "failed": return AcquirerNotice(self.subject, .resolved(.declined(self.decline)))
        case "cancelation": return try self.chargeback()
        default: return nil
        }
    }

    private var subject: AcquirerNotice.Subject {
        self.sequenceNumber == 0
            ? .shortName(self.reference) : .request(self.sequenceNumber + 1, of: self.reference)
    }

    private var answer: AcquirerAnswer {
        AcquirerAnswer(reference: ExpectedAnswer.reference(self.txid, self.sequenceNumber))
    }

    /// By the number of an error, where there is one.
    private var decline: AcquirerDecline {
        let code = self.notice["reasoncode"].flatMap { ASCII.isDigits($0, 1...6) ? Int($0) : nil }
        let reason: DeclineReason =
            if let code, case .declined(let reason) = ErrorVerdict(code) { reason } else { .unspecified }
        var answer = self.answer
        answer.responseCode = code.map { String($0) }
        return AcquirerDecline(reason: reason, answer: answer)
    }

    /// A returned payment or a chargeback: what was paid is open again, `balance` in all. Where nothing is, nothing was taken.
    private func chargeback() throws(Unreadable) -> AcquirerNotice? {
        // Below zero it is the merchant who owes.
        guard self.notice["balance"]?.hasPrefix("-") != true else { return nil }
        let balance = try self.amount("balance")
        guard balance.isPositive else { return nil }
        return AcquirerNotice(
            .shortName(self.reference), .chargedBackInAll(balance),
            reference: ExpectedAnswer.reference(self.txid, self.sequenceNumber))
    }

    /// In the major unit, with a decimal point.
    private func amount(_ name: String) throws(Unreadable) -> Money {
        guard let currency = self.notice["currency"].flatMap(Currency.alphabetic),
            let amount = self.notice[name].flatMap({ Money(.string($0), currency: currency) })
        else { throw Unreadable(name: name) }
        return amount
    }
}
