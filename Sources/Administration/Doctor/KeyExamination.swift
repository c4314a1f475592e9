//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
import Payments
import Time

extension Administration {
    /// How far back refused tokens are looked at: a wallet that still seals for an old key pays within a day.
    private static let refusedTokensSeconds: Int64 = 86_400
    private static let refusedTokensMax = 1000

    /// The keys of tokens that were refused of late because nobody could open them, against those that are held:
    /// whose they are says what went wrong.
    ///
    /// - Parameters:
    ///   - merchant: whose calls; everybody's for `nil`.
    ///   - namesOthers: whether another merchant whose key it is may be named, to whoever sees him.
    func examineRefusedTokens(of merchant: Merchant?, namesOthers: Bool = true) async throws -> [Finding] {
        let since = self.now().adding(seconds: -Self.refusedTokensSeconds)
        let merchantID = merchant?.id
        let (calls, credentials, names) = try await self.read { reader in
            let calls = try reader.refusedCalls(
                RefusedCallQuery(
                    merchantID: merchantID, stage: .keySelection, from: since, limit: Self.refusedTokensMax))
            guard !calls.isEmpty else { return ([RefusedCall](), [AppleCredential](), [MerchantID: String]()) }
            return (
                calls, try reader.appleCredentials(of: nil).filter { $0.purpose == .paymentProcessing },
                try Self.merchantNames(in: reader)
            )
        }
        let sealed = Dictionary(grouping: calls) { SealedFor(merchantID: $0.merchantID, hash: $0.publicKeyHash ?? "") }
        var findings: [Finding] = []
        for (key, refused) in sealed.sorted(by: { $0.key.hash < $1.key.hash }) where !key.hash.isEmpty {
            let holders = credentials.filter { $0.id == key.hash }
            let name = key.merchantID.flatMap { names[$0] }
            let trouble = KeyTrouble(
                holders, merchantID: key.merchantID, names: names,
                sees: { namesOthers && self.authority.sees($0) })
            // What has been put in use since is no trouble any more.
            if let trouble { findings.append(trouble.finding(key.hash, refused, merchant: name)) }
        }
        if findings.isEmpty {
            findings.append(
                Finding(
                    .certificate, "keys_known", .good, merchant: merchant?.name,
                    "No token of the last 24 hours was refused for its key.", because: KeyTrouble.reason))
        }
        return findings
    }
}

/// Whose call it was, and which key its token was sealed for.
private struct SealedFor: Hashable {
    let merchantID: MerchantID?
    let hash: String
}

/// Whose key it is that tokens are sealed for and nobody opens them with.
private enum KeyTrouble {
    case retired(AppleCredential)
    case notInUse(AppleCredential)
    case ofOther(merchant: String, AppleCredential)
    /// Of a merchant of whom whoever asks may not know.
    case ofUnseen
    case unknown

    static let reason = "Wallets seal for the key of the certificate that Apple has for the merchant identifier."

    /// - Returns: `nil` where the merchant holds the key and opens with it now.
    init?(
        _ holders: [AppleCredential], merchantID: MerchantID?, names: [MerchantID: String],
        sees: (MerchantID) -> Bool
    ) {
        let own = holders.filter { $0.merchantID == merchantID }
        if own.contains(where: \.isInUse) { return nil }
        if let retired = own.first(where: { $0.state == .retired && $0.certificatePEM != nil }) {
            self = .retired(retired)
        } else if let idle = own.first {
            self = .notInUse(idle)
        } else if let other = holders.first(where: { sees($0.merchantID) }) {
            self = .ofOther(merchant: names[other.merchantID] ?? other.merchantID.text, other)
        } else {
            self = holders.isEmpty ? .unknown : .ofUnseen
        }
    }

    func finding(_ hash: String, _ refused: [RefusedCall], merchant: String?) -> Finding {
        let (code, text, advice) = self.words
        let tokens = refused.count == 1 ? "A token was" : "\(refused.count) tokens were"
        var command = ["refusals", "list", "--key", hash]
        if let merchant { command += ["--merchant", merchant] }
        if case .retired(let credential) = self, let merchant {
            command = ["certificate", "activate", "--merchant", merchant, String(credential.id.prefix(8))]
        }
        if case .notInUse(let credential) = self, credential.state == .imported, let merchant {
            command = ["certificate", "activate", "--merchant", merchant, String(credential.id.prefix(8))]
        }
        return Finding(
            .certificate, code, .warning, merchant: merchant, subject: hash,
            "\(tokens) refused in the last 24 hours: sealed for the key \(hash.prefix(16))…, \(text)",
            because: Self.reason, advice: advice, command: command)
    }

    private static let ofOtherCode = "wrong_key_of_other_merchant"
    private static let ofOtherAdvice =
        "The shop pays with another merchant's identifier: compare the merchant identifier in its page or app."

    private var words: (code: String, text: String, advice: String) {
        switch self {
        case .retired(let credential):
            (
                "wrong_key_retired", "which was retired (\(credential.merchantIdentifier)).",
                "At Apple's developer portal the old certificate is still the active one: activate the new one there, or this "
                    + "one here until then."
            )
        case .notInUse(let credential):
            (
                "wrong_key_not_in_use", "which is held and not in use (\(credential.merchantIdentifier)).",
                credential.state == .imported
                    ? "Activate its certificate." : "Import the certificate that Apple issued for it."
            )
        case .ofOther(let merchant, let credential):
            (
                Self.ofOtherCode, "which is \(merchant)'s (\(credential.merchantIdentifier)).",
                Self.ofOtherAdvice
            )
        case .ofUnseen: (Self.ofOtherCode, "which is another merchant's.", Self.ofOtherAdvice)
        case .unknown:
            (
                "wrong_key_unknown", "which was never here.",
                "Apple has another certificate for the merchant identifier than those imported here, or the shop uses another "
                    + "identifier: compare both at Apple's developer portal."
            )
        }
    }
}
