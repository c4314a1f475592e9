//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The four stages that a token goes through, as the exchange shows them.
enum TokenStages {
    static let signature = "Signature"
    static let chain = "Certificate chain"
    static let time = "Signing time"
    static let decryption = "Decryption"

    /// What is known of a token that the shop has never seen: TapPay gives a prime for none that fails, and the payment
    /// knows the device account that was in it.
    static func behindPrime(_ instrument: String) -> [ExchangeEntry] {
        [
            (self.signature, "The signature covers this token's key, data and header."),
            (self.chain, "The signer's certificates lead to a root that is trusted here."),
            (self.time, "The certificates were valid at the signing time, and the token was young enough."),
            (self.decryption, "The merchant's key opened it: device account \(instrument)."),
        ].map { title, sentence in
            var entry = ExchangeEntry(.token, title)
            entry.remark = "Checked before the SDK got its prime."
            entry.checks = [ExchangeEntry.Check(.passed, sentence)]
            return entry
        }
    }
}
