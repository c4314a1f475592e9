//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A token whose signature, chain and age have been verified. Only ``TokenVerifier`` makes one.
public struct VerifiedToken: Sendable {
    let token: UnverifiedToken
    /// When the device's payment was signed, in whole seconds.
    public let signingTime: Date
    /// The root that vouches for it: Apple's, or one that the caller trusts.
    public let anchor: TrustAnchor
    /// The common name of the leaf that signed it: "ecc-smp-broker-sign_UC4-PROD", or "…-SANDBOX" in Apple's own
    /// sandbox.
    public let signerName: String?
    /// SHA-256 of the DER of the leaf that signed it, and of the intermediate that issued that.
    public let chainDigests: (leaf: [UInt8], intermediate: [UInt8])
    /// Whether its hash of the request's application data was compared with data that the verifier was given.
    public let isOfExpectedApplicationData: Bool

    init(token: UnverifiedToken, outcome: TokenExamination.Outcome, expecting expectations: TokenExpectations) {
        self.token = token
        self.signingTime = outcome.signingTime.date
        self.anchor = outcome.anchor
        self.signerName = outcome.signerName
        self.chainDigests = (Array(outcome.certificates.leaf), Array(outcome.certificates.intermediate))
        self.isOfExpectedApplicationData = expectations.applicationData != nil
    }

    public var version: TokenVersion { self.token.version }

    public var header: TokenHeader { self.token.header }

    /// What the device says about the card; not covered by the signature.
    public var paymentMethod: TokenPaymentMethod? { self.token.paymentMethod }

    /// SHA-256 of what was signed, 32 bytes: the key of replay protection, beside the transaction's identifier.
    ///
    /// What Apple signs has no boundaries between data, identifier and hash of the application data. A token that is cut
    /// elsewhere (its hash as its identifier, and that as the end of its data) still verifies, under another identifier,
    /// and only who opens it sees that its data is not what was sealed. This digest is the same for every cut.
    public var signedContentDigest: [UInt8] { self.token.signedContentDigest }

    /// The token as it came, for an acquirer that opens tokens itself.
    public var sealed: UnverifiedToken { self.token }
}

extension VerifiedToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        "VerifiedToken(\(self.version), transactionId: \(self.header.transactionIdentifierText), "
            + "signed: \(Instant(self.signingTime).text), anchor: \(self.anchor.label))"
    }

    public var debugDescription: String { self.description }

    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
