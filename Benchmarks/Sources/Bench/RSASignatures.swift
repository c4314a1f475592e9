//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CryptoExtras
import Foundation

/// What AlphaPay's messages cannot do without: signatures of RSA-2048.
enum RSASignatures {
    /// What this machine's cores do when they do nothing but sign.
    static func perSecond() throws -> Double {
        let count = 400
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let message = Data(repeating: 0x31, count: 200)
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let seconds = Harness.seconds {
            DispatchQueue.concurrentPerform(iterations: cores) { _ in
                for _ in 0..<count { _ = try? key.signature(for: message, padding: .insecurePKCS1v1_5) }
            }
        }
        return Double(count * cores) / seconds
    }
}
