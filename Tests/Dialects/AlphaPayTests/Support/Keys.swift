//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CryptoExtras

/// The test merchant's key pair and the gateway's: made once, since making RSA keys takes time.
enum Keys {
    private static let merchantResult = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
    private static let gatewayResult = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    static var merchant: _RSA.Signing.PrivateKey { get throws { try Self.merchantResult.get() } }
    static var gateway: _RSA.Signing.PrivateKey { get throws { try Self.gatewayResult.get() } }
}
