//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

/// What the value of a credential may be.
public enum CredentialForm: Hashable, Sendable {
    /// What may stand in a URL's path and in a form.
    case identifier(max: Int)
    case number(digits: ClosedRange<Int>)
    /// A password or a key that is compared.
    case secret
    case rsaPrivateKey
    case rsaPublicKey
    case certificate

    /// In the words of an error message.
    public var allowed: String {
        switch self {
        case .identifier(let max): "1 to \(max) letters, digits, hyphens and underscores"
        case .number(let digits) where digits.count == 1: "\(digits.lowerBound) digits, the first not 0"
        case .number(let digits): "\(digits.lowerBound) to \(digits.upperBound) digits, the first not 0"
        case .secret: "8 to 128 visible ASCII characters"
        case .rsaPrivateKey: "an RSA private key of at least 2048 bits, PEM"
        case .rsaPublicKey: "an RSA public key of at least 2048 bits, PEM"
        case .certificate: "a certificate, PEM"
        }
    }

    /// Whether nobody but its holder may see it.
    public var isSecret: Bool {
        switch self {
        case .secret, .rsaPrivateKey: true
        case .identifier, .number, .rsaPublicKey, .certificate: false
        }
    }

    public func fits(_ value: String, _ keys: AccountKeyTools) -> Bool {
        switch self {
        case .identifier(let max):
            (1...max).contains(value.utf8.count)
                && value.utf8.allSatisfy(ASCII.isNameCharacter)
        case .number(let digits):
            ASCII.isDigits(value, digits) && !value.hasPrefix("0")
        case .secret: (8...128).contains(value.utf8.count) && value.utf8.allSatisfy(ASCII.isVisible)
        case .rsaPrivateKey: keys.rsaKey(value) != nil
        case .rsaPublicKey: keys.rsaPublicKey(value) != nil
        case .certificate: keys.certificateSHA256(value) != nil
        }
    }
}
