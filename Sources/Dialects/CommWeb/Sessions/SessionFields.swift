//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Redaction
import StrictJSON

// What a session takes of a request, and what it shows of it again.

extension RequestFields {
    /// What is not about the payment and is never kept. Among it are the parts of answers: a payer's device could
    /// otherwise write an approval or an error into what the merchant retrieves.
    private static let controlRoots: Set<Substring> = [
        "authorizationResponse", "error", "merchant", "response", "responseControls", "result", "session", "version",
    ]
    /// Of `sourceOfFunds` only this is kept: a field that nobody knows could hold a card's track.
    private static let sourcePaths: Set<String> = [
        "sourceOfFunds.type", CardFields.numberPath, CardFields.securityCodePath, CardFields.tokenPath,
        CardFields.cryptogramPath, CardFields.prefix + "nameOnCard", CardFields.prefix + "expiry.month",
        CardFields.prefix + "expiry.year", CardFields.devicePrefix + "cryptogramFormat",
        CardFields.devicePrefix + "eciIndicator", CardFields.nestedPrefix + "onlinePaymentCryptogram",
        CardFields.nestedPrefix + "eciIndicator",
    ]
    private static let secretPaths: Set<String> = [
        CardFields.numberPath, CardFields.securityCodePath, CardFields.tokenPath, CardFields.cryptogramPath,
        CardFields.nestedPrefix + "onlinePaymentCryptogram",
    ]

    /// The fields that a session keeps.
    var keptInSession: RequestFields {
        self.filter { path in
            guard let root = Self.root(of: path), !Self.controlRoots.contains(root) else { return false }
            return !path.hasPrefix("sourceOfFunds.") || Self.sourcePaths.contains(path)
        }
    }

    /// Whether a field says what is ordered, agreed or how it is paid, and not who pays with what.
    static func isOfOrder(_ path: String) -> Bool {
        path.hasPrefix("order.") || path.hasPrefix("transaction.") || path.hasPrefix("agreement.")
    }

    /// What a payer's device may say of the order, where the merchant has not: the fields of the seed's UPDATE SESSION, and
    /// what the order is called. Where notifications go, whether a part is enough or who began the payment is the merchant's.
    private static let payersPaths: Set<String> = [
        "order.amount", "order.currency", "order.description", "order.id", "order.reference", "order.walletProvider",
    ]

    /// Whether a payer's device may say so of the order, where the merchant has not said otherwise.
    func isPayers(_ path: String) -> Bool {
        if path == "transaction.source" { return self[path]?.string == "INTERNET" }
        return !Self.isOfOrder(path) || Self.payersPaths.contains(path)
    }

    /// Whether there is something to pay with.
    var hasPaymentDetails: Bool { Self.secretPaths.contains { self.contains($0) } }

    /// Whether that is more than the code of a card which is named elsewhere.
    var hasInstrument: Bool {
        Self.secretPaths.contains { $0 != CardFields.securityCodePath && self.contains($0) }
    }

    var withoutSourceOfFunds: RequestFields { self.filter { !$0.hasPrefix("sourceOfFunds.") } }

    /// The fields as they may be shown: the card's number masked, the rest of what is secret left out.
    var shown: AnswerFields {
        var answer = AnswerFields()
        for path in self.paths where !Self.secretPaths.contains(path) { answer[path] = self[path] }
        answer.set(CardFields.numberPath, self.maskedNumber)
        return answer
    }

    /// The fields after a payment: the number masked, cryptogram, token and security code gone.
    var spent: RequestFields {
        let rest = self.filter { !Self.secretPaths.contains($0) }
        return rest.setting(CardFields.numberPath, self.maskedNumber.map(JSON.string))
    }

    var maskedNumber: String? {
        let number = self[CardFields.numberPath]
        return (number?.string ?? number?.numberText).map(Self.masked)
    }

    static func masked(_ number: String) -> String {
        // What was spent is masked already.
        if number.contains("x") { return number }
        let mask = MaskedPAN(Redacted(number))
        return mask.length > 0 ? mask.description : String(repeating: "x", count: min(number.count, 19))
    }

    /// The first name of a path; `nil` for what is none: names of letters, digits and underscores, with dots between, which
    /// can be written as nested objects again.
    private static func root(of path: String) -> Substring? {
        guard path.utf8.count <= 200 else { return nil }
        let names = path.split(separator: ".", omittingEmptySubsequences: false)
        let isPath = names.allSatisfy { name in
            !name.isEmpty && name.utf8.allSatisfy { ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
        }
        return isPath ? names.first : nil
    }
}
