//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import SwiftASN1

/// Object identifiers that Apple's certificates bear, and those of a CMS signature.
enum AppleOID {
    /// Extension of the leaf that signs tokens (Payment token format reference).
    static let tokenSigningLeaf: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 29]
    /// Extension of the intermediate "Application Integration CA - G3" (Payment token format reference).
    static let applicationIntegrationIntermediate: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 14]
    /// Extension of the intermediate "Worldwide Developer Relations CA - G2", which issues merchants' certificates.
    static let developerRelationsIntermediate: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 15]
    /// Extension of merchants' certificates: SHA-256 of the merchant identifier.
    static let merchantIdentifierHash: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 32]
    /// An extension that means nothing, under the enterprise number for examples (RFC 5612).
    static let unknownExtension: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 32473, 1]
    /// Apple's certificate policy.
    static let certificatePolicy: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 5, 1]
}

/// RFC 5652, RFC 6211, RFC 5754, RFC 5758.
enum CMSOID {
    static let data: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 1]
    static let signedData: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 2]
    static let contentType: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 3]
    static let messageDigest: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 4]
    static let signingTime: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 5]
    static let algorithmProtection: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 52]
    /// An attribute that means nothing, under the enterprise number for examples (RFC 5612).
    static let unknownAttribute: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 32473, 2]
    static let sha256: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 1]
    static let sha384: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 2]
    static let ecdsaWithSHA256: ASN1ObjectIdentifier = [1, 2, 840, 10045, 4, 3, 2]
    static let ecdsaWithSHA384: ASN1ObjectIdentifier = [1, 2, 840, 10045, 4, 3, 3]
    static let sha256WithRSAEncryption: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 11]
    static let sha384WithRSAEncryption: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 12]
}

/// RFC 5280.
enum CertificateOID {
    static let userIdentifier: ASN1ObjectIdentifier = [0, 9, 2342, 19200300, 100, 1, 1]
    static let subjectKeyIdentifier: ASN1ObjectIdentifier = [2, 5, 29, 14]
    static let keyUsage: ASN1ObjectIdentifier = [2, 5, 29, 15]
    static let basicConstraints: ASN1ObjectIdentifier = [2, 5, 29, 19]
    static let revocationListDistributionPoints: ASN1ObjectIdentifier = [2, 5, 29, 31]
    static let certificatePolicies: ASN1ObjectIdentifier = [2, 5, 29, 32]
    static let authorityKeyIdentifier: ASN1ObjectIdentifier = [2, 5, 29, 35]
    static let extendedKeyUsage: ASN1ObjectIdentifier = [2, 5, 29, 37]
    static let authorityInformationAccess: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 1, 1]
    static let onlineStatus: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 48, 1]
    static let practiceStatement: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 2, 1]
    static let userNotice: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 2, 2]
    static let clientAuthentication: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 3, 2]
}
