//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import BaseEncoding
import Clients
import ConnectorKit
import Money
import Payments
import Redaction

/// The events of an account: how settlements and cancellations ended (docs/dialects/radial.md, "Events"). They come with
/// HTTP Basic credentials, which prove them.
struct RadialNotices: Sendable {
    private let storeID: String
    /// As they stand in the header.
    private let credentials: [Redacted<String>]

    /// `nil` for an account that has no credentials for them.
    init?(_ account: OpenedAcquirerAccount) {
        guard let user = account.settings[RadialAccount.Setting.noticeUser],
            let storeID = account.settings[RadialAccount.Setting.storeID]
        else { return nil }
        let passwords = [RadialAccount.Secret.noticePassword, RadialAccount.Secret.secondNoticePassword]
            .compactMap { account.secrets[$0] }
        guard !passwords.isEmpty else { return nil }
        self.storeID = storeID
        // RFC 7617, section 2.
        self.credentials = passwords.map { password in
            password.map { "Basic " + Base64.encode(Array("\(user):\($0)".utf8)) }
        }
    }

    func read(_ call: NoticeCall) -> NoticeReading {
        guard let sent = call.headers["authorization"], self.areOurs(sent) else {
            return .refused(NoticeAnswer(status: 401), word: "webhook_credentials_wrong")
        }
        guard let events = RadialEvent.events(in: call.body) else {
            return .refused(NoticeAnswer(status: 400), word: "event_not_xml")
        }
        let ours = events.filter { $0.storeID.map { $0 == self.storeID } ?? true }
        guard events.isEmpty || !ours.isEmpty else {
            return .refused(NoticeAnswer(status: 404), word: "event_of_another_store")
        }
        // "The client is expected to acknowledge the message receipt with an HTTP 200." That includes messages about
        // something else.
        return .notices(ours.compactMap(Self.notice), answer: NoticeAnswer())
    }

    /// All are compared, each in a time that does not depend on where they differ.
    private func areOurs(_ sent: String) -> Bool {
        self.credentials.map { $0.matches(sent) }.contains(true)
    }

    // MARK: - What they say

    /// `nil` for what somebody else has done in the store.
    private static func notice(_ event: RadialEvent) -> AcquirerNotice? {
        if let chargeback = self.chargeback(event) { return chargeback }
        guard let subject = self.subject(event) else { return nil }
        return AcquirerNotice(subject, self.event(event))
    }

    /// A settlement that the cardholder's bank has taken back, the whole or a part. The same message has the same sum. Where
    /// an order has several, the message may name the order alone.
    private static func chargeback(_ event: RadialEvent) -> AcquirerNotice? {
        guard event.kind == .settlement, event.status == "R", event.reason == "Chargeback", let amount = event.amount,
            amount.isPositive
        else { return nil }
        let named: (subject: AcquirerNotice.Subject, name: String)? =
            if let context = event.clientContext {
                // Another one's names a settlement that somebody else has made.
                self.subject(event).map { ($0, context) }
            } else {
                self.orderID(event).map(RadialNote.handle).map { (.latest([.capture], of: $0), $0) }
            }
        guard let (subject, name) = named else { return nil }
        return AcquirerNotice(
            subject, .chargedBack(amount, fee: nil), reference: "\(name)/chargeback/\(amount.decimalText)")
    }

    private static func subject(_ event: RadialEvent) -> AcquirerNotice.Subject? {
        switch event.kind {
        case .settlement:
            event.clientContext.flatMap { SaleContext($0)?.id ?? OperationID($0) }.map { .operation($0) }
        // Of which of an order's cancellations it is, the event does not say.
        case .cancellation: self.orderID(event).map { .latest([.void, .reversal], of: RadialNote.handle($0)) }
        }
    }

    private static func orderID(_ event: RadialEvent) -> String? {
        FieldText.whole(event.orderID, 1...20, where: ASCII.isNameCharacter)
    }

    /// What says nothing that could be booked is a reason to look.
    private static func event(_ event: RadialEvent) -> AcquirerNotice.Event {
        let answer = AcquirerAnswer(reference: self.orderID(event), responseCode: event.status)
        let isSale = event.clientContext.flatMap(SaleContext.init) != nil
        switch (event.kind, event.status) {
        case (.settlement, "S"):
            guard let amount = event.amount, amount.isPositive else { return .changed }
            return .resolved(
                .approved(
                    AcquirerApproval(amount: amount, answer: answer, memo: isSale ? self.memo(event) : AcquirerMemo())))
        case (.settlement, "R") where isSale:
            let reason = DeclineReason(radial: event.reason)
            var memo = self.memo(event)
            memo[RadialNote.refusal] = reason.rawValue
            return .declinedStillHeld(AcquirerDecline(reason: reason, answer: answer, memo: memo))
        // Of the whole authorization, always.
        case (.cancellation, "Success"): return .approvedAsAsked(answer, AcquirerMemo())
        case (.settlement, "R"), (.cancellation, "Fail"):
            return .resolved(.declined(AcquirerDecline(reason: DeclineReason(radial: event.reason), answer: answer)))
        // No other event follows: what was not canceled in time may be canceled again.
        case (.cancellation, "Timeout"):
            return .resolved(.declined(AcquirerDecline(reason: .timedOut, answer: answer)))
        default: return .changed
        }
    }

    /// By what a sale's order is called: the process may have ended before that of the reply was durable.
    private static func memo(_ event: RadialEvent) -> AcquirerMemo {
        guard let orderID = self.orderID(event), let account = RadialTender.account(event.handle) else {
            return AcquirerMemo()
        }
        return AcquirerMemo(radialAccount: account.token, account.tenderType, of: orderID)
    }
}
