//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON
import Synchronization
import WalletSimulator

/// Something that must never be seen, under a name that may.
public struct Secret: Hashable, Sendable {
    public let name: String
    public let bytes: [UInt8]

    public init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    public init(_ name: String, _ text: String) {
        self.init(name, Array(text.utf8))
    }
}

/// Every secret that a test gateway has had to do with: what was minted, what accounts and credentials were given, the
/// master key, and what a test adds.
public final class SecretsJar: Sendable {
    private let kept = Mutex<Set<Secret>>([])

    public init() {}

    public var secrets: [Secret] { self.kept.withLock { $0.sorted { $0.name < $1.name } } }

    public func keep(_ secret: Secret) {
        self.kept.withLock { _ = $0.insert(secret) }
    }

    /// The lines of a PEM's body, each on its own, because nothing says that a leak would be a whole one.
    func keep(pem: String, as name: String) {
        for line in pem.split(separator: "\n") where line.count > 40 && !line.hasPrefix("-----") {
            self.keep(Secret(name, String(line)))
        }
    }

    func keep(_ token: MintedToken, card: SimulatedCard) {
        self.keep(Secret("card number", card.dpan))
        self.keep(Secret("token data", token.parts.data))
        self.keep(Secret("token signature", token.parts.signature))
        self.keep(Secret("token plaintext", token.parts.plaintext))
        let payment = (try? JSON.parse(token.parts.plaintext))?["paymentData"]
        for name in ["onlinePaymentCryptogram", "emvData", "encryptedPINData"] {
            if let text = payment?[name]?.string { self.keep(Secret("cryptogram", text)) }
        }
    }
}
