//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import BaseEncoding
import Foundation
import Payments
import Synchronization
import Time

/// What the verification of a token showed, for whoever looks at its payment later: nothing of the card, no signature, no
/// key.
struct TokenProof: Hashable, Sendable {
    /// By the names that `Observation.facts` has them under.
    var facts: [String: String]

    init(_ token: VerifiedToken, isOpened: Bool) {
        let chain = token.chainDigests
        var checks = TokenCheck.allCases.filter { $0 != .applicationData || token.header.applicationDataHash != nil }
            .map(\.rawValue)
        if isOpened { checks += ["key_selection", "decryption"] }
        self.facts = [
            "version": "\(token.version)", "publicKeyHash": Hex.encode(token.header.publicKeyHash),
            "transactionId": token.header.transactionIdentifierText,
            "signedAt": Timestamp(seconds: Int64(token.signingTime.timeIntervalSince1970)).rfc3339Seconds,
            "leafDigest": Hex.encode(chain.leaf), "intermediateDigest": Hex.encode(chain.intermediate),
            "anchor": token.anchor.id, "checks": checks.joined(separator: " "),
        ]
        if isOpened { self.facts["opened"] = "yes" }
    }

    init?(facts: [String: String]) {
        guard !facts.isEmpty else { return nil }
        self.facts = facts
    }

    /// The key of ours that has opened it; `nil` where the acquirer does.
    var keyID: String? { self.facts["opened"] == nil ? nil : self.facts["publicKeyHash"] }
}

/// Which of merchants' keys have been seen in use within the last minute, by this process.
final class KeySightings: Sendable {
    private static let intervalMilliseconds: Int64 = 60_000

    private struct Place: Hashable {
        let merchant: MerchantID
        let key: String
    }

    private let seen = Mutex<[Place: Timestamp]>([:])

    /// Whether it is worth a row that the key is in use.
    func isDue(_ key: String, of merchant: MerchantID, at now: Timestamp) -> Bool {
        self.seen.withLock { seen in
            let place = Place(merchant: merchant, key: key)
            if let last = seen[place], (0..<Self.intervalMilliseconds).contains(now.milliseconds(since: last)) {
                return false
            }
            seen[place] = now
            return true
        }
    }
}

extension Gateway {
    /// What is written of a token beside its payment.
    static func observe(
        _ proof: TokenProof?, of payment: Payment, keyIsDue: Bool, at now: Timestamp,
        in transaction: any StoreTransaction
    ) throws {
        guard let proof else { return }
        try transaction.upsert(
            Observation(
                kind: .tokenProof, merchantID: payment.merchantID, subject: payment.id.text, number: 0, at: now,
                facts: proof.facts))
        guard keyIsDue, let key = proof.keyID else { return }
        try self.observeKey(key, of: payment.merchantID, at: now, in: transaction)
    }

    /// That a key has opened a token: when first, and when last.
    static func observeKey(
        _ key: String, of merchant: MerchantID, at now: Timestamp, in transaction: any StoreTransaction
    ) throws {
        let first = try transaction.observations(.keyUse, of: merchant, subject: key, limit: 1)
        for number in first.isEmpty ? [0, 1] : [1] {
            try transaction.upsert(
                Observation(kind: .keyUse, merchantID: merchant, subject: key, number: number, at: now))
        }
    }
}
