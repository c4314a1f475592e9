//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CryptoExtras

/// A credential of the same shape that is another's.
enum WrongCredential {
    private static let key = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048).pkcs8PEMRepresentation }

    static func instead(of value: String) -> String {
        if value.contains("PRIVATE KEY"), let key = try? Self.key.get() { return key }
        let last = value.last == "0" ? "1" : "0"
        return value.dropLast() + last
    }
}
