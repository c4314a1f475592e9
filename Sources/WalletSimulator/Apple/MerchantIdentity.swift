//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import Foundation
import SwiftASN1
import X509

/// Who a TLS client is that has shown a Merchant Identity Certificate, as far as the test authority vouches for it.
struct MerchantIdentity {
    /// "merchant.com.example".
    let merchantIdentifier: String

    /// SHA-256 of the identifier: 64 upper-case hexadecimal digits, as Apple's sessions and errors write it.
    var hash: String { Self.hash(of: self.merchantIdentifier) }

    static func hash(of merchantIdentifier: String) -> String {
        Hex.encode(Array(SHA256.hash(data: Array(merchantIdentifier.utf8))), isUpperCase: true)
    }

    /// `nil` unless the certificate was issued by the authority to a merchant, for TLS clients, and is valid now.
    init?(certificateDER: [UInt8], authority: TestAuthority, now: Date) {
        guard let certificate = try? Certificate(derEncoded: certificateDER) else { return nil }
        let issuer = authority.merchantIntermediateCertificate
        guard certificate.issuer == issuer.subject,
            issuer.publicKey.isValidSignature(certificate.signature, for: certificate),
            certificate.notValidBefore <= now, now <= certificate.notValidAfter,
            (try? certificate.extensions.extendedKeyUsage)?.contains(.clientAuth) == true,
            let identifier = Self.userIdentifier(of: certificate.subject), !identifier.isEmpty,
            Self.merchantIdentifierHash(in: certificate) == Self.hash(of: identifier)
        else { return nil }
        self.merchantIdentifier = identifier
    }

    private static func userIdentifier(of subject: DistinguishedName) -> String? {
        for part in subject {
            for attribute in part where attribute.type == CertificateOID.userIdentifier {
                return String(attribute.value)
            }
        }
        return nil
    }

    /// The extension's value is a UTF8String of 64 digits: `0C 40 …`.
    private static func merchantIdentifierHash(in certificate: Certificate) -> String? {
        guard let value = certificate.extensions[oid: AppleOID.merchantIdentifierHash]?.value,
            value.count == 66, value.starts(with: [BER.Tag.utf8String, 0x40])
        else { return nil }
        return String(validating: value.dropFirst(2), as: UTF8.self)?.uppercased()
    }
}
