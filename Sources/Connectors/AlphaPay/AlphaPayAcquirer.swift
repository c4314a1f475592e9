//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Clients
import ConnectorKit
import Money
import Payments
import Redaction
import StrictJSON

/// AlphaPay, as one account has it. A `paymentRequestId` is the authorization's id, a `refundRequestId` the refund's or
/// the reversal's: the same id is the same request, and notices name it.
struct AlphaPayAcquirer: Acquirer {
    /// What is noted on operations.
    enum Memo {
        /// Of the order, on the authorization: known before anything is paid.
        static let paymentID = AlphaPayClient.paymentID
        /// On a refund, and on a reversal that was made by one.
        static let refundID = "refundId"
    }

    let name: AcquirerName
    let calls: AlphaPayCalls

    /// Calls are synchronous: what arrives is worked on at once, and nothing is done when nothing can arrive any more.
    ///
    /// A sale is all there is: no authorization without it, no capture, no void of what is paid, no verification.
    var capabilities: AcquirerCapabilities {
        AcquirerCapabilities(
            forms: [.sealedApplePayToken], proofs: [], networks: self.calls.account.networks,
            currencies: AlphaPayAmount.terms, takesMerchantInitiated: false, authorizes: false, sells: true,
            capturesInParts: false, refundsInParts: true, adjustments: [], voids: [], verifiesCards: false,
            decidesLater: true, memos: .prepared, recovery: .query(quietSeconds: self.calls.calls.quietSeconds),
            deadlines: self.calls.calls.limits)
    }

    // MARK: - The order

    /// Asks for the order, so that the payment can be asked after whatever happens to it.
    func prepare(_ request: AcquirerRequest) async -> AcquirerPreparation {
        guard case .authorize(let charge) = request.action else { return .ready(AcquirerMemo()) }
        if case .failure(let refusal) = Self.token(of: charge, request.amount) { return .notProcessed(refusal.reason) }
        let ending = await self.calls.send(within: self.calls.budget) { client throws(ClientError) in
            try client.preOrder(
                request.operationID.text, request.amount, description: Self.description(charge, request),
                notifyURL: self.calls.account.notifyURL,
                extra: self.calls.account.merchantIdentifier.map {
                    [ExtraField("merchantIdentifier", .string($0))]
                } ?? [])
        }
        switch ending {
        case .notProcessed(let not): return .notProcessed(not)
        // An order moves no money, and nobody pays one that he knows nothing of.
        case .unknown(let unknown): return .notProcessed(NotProcessed(.notSent, unknown.word))
        case .notGenuine: return .notProcessed(NotProcessed(.notAuthorized, AlphaPayEnding.notGenuineWord))
        case .answered(let answer): return Self.preparation(answer, request)
        }
    }

    private static func preparation(_ answer: AlphaPayAnswer, _ request: AcquirerRequest) -> AcquirerPreparation {
        guard answer.status != .failed else {
            guard case .notProcessed(let reason) = answer.meaning else {
                return .notProcessed(NotProcessed(.requestRefused, answer.word))
            }
            return .notProcessed(NotProcessed(reason, answer.word))
        }
        guard let paymentID = answer.name("paymentId"), answer.isAbout("paymentRequestId", request.operationID.text)
        else { return .notProcessed(NotProcessed(.requestRefused, "order_not_understood")) }
        return .ready(Self.memo(ofOrder: paymentID))
    }

    static func memo(ofOrder paymentID: String) -> AcquirerMemo {
        AcquirerMemo([Memo.paymentID: Redacted(paymentID)], handles: [paymentID])
    }

    static func memo(ofRefund refundID: String?) -> AcquirerMemo {
        refundID.map { AcquirerMemo([Memo.refundID: Redacted($0)], handles: [$0]) } ?? AcquirerMemo()
    }

    /// "Order description <= 128 characters", and required.
    private static func description(_ charge: Charge, _ request: AcquirerRequest) -> String {
        FieldText.plain(charge.details.description, max: 128)
            ?? FieldText.plain(charge.details.orderReference, max: 128) ?? request.paymentID.text
    }

    // MARK: - Money

    func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
        switch request.action {
        case .authorize(let charge): return await self.pay(request, charge)
        case .verify: return .notProcessed(NotProcessed(.requestRefused, "verification_not_offered"))
        case .refund(let original, _): return await self.refund(request, original)
        case .reverse(let original): return await self.takeBack(request, original)
        // There is nothing that could be captured, changed or voided.
        case .capture, .adjust, .void: return Self.invalidOperation
        }
    }

    static let invalidOperation = AcquirerOutcome.declined(
        AcquirerDecline(reason: .invalidOperation, answer: AcquirerAnswer()))

    private func pay(_ request: AcquirerRequest, _ charge: Charge) async -> AcquirerOutcome {
        let token: SealedToken
        switch Self.token(of: charge, request.amount) {
        case .success(let sealed): token = sealed
        case .failure(let refusal): return .notProcessed(refusal.reason)
        }
        guard let paymentID = request.memo[Memo.paymentID] else {
            return .notProcessed(NotProcessed(.requestRefused, "order_missing"))
        }
        // A part of a name is another customer's.
        let customerID = FieldText.whole(charge.details.customer.id, 1...64, where: ASCII.isVisible)
        let budget = self.calls.chargeBudget
        let ending = await self.calls.send(within: budget) { client throws(ClientError) in
            try client.pay(paymentID, token, customerID: customerID)
        }
        switch ending {
        case .notProcessed(let not): return .notProcessed(not)
        case .unknown(let unknown): return .unknown(unknown)
        case .notGenuine: return .unclear(AlphaPayEnding.notGenuineWord)
        case .answered(let answer):
            let outcome = PayAnswer(answer, paymentID: paymentID, secrets: charge.instrument.secrets)
                .outcome(for: request.amount)
            guard case .notProcessed = outcome, answer.isUnlistedRefusal else { return outcome }
            // It may say that the order has been paid before: by this very request, which came twice.
            let found = await self.findPayment(paymentID, request.amount, within: budget)
            switch found.outcome {
            case .approved(let approval): return .approved(approval)
            // Nobody has said what became of it: to call it not processed would have it charged elsewhere.
            case .unknown(let unknown) where found.isUnanswered: return .unknown(unknown)
            case .declined, .accepted, .reversed, .notFound, .unknown: return outcome
            }
        }
    }

    private func refund(_ request: AcquirerRequest, _ original: OriginalOperation) async -> AcquirerOutcome {
        if let refusal = AlphaPayAmount.refusal(request.amount) { return .notProcessed(refusal) }
        // Nothing was ever paid without an order.
        guard let paymentID = original.memo[Memo.paymentID] else { return Self.invalidOperation }
        return await self.refund(request, paymentID, within: self.calls.budget)
    }

    func refund(
        _ request: AcquirerRequest, _ paymentID: String, within budget: UpstreamBudget
    ) async -> AcquirerOutcome {
        let ending = await self.calls.send(within: budget) { client throws(ClientError) in
            try client.refund(
                paymentID, request.amount, requestID: request.operationID.text, notifyURL: self.calls.account.notifyURL)
        }
        switch ending {
        case .notProcessed(let not): return .notProcessed(not)
        case .unknown(let unknown): return .unknown(unknown)
        case .notGenuine: return .unclear(AlphaPayEnding.notGenuineWord)
        case .answered(let answer):
            let outcome = RefundAnswer(answer, requestID: request.operationID.text, paymentID: paymentID)
                .outcome(for: request.amount)
            guard case .declined = outcome, answer.isUnlistedRefusal || answer.meaning == .orderState else {
                return outcome
            }
            // There may be nothing left because this very refund has been made.
            let found = await self.findRefund(
                request.operationID, answer.name("refundId"), request.amount, within: budget)
            switch found.outcome {
            case .approved(let approval): return .approved(approval)
            case .accepted(let acceptance): return .accepted(acceptance)
            case .unknown(let unknown) where found.isUnanswered: return .unknown(unknown)
            case .declined, .reversed, .notFound, .unknown: return outcome
            }
        }
    }
}

// MARK: - What can be sent

extension AlphaPayAcquirer {
    /// Why nothing is sent.
    private struct Refusal: Error {
        let reason: NotProcessed

        init(_ word: String) { self.reason = NotProcessed(.requestRefused, word) }
        init(_ reason: NotProcessed) { self.reason = reason }
    }

    private static func token(of charge: Charge, _ amount: Money) -> Result<SealedToken, Refusal> {
        guard charge.captures else { return .failure(Refusal("authorization_not_offered")) }
        if let refusal = AlphaPayAmount.refusal(amount) { return .failure(Refusal(refusal)) }
        guard case .sealedApplePayToken(let token) = charge.instrument else {
            return .failure(Refusal("instrument_not_taken"))
        }
        guard let data = try? JSON.parse(token.paymentData.reveal()), data.object != nil else {
            return .failure(Refusal("token_unreadable"))
        }
        var method = JSONFields()
        method.set("displayName", token.displayName)
        method.set("network", token.network)
        method.set("type", token.methodType)
        return .success(
            SealedToken(
                paymentData: data, paymentMethod: method.object.isEmpty ? nil : method.json,
                transactionIdentifier: token.transactionIdentifier.isEmpty ? nil : token.transactionIdentifier))
    }
}

extension PaymentInstrument {
    /// What AlphaPay could send back in a field that is kept.
    fileprivate var secrets: [Redacted<String>] {
        guard case .sealedApplePayToken(let token) = self, let data = try? JSON.parse(token.paymentData.reveal()) else {
            return []
        }
        return ["data", "signature", "header.ephemeralPublicKey", "header.wrappedKey", "header.publicKeyHash"]
            .compactMap { data[path: $0]?.string }.map { Redacted($0) }
    }
}
