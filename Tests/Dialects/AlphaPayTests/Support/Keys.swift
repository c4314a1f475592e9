//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CryptoExtras
import Foundation
import WalletSimulator

/// The test merchant's key pair and the gateway's, and the authority of the test tokens: made once, since making RSA
/// keys takes time.
enum Keys {
    static let now = Date(timeIntervalSince1970: 1_781_524_800)  // 2026-06-15T12:00:00Z

    private static let merchantResult = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
    private static let gatewayResult = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
    private static let authorityResult = Result { try TestAuthority.make(now: Self.now) }

    static var merchant: _RSA.Signing.PrivateKey { get throws { try Self.merchantResult.get() } }
    static var gateway: _RSA.Signing.PrivateKey { get throws { try Self.gatewayResult.get() } }
    static var authority: TestAuthority { get throws { try Self.authorityResult.get() } }
}
