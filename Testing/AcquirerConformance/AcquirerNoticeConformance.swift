//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
public import Payments
import TestRandom

/// The suite that every connector passes that takes notices. In a connector's tests:
///
/// ```swift
/// @Test(arguments: AcquirerNoticeLaw.allCases)
/// func keeps(_ law: AcquirerNoticeLaw) async throws {
///     try await AcquirerNoticeConformance(
///         connector: connector, account: account, another: another, proof: .header("x-signature", .signature)
///     ) { try await genuineNotices() }.check(law)
/// }
/// ```
///
/// A notice is the one thing that strangers can send to an account: what is believed of it is money.
public struct AcquirerNoticeConformance: Sendable {
    private let connector: any Connector
    private let account: OpenedAcquirerAccount
    private let another: OpenedAcquirerAccount
    private let proof: NoticeProof
    private let seed: UInt64
    private let genuine: @Sendable () async throws -> [GenuineNotice]

    /// - Parameters:
    ///   - account: whose notices the genuine ones are.
    ///   - another: an account of the same connector with other secrets.
    ///   - seed: of the garbage.
    ///   - genuine: notices as the acquirer sends them, at least one; called once a check.
    public init(
        connector: any Connector, account: OpenedAcquirerAccount, another: OpenedAcquirerAccount, proof: NoticeProof,
        seed: UInt64 = 1, genuine: @escaping @Sendable () async throws -> [GenuineNotice]
    ) {
        self.connector = connector
        self.account = account
        self.another = another
        self.proof = proof
        self.seed = seed
        self.genuine = genuine
    }

    /// Judges a connector by a law. One whose notices prove nothing keeps the laws about proofs.
    /// - Throws: ``AcquirerNoticeLawBroken``, or what the genuine notices throw.
    public func check(_ law: AcquirerNoticeLaw) async throws {
        guard law.concerns(self.proof.kind) else { return }
        let genuine = try await self.genuine()
        // A suite that judges nothing would pass.
        guard !genuine.isEmpty else { throw Self.broken(law, "a genuine notice", "none") }
        for notice in genuine {
            switch law {
            case .namesItsOperation: try self.namesItsOperation(notice)
            case .agreesWithTheQuery: try self.agreesWithTheQuery(notice)
            case .isAnsweredWithSuccess: try self.isAnsweredWithSuccess(notice)
            case .readsAlikeAgain: try self.readsAlikeAgain(notice)
            case .refusesWrongProof: try self.refusesWrongProof(notice)
            case .refusesMissingProof: try self.refusesMissingProof(notice)
            case .refusesProofOfAnotherAccount: try self.refusesProofOfAnotherAccount(notice)
            case .believesNothingThatIsNotSigned: try self.believesNothingThatIsNotSigned(notice)
            case .unprovenIsAReasonToAsk: try self.unprovenIsAReasonToAsk(notice)
            case .garbageIsNotAccepted: try self.garbageIsNotAccepted(notice)
            }
        }
    }

    // MARK: - Genuine notices

    private func namesItsOperation(_ genuine: GenuineNotice) throws {
        let (notices, _) = try self.accepted(genuine, .namesItsOperation)
        let namesShortly = try self.connector.open(self.account).capabilities.notifiesByShortName
        for notice in notices {
            let isKnown =
                switch notice.subject {
                case .operation(let id): id == genuine.operationID
                // Short names are looked up only where the capabilities announce them.
                case .shortName(let name): namesShortly && name == genuine.operationID.shortName
                case .handle(let handle), .latest(_, let handle): genuine.handles.contains(handle)
                case .request(let ordinal, let name):
                    namesShortly && ordinal == genuine.ordinal && genuine.shortNames.contains(name)
                }
            guard isKnown else {
                throw Self.broken(.namesItsOperation, "the operation, by a name that is known", "another name")
            }
        }
    }

    private func agreesWithTheQuery(_ genuine: GenuineNotice) throws {
        for notice in try self.accepted(genuine, .agreesWithTheQuery).notices {
            guard notice.event.agrees(with: genuine.found) else {
                throw Self.broken(.agreesWithTheQuery, "what the query says", "another end, or another amount")
            }
        }
    }

    private func isAnsweredWithSuccess(_ genuine: GenuineNotice) throws {
        let (_, answer) = try self.accepted(genuine, .isAnsweredWithSuccess)
        guard (200...299).contains(answer.status) else {
            throw Self.broken(.isAnsweredWithSuccess, "an answer of success", "HTTP \(answer.status)")
        }
    }

    /// By its reference a repeated notice is known: a chargeback would be booked twice.
    private func readsAlikeAgain(_ genuine: GenuineNotice) throws {
        let first = try self.accepted(genuine, .readsAlikeAgain)
        let second = try self.accepted(genuine, .readsAlikeAgain)
        guard first.notices == second.notices, first.answer == second.answer else {
            throw Self.broken(.readsAlikeAgain, "the same notices, with the same references", "others")
        }
    }

    private func accepted(
        _ genuine: GenuineNotice, _ law: AcquirerNoticeLaw
    ) throws -> (notices: [AcquirerNotice], answer: NoticeAnswer) {
        let reading = self.connector.read(genuine.call, for: self.account)
        guard case .notices(let notices, let answer)? = reading, !notices.isEmpty else {
            throw Self.broken(law, "a genuine notice accepted", Self.word(reading))
        }
        return (notices, answer)
    }

    // MARK: - Proofs

    private func refusesWrongProof(_ genuine: GenuineNotice) throws {
        guard let proof = self.proof.proof(of: genuine.call), !proof.isEmpty else {
            throw Self.broken(.refusesWrongProof, "a proof in a genuine notice", "none")
        }
        var wrong = proof.indices.flatMap { index in
            // A bit of the text; and another letter or digit, so that what is decoded is of the right alphabet.
            [proof[index] ^ 0x01, Self.neighbour(proof[index])].map { byte in
                var changed = proof
                changed[index] = byte
                return changed
            }
        }
        wrong += [[], Array(proof.dropLast()), Array(proof.dropFirst()), proof + Array("00".utf8), proof + proof]
        for wrong in wrong {
            try self.expectRefused(
                self.proof.call(genuine.call, with: wrong), self.account, .refusesWrongProof, "a wrong proof refused")
        }
    }

    private static func neighbour(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "9"): UInt8(ascii: "0")
        case UInt8(ascii: "f"), UInt8(ascii: "z"): UInt8(ascii: "a")
        case UInt8(ascii: "F"), UInt8(ascii: "Z"): UInt8(ascii: "A")
        default: byte &+ 1
        }
    }

    private func refusesMissingProof(_ genuine: GenuineNotice) throws {
        try self.expectRefused(
            self.proof.call(genuine.call, with: nil), self.account, .refusesMissingProof, "a missing proof refused")
    }

    private func refusesProofOfAnotherAccount(_ genuine: GenuineNotice) throws {
        try self.expectRefused(
            genuine.call, self.another, .refusesProofOfAnotherAccount, "another account's notice refused")
    }

    private func expectRefused(
        _ call: NoticeCall, _ account: OpenedAcquirerAccount, _ law: AcquirerNoticeLaw, _ wanted: String
    ) throws {
        let reading = self.connector.read(call, for: account)
        switch reading {
        // Such an account takes none.
        case nil: return
        case .refused(let answer, _):
            guard (400...599).contains(answer.status) else {
                throw Self.broken(law, "\(wanted) with an error", "HTTP \(answer.status)")
            }
        case .notices: throw Self.broken(law, wanted, Self.word(reading))
        }
    }

    /// What a changed byte makes of the call is refused, or it changed nothing that is read.
    private func believesNothingThatIsNotSigned(_ genuine: GenuineNotice) throws {
        let law = AcquirerNoticeLaw.believesNothingThatIsNotSigned
        let (notices, _) = try self.accepted(genuine, law)
        for changed in genuine.call.changes {
            guard case .notices(let others, _)? = self.connector.read(changed, for: self.account), others != notices
            else { continue }
            throw Self.broken(law, "a changed notice refused", "\(others.count) other notices")
        }
    }

    private func unprovenIsAReasonToAsk(_ genuine: GenuineNotice) throws {
        let law = AcquirerNoticeLaw.unprovenIsAReasonToAsk
        for call in [genuine.call] + genuine.call.changes {
            guard case .notices(let notices, _)? = self.connector.read(call, for: self.account) else { continue }
            guard notices.allSatisfy({ $0.event == .changed }) else {
                throw Self.broken(law, "a reason to ask", "an end that nobody has proven")
            }
        }
    }

    // MARK: - Garbage

    /// Neither by strangers nor under the proof of a genuine notice.
    private func garbageIsNotAccepted(_ genuine: GenuineNotice) throws {
        let law = AcquirerNoticeLaw.garbageIsNotAccepted
        var random = SeededRandom(seed: self.seed)
        for garbage in Garbage.all(&random) {
            for call in [
                NoticeCall(headers: [:], body: garbage),
                genuine.call.with(body: garbage),
                genuine.call.with(
                    headers: genuine.call.headers.mapValues { _ in String(decoding: garbage, as: UTF8.self) },
                    query: String(decoding: garbage, as: UTF8.self), body: garbage),
            ] {
                guard case .notices(let notices, _)? = self.connector.read(call, for: self.account), !notices.isEmpty
                else { continue }
                throw Self.broken(law, "nothing read from garbage", "\(notices.count) notices")
            }
            guard self.proof.kind != .none else { continue }
            try self.expectRefused(
                self.proof.call(genuine.call, with: garbage), self.account, law, "garbage refused as a proof")
        }
    }

    // MARK: - Words

    private static func broken(_ law: AcquirerNoticeLaw, _ wanted: String, _ found: String) -> AcquirerNoticeLawBroken {
        AcquirerNoticeLawBroken(law: law, wanted: wanted, found: found)
    }

    private static func word(_ reading: NoticeReading?) -> String {
        switch reading {
        case .notices(let notices, _): "\(notices.count) notices"
        case .refused(_, let word): "refused (\(word))"
        case nil: "nothing"
        }
    }
}

extension AcquirerNotice.Event {
    /// Whether an acquirer that answers a query so may report this.
    fileprivate func agrees(with found: AcquirerQueryOutcome) -> Bool {
        switch (self, found) {
        case (.changed, _): true
        case (.resolved(.approved(let reported)), .approved(let approval)): reported.amount == approval.amount
        case (.approvedAsAsked, .approved): true
        case (.resolved(.declined(let reported)), .declined(let decline)),
            (.declinedStillHeld(let reported), .declined(let decline)):
            reported.reason == decline.reason
        case (.resolved(.accepted), .accepted), (.resolved(.reversed), .reversed): true
        case (.failedLate, .declined), (.failedLate, .reversed): true
        case (.chargedBack(let amount, _), .approved(let approval)),
            (.chargedBackInAll(let amount), .approved(let approval)):
            amount.currency == approval.amount.currency && !(amount > approval.amount)
        case (.chargebackReversed, .approved): true
        // What is not there, or not known, is nothing that could be reported.
        default: false
        }
    }
}
