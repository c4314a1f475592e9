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

/// The reply to an authorization, which is believed only where it is about this order and this amount.
struct AuthorizationReply {
    let reading: Reading
    let orderID: String
    let amount: Money
    /// What was sent and may stand nowhere in what is kept: the parts of the token, the keys.
    let secrets: [Redacted<String>]

    /// What decides, each of which a reply has at most once.
    private static let names = [
        "OrderId", "PaymentAccountUniqueId", "ResponseCode", "AuthorizationResponseCode", "BankAuthorizationCode",
        "AmountAuthorized", "TenderType",
    ]

    var outcome: AcquirerOutcome {
        guard case .xml(let xml) = self.reading.body, xml.root == "CreditCardAuthReply",
            Self.names.allSatisfy({ xml.count(of: $0) <= 1 })
        else { return .unclear("answer_unreadable") }
        guard xml["OrderId"] == self.orderID else { return .unclear("answer_about_another_order") }
        switch self.reading.outcome {
        case .approved: return self.approved(xml)
        // "Only orders with an approved or timeout response code are submitted": the order stands, and its funds are
        // confirmed later.
        case .pending: return self.accepted(xml, .unanswered)
        case .declined where self.reading.issuerCode == "NR01": return self.accepted(xml, .unanswered)
        case .accepted: return self.accepted(xml, nil)
        case .declined: return .declined(AcquirerDecline(reason: self.declineReason, answer: self.refusal))
        case .refused, .unknown: return .unclear("code_not_understood")
        }
    }

    private func approved(_ xml: XMLReply) -> AcquirerOutcome {
        guard self.reading.amount == self.amount else { return .unclear("answer_about_another_amount") }
        // Without both nothing can follow.
        guard let memo = self.memo(xml) else { return .unclear("approval_without_account") }
        return .approved(AcquirerApproval(amount: self.amount, answer: self.answer, memo: memo))
    }

    private func accepted(_ xml: XMLReply, _ standing: RadialNote.Standing?) -> AcquirerOutcome {
        var memo = self.memo(xml) ?? AcquirerMemo()
        if !memo.isEmpty { memo[RadialNote.standing] = standing?.rawValue }
        return .accepted(AcquirerAcceptance(self.answer, memo: memo))
    }

    /// What stands for the account in all that follows. "In the CreditCardAuthReply message, this attribute is always set
    /// to true": anything else would be the card's number.
    private func memo(_ xml: XMLReply) -> AcquirerMemo? {
        guard xml.attribute("isToken", of: RadialClient.account) == "true",
            let (account, tender) = RadialTender.account(self.reading.handle), self.isClean(account)
        else { return nil }
        var memo = AcquirerMemo(radialAccount: account, tender, of: self.orderID)
        memo[RadialClient.bankAuthorizationCode] = self.answer.authorizationCode
        return memo
    }

    // MARK: - Declines

    private var declineReason: DeclineReason {
        switch (self.reading.code, self.reading.issuerCode) {
        case ("DECLF", _): .insufficientFunds
        // A referral.
        case ("DECLR", _): .doNotHonor
        // What the customer typed does not fit.
        case ("AVS", _), ("CSC", _), ("AVSCSC", _): .unspecified
        // "Not acceptable": an invalid card, one that does not permit it, or no reason at all.
        case (_, "NC03"): .unspecified
        default: .doNotHonor
        }
    }

    // MARK: - What is kept

    private var answer: AcquirerAnswer {
        AcquirerAnswer(
            reference: self.orderID, authorizationCode: self.word(self.reading.authorizationCode, 1...6),
            responseCode: self.word(self.reading.issuerCode, 1...4) ?? self.word(self.reading.code, 1...24),
            addressCheck: self.addressCheck,
            securityCodeCheck: FieldText.whole(self.reading.securityCodeCheck, 1...1, where: ASCII.isCapital),
            fundingPANSuffix: FieldText.whole(self.reading["OriginalPanSuffix"], 4...4, where: ASCII.isDigit))
    }

    /// With Radial's own word, for which it has no sentence.
    private var refusal: AcquirerAnswer {
        var answer = self.answer
        answer.vendorCode = self.word(self.reading.code, 1...24)
        return answer
    }

    /// The network's letter. American Express's own stand there with an A before them.
    private var addressCheck: String? {
        let letters = FieldText.whole(self.reading.addressCheck, 1...2, where: ASCII.isCapital)
        guard let letters, letters.utf8.count == 2 else { return letters }
        return letters.hasPrefix("A") ? String(letters.suffix(1)) : nil
    }

    /// Letters, digits, hyphens and underscores. Anything else is not what was expected there, and nobody knows what it
    /// is.
    private func word(_ text: String?, _ lengths: ClosedRange<Int>) -> String? {
        guard let word = FieldText.whole(text, lengths, where: ASCII.isNameCharacter), self.isClean(word) else {
            return nil
        }
        return word
    }

    private func isClean(_ text: String) -> Bool {
        !self.secrets.contains { secret in
            let secret = secret.reveal()
            return !secret.isEmpty && (text.contains(secret) || secret.contains(text) && text.utf8.count >= 12)
        }
    }
}

enum RadialTender {
    /// The tender type under which wallets are authorized, and nothing else is done.
    static let digitalWallet = "DW"

    /// What stands for the account, and what it is, within the limits of the vendor's table.
    static func account(_ handle: [String: String]) -> (token: String, tenderType: String)? {
        let account = FieldText.whole(handle[RadialClient.account], 1...22, where: ASCII.isNameCharacter)
        let tender = FieldText.whole(handle[RadialClient.tenderType], 2...4, where: ASCII.isCapital)
        guard let account, let tender, tender != self.digitalWallet else { return nil }
        return (account, tender)
    }
}
