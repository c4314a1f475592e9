//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The laws of what an acquirer reports by itself: what every connector that takes notices must do, whoever sends them.
public enum AcquirerNoticeLaw: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    case namesItsOperation
    case agreesWithTheQuery
    case isAnsweredWithSuccess
    case readsAlikeAgain
    case refusesWrongProof
    case refusesMissingProof
    case refusesProofOfAnotherAccount
    case believesNothingThatIsNotSigned
    case unprovenIsAReasonToAsk
    case garbageIsNotAccepted

    public var description: String { self.rawValue }

    /// Whether notices with such a proof have to keep the law.
    func concerns(_ kind: NoticeProof.Kind) -> Bool {
        switch self {
        case .namesItsOperation, .agreesWithTheQuery, .isAnsweredWithSuccess, .readsAlikeAgain, .garbageIsNotAccepted:
            true
        case .refusesWrongProof, .refusesMissingProof, .refusesProofOfAnotherAccount: kind != .none
        case .believesNothingThatIsNotSigned: kind == .signature
        case .unprovenIsAReasonToAsk: kind == .none
        }
    }
}

/// A connector breaks a law about notices.
public struct AcquirerNoticeLawBroken: Error, Hashable, Sendable, CustomStringConvertible {
    public let law: AcquirerNoticeLaw
    /// What the law wants.
    public let wanted: String
    /// What the connector made of the call, in a word.
    public let found: String

    public var description: String { "\(self.law.rawValue): wanted \(self.wanted), found \(self.found)" }
}
