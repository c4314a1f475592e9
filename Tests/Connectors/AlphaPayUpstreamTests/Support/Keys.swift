//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CryptoExtras

/// The merchant's keys and AlphaPay's: made once, since making RSA keys takes time.
enum Keys {
    typealias Pair = _RSA.Signing.PrivateKey

    private static let pairs = Result { try (0..<5).map { _ in try Pair(keySize: .bits2048) } }

    static var merchant: Pair { get throws { try Self.pairs.get()[0] } }
    /// The merchant's next one.
    static var nextMerchant: Pair { get throws { try Self.pairs.get()[1] } }
    static var gateway: Pair { get throws { try Self.pairs.get()[2] } }
    static var nextGateway: Pair { get throws { try Self.pairs.get()[3] } }
    /// Nobody's.
    static var stranger: Pair { get throws { try Self.pairs.get()[4] } }
}
