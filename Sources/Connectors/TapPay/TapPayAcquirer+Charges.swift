//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Clients
import ConnectorKit
import Payments
import Redaction
import StrictJSON

// Paying: TapPay makes a prime of the token, which moves nothing, and pays with the prime.

extension TapPayAcquirer {
    func charge(_ request: AcquirerRequest, _ charge: Charge) async -> AcquirerOutcome {
        do throws(AmountRefusal) {
            try self.account.features.check(payment: request.amount)
        } catch {
            return .notProcessed(NotProcessed(.requestRefused, error.rawValue))
        }
        guard case .sealedApplePayToken(let sealed) = charge.instrument,
            let data = try? JSON.parse(sealed.paymentData.reveal()), data.object != nil
        else { return .notProcessed(NotProcessed(.requestRefused, "instrument_not_taken")) }
        let token = SealedToken(paymentData: data)
        var fields = ChargeRequest.fields(request, charge, token, self.account)
        var secrets = fields.instrument.secrets
        // One for both steps: the second must not leave later than a single one could have.
        let budget = self.calls.chargeBudget
        switch await self.makePrime(token, within: budget) {
        case .made(let prime):
            fields.instrument = .prime(prime)
            secrets.append(prime)
        case .ended(let outcome): return outcome
        case .refused(let not):
            return await self.lookUp(request, secrets, orElse: .notProcessed(not), within: budget)
        }
        return await self.pay(request, fields, secrets, within: budget)
    }

    // MARK: - The first step

    private enum PrimeStep {
        case made(Redacted<String>)
        case ended(AcquirerOutcome)
        /// TapPay takes the token for none that pays. It has taken it before if this operation is sent again.
        case refused(NotProcessed)
    }

    /// Whatever goes wrong here, nothing has moved.
    private func makePrime(_ token: SealedToken, within budget: UpstreamBudget) async -> PrimeStep {
        let reply = await self.calls.asApp(within: budget) { client throws(ClientError) in client.getPrime(token) }
        switch reply {
        case .notProcessed(let not): return .ended(.notProcessed(not))
        case .unknown(let unknown): return .ended(.notProcessed(NotProcessed(.busy, "prime_" + unknown.word)))
        case .answered(let answer):
            switch answer.meaning {
            case .done: return self.prime(in: answer)
            case .declined(let reason): return .ended(.declined(self.decline(answer, reason)))
            case .notProcessed(let reason): return .ended(.notProcessed(NotProcessed(reason, answer.word)))
            case .open: return .ended(.notProcessed(NotProcessed(.busy, answer.word)))
            case .primeNotTaken, .tokenNotTaken: return .refused(NotProcessed(.tokenRefused, "prime_" + answer.word))
            case .bankFailed, .nameUsed, .wrongState, .notCapturedYet, .notUnderstood:
                return .refused(NotProcessed(.requestRefused, "prime_" + answer.word))
            }
        }
    }

    private func prime(in answer: TapPayAnswer) -> PrimeStep {
        // At most 71 characters (TapPay, "Pay by Prime API").
        guard let prime = FieldText.whole(answer.json["prime"]?.string, 1...71, where: ASCII.isVisible) else {
            return .ended(.notProcessed(NotProcessed(.requestRefused, "prime_missing")))
        }
        guard self.account.takes(prime: prime) else {
            return .ended(.notProcessed(NotProcessed(.requestRefused, "prime_of_other_mode")))
        }
        return .made(Redacted(prime))
    }

    // MARK: - The second step

    private func pay(
        _ request: AcquirerRequest, _ fields: ChargeFields, _ secrets: [Redacted<String>],
        within budget: UpstreamBudget
    ) async -> AcquirerOutcome {
        let reply = await self.calls.asPartner(within: budget) { client throws(ClientError) in
            try client.charge(fields)
        }
        switch reply {
        case .notProcessed(let not): return .notProcessed(not)
        case .unknown(let unknown): return .unknown(unknown)
        case .answered(let answer):
            return await self.outcome(request, answer, secrets, within: budget)
        }
    }

    private func outcome(
        _ request: AcquirerRequest, _ answer: TapPayAnswer, _ secrets: [Redacted<String>],
        within budget: UpstreamBudget
    ) async -> AcquirerOutcome {
        let words = AnswerWords(json: answer.json, secrets: self.account.secrets + secrets)
        if let name = words.name, name != request.operationID.shortName {
            return .unclear("answer_about_another_trade")
        }
        let memo = AcquirerMemo(trade: words.trade)
        switch answer.meaning {
        case .done: return self.approval(request, words, memo)
        case .declined(let reason): return .declined(self.decline(words, reason, memo))
        case .bankFailed:
            // The issuer's own word is final; the bank's failure alone is not.
            guard let code = words.resultCode, let reason = DeclineReason(issuerResponseCode: code) else {
                return await self.lookUp(
                    request, secrets, orElse: .unclear(answer.word), within: budget, reason: .systemError)
            }
            return .declined(self.decline(words, reason, memo))
        case .notProcessed(let reason): return .notProcessed(NotProcessed(reason, answer.word))
        // The bank or the trade has the name already: from an earlier try of this very operation.
        case .nameUsed: return await self.lookUp(request, secrets, orElse: .unclear(answer.word), within: budget)
        case .primeNotTaken:
            let refusal = NotProcessed(.tokenRefused, answer.word)
            return await self.lookUp(request, secrets, orElse: .notProcessed(refusal), within: budget)
        case .open(let reason):
            var unknown = UnknownOutcome(reason, answer.word)
            unknown.memo = memo
            return .unknown(unknown)
        case .tokenNotTaken, .wrongState, .notCapturedYet, .notUnderstood: return .unclear(answer.word)
        }
    }

    private func approval(
        _ request: AcquirerRequest, _ words: AnswerWords, _ memo: AcquirerMemo
    ) -> AcquirerOutcome {
        guard words.trade != nil, words.name == request.operationID.shortName else {
            return .unclear("answer_about_another_trade")
        }
        guard words.money("amount", words.currency) == request.amount else {
            return .unclear("answer_about_another_amount")
        }
        return .approved(AcquirerApproval(amount: request.amount, answer: words.answer, memo: memo))
    }

    private func decline(_ words: AnswerWords, _ reason: DeclineReason, _ memo: AcquirerMemo) -> AcquirerDecline {
        AcquirerDecline(
            reason: DeclineReason(words.resultCode, orElse: reason), answer: words.refusal, memo: memo)
    }

    // MARK: - What has become of it before

    /// - Parameters:
    ///   - absent: the outcome where TapPay knows no such payment.
    ///   - reason: of a decline for which the record has no code.
    private func lookUp(
        _ request: AcquirerRequest, _ secrets: [Redacted<String>], orElse absent: AcquirerOutcome,
        within budget: UpstreamBudget, reason: DeclineReason = .unspecified
    ) async -> AcquirerOutcome {
        switch await self.findTrade(named: request.operationID.shortName, within: budget, secrets: secrets) {
        case .none: return absent
        case .unknown(let unknown): return .unknown(unknown)
        case .found(let record):
            switch record.outcome(of: request.amount, orElse: reason) {
            case .approved(let approval): return .approved(approval)
            case .declined(let decline): return .declined(decline)
            case .accepted(let acceptance): return .accepted(acceptance)
            case .reversed:
                return .declined(
                    AcquirerDecline(
                        reason: reason == .unspecified ? .invalidOperation : reason, answer: record.answer,
                        memo: AcquirerMemo(trade: record.trade)))
            case .notFound: return absent
            case .unknown(let unknown): return .unknown(unknown)
            }
        }
    }
}
