//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import SwiftASN1

/// The certificates of a token by their role. Apple's markers decide the role, never the place in the set.
struct CertificateSet {
    let leaf: TokenCertificate
    let intermediate: TokenCertificate

    /// Exactly one leaf and one intermediate. A root is tolerated when it has no marker, and ignored: trust comes from
    /// the anchors.
    init(_ signedData: SignedData) throws(TokenError) {
        var leaves: [TokenCertificate] = []
        var intermediates: [TokenCertificate] = []
        var others: [TokenCertificate] = []
        for range in signedData.certificates {
            let certificate = try TokenCertificate(
                Array(signedData.bytes[range]), code: .certificateMalformed, stage: .chain)
            switch (certificate.has(.appleTokenLeaf), certificate.has(.appleTokenIntermediate)) {
            case (true, true):
                throw TokenError(
                    .markerAmbiguous, .chain, "A certificate bears the markers of the leaf and of the intermediate.")
            case (true, false): leaves.append(certificate)
            case (false, true): intermediates.append(certificate)
            case (false, false): others.append(certificate)
            }
        }
        self.leaf = try CertificateSet.only(
            leaves, "leaf (extension 1.2.840.113635.100.6.29)", missing: .leafMissing, repeated: .leafRepeated)
        self.intermediate = try CertificateSet.only(
            intermediates, "intermediate (extension 1.2.840.113635.100.6.2.14)",
            missing: .intermediateMissing, repeated: .intermediateRepeated)
        guard others.allSatisfy(\.isSelfIssued) else {
            throw TokenError(
                .certificateSuperfluous, .chain,
                "A certificate in the signature bears no marker of Apple's and is no root.")
        }
    }

    private static func only(
        _ certificates: [TokenCertificate], _ role: String, missing: TokenError.Code, repeated: TokenError.Code
    ) throws(TokenError) -> TokenCertificate {
        guard let first = certificates.first else {
            throw TokenError(missing, .chain, "No certificate in the signature bears the marker of the \(role).")
        }
        guard certificates.count == 1 else {
            throw TokenError(
                repeated, .chain,
                "\(certificates.count) certificates in the signature bear the marker of the \(role); exactly one "
                    + "is expected."
            )
        }
        return first
    }
}
