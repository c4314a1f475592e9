//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import BaseEncoding
import Foundation
public import Payments
import Time

extension TokenProof {
    init(_ token: VerifiedToken, isOpened: Bool, at now: Timestamp) {
        let chain = token.chainDigests
        // A hash that nothing was compared with proves nothing.
        let passed =
            token.isOfExpectedApplicationData ? everyCheck : everyCheck & ~TokenCheck.applicationData.bit
        self.init(
            version: "\(token.version)",
            checks: passed | (isOpened ? OpeningCheck.bits : 0),
            verifiedAt: now, signedAt: Timestamp(seconds: Int64(token.signingTime.timeIntervalSince1970)),
            anchor: token.anchor.id, publicKeyHash: Hex.encode(token.header.publicKeyHash),
            leafDigest: Hex.encode(chain.leaf), intermediateDigest: Hex.encode(chain.intermediate),
            transactionIdentifier: token.header.transactionIdentifierText)
    }

    /// The key of ours that has opened it; `nil` where the acquirer does.
    var keyID: String? { self.checks & OpeningCheck.bits == 0 ? nil : self.publicKeyHash }

    /// The names of the checks that the token has passed, in their order: those of `TokenCheck`, and "key_selection" and
    /// "decryption" where it was opened here.
    @_spi(Administration) public var checkNames: [String] {
        TokenCheck.allCases.filter { self.checks & $0.bit != 0 }.map(\.rawValue)
            + OpeningCheck.allCases.filter { self.checks & $0.bit != 0 }.map(\.rawValue)
    }
}

private let everyCheck = TokenCheck.allCases.reduce(into: UInt32(0)) { $0 |= $1.bit }

/// What comes after the verification.
private enum OpeningCheck: String, CaseIterable {
    case keySelection = "key_selection"
    case decryption

    static let bits = Self.allCases.reduce(into: UInt32(0)) { $0 |= $1.bit }

    var bit: UInt32 {
        switch self {
        case .keySelection: 1 << 30
        case .decryption: 1 << 31
        }
    }
}

extension TokenCheck {
    /// Where it stands in what is kept: for good, also when checks are added or taken away.
    fileprivate var bit: UInt32 {
        switch self {
        case .tokenFormat: 1 << 0
        case .cmsStructure: 1 << 1
        case .certificateSet: 1 << 2
        case .leafCertificate: 1 << 3
        case .intermediateCertificate: 1 << 4
        case .leafIssuer: 1 << 5
        case .trustAnchor: 1 << 6
        case .signerIdentifier: 1 << 7
        case .signatureAlgorithm: 1 << 8
        case .messageDigest: 1 << 9
        case .signature: 1 << 10
        case .certificateValidity: 1 << 11
        case .signingTimeWindow: 1 << 12
        case .applicationData: 1 << 13
        }
    }
}
