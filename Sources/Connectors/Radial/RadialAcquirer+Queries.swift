//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Money
import Payments
import Redaction
import StrictJSON
import Time

// What becomes of an authorization that the service has accepted: the funds of one that the issuer did not answer are
// confirmed; a sale goes on, one call a question.
//
// A sale is an authorization, the confirmation of its funds, and a debit that is the last one. It is accepted with the
// authorization's reply, so that the account by which everything else is called is durable before any money can move.
// The confirmation is noted before the debit is sent, and the debit is sent under its own id until it is acknowledged, and
// never after that; its event ends the sale. A debit that is refused, now or by the event, leaves an authorization that
// nobody wants: the sale is declined once that is canceled.

extension RadialAcquirer {
    func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome {
        let original = query.original
        guard original.kind == .authorization else { return .unknown(.unclear("no_queries")) }
        guard original.hasRadialAccount else { return .unknown(.unclear("account_unknown")) }
        if let reason = original.memo[RadialNote.refusal].flatMap(DeclineReason.init(rawValue:)) {
            return await self.giveBack(query, reason)
        }
        // What was taken with an exception is released by a person, after a fraud check and a new authorization.
        guard let standing = original.memo[RadialNote.standing].flatMap(RadialNote.Standing.init(rawValue:)) else {
            return .unknown(.unclear("waits_for_decision"))
        }
        if original.isSale, original.memo[RadialNote.debit] != nil {
            // "Never resubmit a settlement after the ACK".
            return .accepted(AcquirerAcceptance(original.answer))
        }
        if original.isSale, original.memo[RadialNote.funds] != nil { return await self.debit(query) }
        return await self.confirm(query, standing)
    }

    /// Under a name of its own each time, as the vendor's own module asks: the same one would be answered as before, which
    /// was that nobody knows.
    private func confirm(
        _ query: AcquirerQuery, _ standing: RadialNote.Standing
    ) async -> AcquirerQueryOutcome {
        let fields = self.fields(query, "-" + String(query.at.milliseconds, radix: 36))
        switch (await self.confirmFunds(fields), query.original.isSale) {
        case (.available, true):
            return .accepted(
                AcquirerAcceptance(query.original.answer, memo: AcquirerMemo([RadialNote.funds: Redacted("Success")])))
        case (.available, false):
            var answer = query.original.answer
            // That of the reply in which nobody had answered.
            answer.responseCode = nil
            return .approved(AcquirerApproval(amount: query.original.amount, answer: answer))
        case (.unavailable(let wasReauthorized), let isSale):
            let reason: DeclineReason =
                wasReauthorized ? .doNotHonor : standing == .unanswered ? .timedOut : .unspecified
            return isSale ? await self.giveBack(query, reason) : .declined(self.decline(query, reason))
        case (.notProcessed(let not), _): return .unknown(.unclear(not.word))
        case (.open(let word), _): return .unknown(.unclear(word))
        }
    }

    // MARK: - Sales

    private func debit(_ query: AcquirerQuery) async -> AcquirerQueryOutcome {
        var fields = self.fields(query, SaleContext.suffix)
        fields.isFinal = true
        fields.extra = [ExtraField("InvoiceId", .string(query.original.id.shortName))]
        let settlement = fields
        let outcome = await self.followSale(fields, isOver: \.saysThatNothingWasDebited) {
            client throws(ClientError) in try client.capture(settlement)
        }
        switch outcome {
        case .accepted, .approved:
            let memo = AcquirerMemo([RadialNote.debit: Redacted(RadialNote.acknowledged)])
            return .accepted(AcquirerAcceptance(query.original.answer, memo: memo))
        case .declined: return await self.giveBack(query, .systemError)
        // It is sent again as it is.
        case .notProcessed(let not): return .unknown(.unclear(not.word))
        case .unknown(let unknown): return .unknown(unknown)
        }
    }

    /// Cancels the authorization of a sale that comes to nothing. Where the service does not acknowledge that, it is tried
    /// again with the next question. What its event says changes nothing: no debit follows, and what could not be canceled
    /// lapses.
    private func giveBack(_ query: AcquirerQuery, _ reason: DeclineReason) async -> AcquirerQueryOutcome {
        let fields = self.fields(query, "-cancel")
        let outcome = await self.followSale(fields, isOver: \.saysThatNothingIsHeld) {
            client throws(ClientError) in try client.void(fields)
        }
        switch outcome {
        case .accepted, .approved, .declined: return .declined(self.decline(query, reason))
        case .notProcessed, .unknown:
            let memo = AcquirerMemo([RadialNote.refusal: Redacted(reason.rawValue)])
            return .accepted(AcquirerAcceptance(query.original.answer, memo: memo))
        }
    }

    /// Posts a call of a sale, which may have been posted before.
    ///
    /// - Parameter isOver: of what is no reply to it, what is a refusal all the same.
    private func followSale(
        _ fields: FollowUpFields, isOver: (RadialFault) -> Bool, _ make: @escaping RadialCalls.Make
    ) async -> AcquirerOutcome {
        let acknowledgement = Acknowledgement(orderID: fields.order, requestID: fields.key)
        return await self.calls.submit(within: self.calls.budget, make) { reply in
            switch reply {
            case .read(let reading): acknowledgement.outcome(reading)
            case .received(let document): acknowledgement.outcome(document)
            case .fault(let fault) where isOver(fault): fault.outcomeOfFollowUp
            case .fault: .unclear("fault")
            case .notProcessed(let not): .notProcessed(not)
            case .unknown(let unknown): .unknown(unknown)
            }
        }
    }

    private func decline(_ query: AcquirerQuery, _ reason: DeclineReason) -> AcquirerDecline {
        AcquirerDecline(reason: reason, answer: AcquirerAnswer(reference: query.paymentID.shortName))
    }

    private func fields(_ query: AcquirerQuery, _ suffix: String) -> FollowUpFields {
        FollowUpFields(
            order: query.paymentID.shortName, key: query.original.id.text + suffix, ordinal: 1,
            amount: query.original.amount, handle: query.original.memo.entries.mapValues { $0.reveal() })
    }
}

/// The `ClientContext` of a sale's debit, which the event repeats: the sale's own id, and that it is a sale.
struct SaleContext {
    static let suffix = "-sale"

    let id: OperationID

    /// `nil` for any other.
    init?(_ text: String) {
        guard text.hasSuffix(Self.suffix), let id = OperationID(String(text.dropLast(Self.suffix.count))) else {
            return nil
        }
        self.id = id
    }
}
