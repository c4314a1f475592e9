//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What can be said about a token without any key: its parts, its certificates, and the outcome of every check.
///
/// It runs the checks of the verifier, and where the verifier stops at the first failure, it goes on as far as the
/// checks do not depend on each other. It decides nothing: only ``TokenVerifier`` makes a token that can be opened.
public struct TokenInspection: Sendable {
    public enum Outcome: String, Hashable, Sendable {
        case passed
        case failed
        /// Not reached, because a check before it failed.
        case skipped
    }

    /// One check and how it went.
    public struct Finding: Hashable, Sendable {
        public let check: TokenCheck
        public let outcome: Outcome
        /// What is true, what is wrong, or why nothing can be said.
        public let sentence: String
        /// The verifier's error, when the check failed.
        public let error: TokenError?
    }

    /// One part of the token, by the path of its member, with what may be shown of it.
    public struct Part: Hashable, Sendable {
        /// E.g. "header.ephemeralPublicKey".
        public let name: String
        /// E.g. "91 bytes".
        public let value: String
    }

    /// One certificate of the signature.
    public struct CertificateSummary: Hashable, Sendable {
        public enum Role: String, Hashable, Sendable {
            case leaf
            case intermediate
            case root
            case unknown
        }

        public let role: Role
        public let subject: String
        public let issuer: String
        /// Lower-case hexadecimal.
        public let serialNumber: String
        public let notBefore: Date
        public let notAfter: Date
        public let keyAlgorithm: String
        /// Those of Apple's marker extensions that are there, dotted.
        public let markers: [String]
        public let bytesCount: Int
    }

    public let parts: [Part]
    public let certificates: [CertificateSummary]
    /// When the token says that it was signed; nil if it does not say so legibly.
    public let signingTime: Date?
    /// The root to which it chains, if all checks passed.
    public let anchor: TrustAnchor?
    /// One for each ``TokenCheck``, in its order.
    public let findings: [Finding]

    /// Whether the verifier would let the token pass.
    public var isSound: Bool { self.findings.allSatisfy { $0.outcome == .passed } }

    /// Inspects the text of a token; whatever is wrong with it becomes a finding.
    ///
    /// - Parameters:
    ///   - verifier: Its trust roots and its policy are used; its cache is not.
    ///   - now: The time of the check.
    public init(
        parsing bytes: some Collection<UInt8>, with verifier: TokenVerifier, at now: Date,
        expecting expectations: TokenExpectations = .none
    ) {
        do throws(TokenError) {
            self.init(try UnverifiedToken(parsing: bytes), with: verifier, at: now, expecting: expectations)
        } catch {
            var notes = FindingCollector()
            notes.note(.tokenFormat, failed: error)
            self.init(parts: [], certificates: [], signingTime: nil, anchor: nil, findings: notes.all)
        }
    }

    /// Inspects a token that has been read.
    public init(
        _ token: UnverifiedToken, with verifier: TokenVerifier, at now: Date,
        expecting expectations: TokenExpectations = .none
    ) {
        var notes = FindingCollector()
        notes.note(.tokenFormat)
        let examination = verifier.examination(of: token, at: now, expecting: expectations, cache: nil)
        // The collector never lets an error through, so `try?` can lose none.
        let outcome = (try? examination.run(&notes)) ?? nil
        let signedData = try? SignedData(parsing: token.signature)
        self.init(
            parts: Part.list(token, signedData),
            certificates: signedData.map(CertificateSummary.list) ?? [],
            signingTime: signedData?.attributes.signingTime.date,
            anchor: outcome?.anchor, findings: notes.all)
    }

    private init(
        parts: [Part], certificates: [CertificateSummary], signingTime: Date?, anchor: TrustAnchor?, findings: [Finding]
    ) {
        self.parts = parts
        self.certificates = certificates
        self.signingTime = signingTime
        self.anchor = anchor
        self.findings = findings
    }
}

/// Takes notes of each check and lets the sequence go on.
private struct FindingCollector: CheckObserver {
    private var findings: [TokenCheck: TokenInspection.Finding] = [:]

    mutating func check<Result>(
        _ check: TokenCheck, _ body: () throws(TokenError) -> Result
    ) throws(TokenError) -> Result? {
        do throws(TokenError) {
            let result = try body()
            self.note(check)
            return result
        } catch {
            self.note(check, failed: error)
            return nil
        }
    }

    mutating func note(_ check: TokenCheck, failed error: TokenError? = nil) {
        self.findings[check] = TokenInspection.Finding(
            check: check, outcome: error == nil ? .passed : .failed, sentence: error?.message ?? check.meaning,
            error: error)
    }

    /// Every check, those that were not reached included.
    var all: [TokenInspection.Finding] {
        TokenCheck.allCases.map { check in
            self.findings[check]
                ?? TokenInspection.Finding(
                    check: check, outcome: .skipped,
                    sentence: "Not checked, because a check that comes before it failed.", error: nil)
        }
    }
}
