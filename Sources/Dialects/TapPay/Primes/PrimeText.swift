//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import BaseEncoding
import Gateway
import Money
import Payments
import Redaction
import Time

/// A prime as pay-by-prime reads it: "test_" or "prod_", eight hexadecimal digits of the second at which it ends, and
/// 48 random ones.
struct PrimeText: Hashable, Sendable {
    /// What primes are kept as.
    static let kind = "prime"
    /// The length that the vendor allows.
    static let charactersMax = 71

    let text: String
    let mode: Mode
    let expiresAt: Timestamp

    /// What a prime is called in the store: it does not show the prime.
    static func storedName(of prime: String) -> String { Hex.encode(requestDigest(prime.utf8).prefix(20)) }

    /// - Returns: `nil` for what this gateway has never made.
    init?(_ text: String) {
        guard text.utf8.count == 61, text.utf8.dropFirst(5).allSatisfy(ASCII.isHexDigit) else { return nil }
        switch text.prefix(5) {
        case "test_": self.mode = .sandbox
        case "prod_": self.mode = .live
        default: return nil
        }
        guard let seconds = Int64(text.dropFirst(5).prefix(8), radix: 16) else { return nil }
        self.text = text
        self.expiresAt = Timestamp(seconds: seconds)
    }
}

extension PayByPrimeRequest {
    /// What is paid with. Whether it can still be, only the payment's own commit knows.
    ///
    /// - Parameter randomBytes: that many, for a published prime, which has no token of its own.
    func instrument(
        for merchant: Merchant, randomBytes: (Int) -> [UInt8]
    ) throws(TapPayFailure) -> AuthorizationInstrument {
        if let published = self.publishedPrime {
            guard merchant.mode == .sandbox else {
                throw TapPayFailure(
                    .invalidPrime, "This is the sandbox's test prime, and the partner key is a live one.")
            }
            try published.check(self.amount)
            return .opened(published.card(cryptogram: randomBytes(PublishedPrime.cryptogramBytesCount)))
        }
        guard let prime = PrimeText(self.prime) else {
            throw TapPayFailure(.invalidPrime, "The prime is none that this gateway has made.")
        }
        guard prime.mode == merchant.mode else {
            let (its, ours) = prime.mode == .sandbox ? ("sandbox", "live") : ("live", "sandbox")
            throw TapPayFailure(
                .invalidPrime,
                "This is a \(its) prime, and the partner key is a \(ours) one. Make the prime with the \(ours) app key."
            )
        }
        return .kept(kind: PrimeText.kind, id: PrimeText.storedName(of: prime.text))
    }

    var publishedPrime: PublishedPrime? { PublishedPrime(rawValue: self.prime) }

    /// What is said of a prime that is not kept, or not any more.
    func failure(_ refusal: GatewayRefusal, at now: Timestamp) -> TapPayFailure {
        CallNotes.note(refusal)
        switch refusal {
        case .keptTokenUnknown:
            if let prime = PrimeText(self.prime), prime.expiresAt <= now { return TapPayFailure(.expiredPrime) }
            return TapPayFailure(
                .invalidPrime, "There is no such prime, or it has been paid with. Ask the customer to pay again.")
        case .keptTokenExpired: return TapPayFailure(.expiredPrime)
        case .idempotencyConflict:
            return TapPayFailure(
                .invalidPrime, "The prime has been used with other contents. Every payment needs a new prime.")
        case .referenceTaken(let kind) where kind == TradeReference.bankTransactionID:
            return TapPayFailure(.duplicateBankTransactionID, "Every payment needs a bank_transaction_id of its own.")
        default: return TapPayFailure(backEnd: refusal)
        }
    }
}
