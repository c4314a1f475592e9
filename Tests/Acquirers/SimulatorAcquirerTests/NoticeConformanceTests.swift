//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerConformance
import Money
import Payments
import Redaction
import SimulatorAcquirer
import Testing

@Suite("The simulator's notices pass the suite of every connector's")
struct NoticeConformanceTests {
    private static let secret = Redacted("a secret of the account")

    static func account(_ secret: Redacted<String>) -> OpenedAcquirerAccount {
        OpenedAcquirerAccount(
            AcquirerAccount(
                id: AcquirerAccountID(at: Desk.now, random: [1]), merchantID: Desk.merchantID(1), name: "play",
                connector: AcquirerName("simulator"), mode: .sandbox, createdAt: Desk.now),
            secrets: [SimulatorNotice.secretName: secret])
    }

    private static func call(_ json: String) -> NoticeCall {
        let body = Array(json.utf8)
        return NoticeCall(
            headers: [SimulatorNotice.signatureHeader: SimulatorNotice.signature(of: body, secret: self.secret)],
            body: body)
    }

    /// Of operations that the simulator has booked: one of each event that it reports of such.
    private static let genuine: @Sendable () async throws -> [GenuineNotice] = {
        let sale = try Desk()
        let declined = try Desk(payment: 2)
        _ = await sale.authorize(5000, captures: true)
        _ = await declined.authorize(5757)
        let amount = #"{"minorUnits": 5000, "currency": "CAD"}"#
        let approval = await sale.query(0)
        return [
            (sale, #""event": "approved", "amount": \#(amount)"#),
            (sale, #""event": "changed""#),
            (sale, #""event": "chargeback", "amount": \#(amount), "fee": \#(amount), "reference": "cb-1""#),
            (sale, #""event": "chargebackReversed", "chargeback": "cb-1", "reference": "cb-2""#),
            (declined, #""event": "declined", "reason": "doNotHonor""#),
            (declined, #""event": "failed", "reason": "doNotHonor", "reference": "late-1""#),
        ].map { (desk: Desk, event: String) in (desk.authorizationID, event, desk === sale) }
            .map { id, event, isSale in
                GenuineNotice(
                    Self.call(#"{"operation": "\#(id)", \#(event)}"#), of: id,
                    found: isSale
                        ? approval
                        : .declined(AcquirerDecline(reason: .doNotHonor, answer: AcquirerAnswer())))
            }
    }

    private static func suite(
        _ connector: any Connector, proof: NoticeProof = .header(SimulatorNotice.signatureHeader, .signature),
        genuine: @escaping @Sendable () async throws -> [GenuineNotice] = Self.genuine
    ) -> AcquirerNoticeConformance {
        AcquirerNoticeConformance(
            connector: connector, account: self.account(self.secret), another: self.account(Redacted("another")),
            proof: proof, genuine: genuine)
    }

    @Test(arguments: AcquirerNoticeLaw.allCases)
    func keeps(_ law: AcquirerNoticeLaw) async throws {
        try await Self.suite(SimulatorConnector(book: try .inMemory())).check(law)
    }

    /// The operation by a name of the simulator's, which the memo has.
    @Test func namesItsOperationByAHandle() async throws {
        let id = OperationID(at: Desk.now, random: [7])
        let suite = { (handles: Set<String>) in
            Self.suite(SimulatorConnector(book: try .inMemory())) {
                [
                    GenuineNotice(
                        Self.call(#"{"handle": "sim-1", "event": "changed"}"#), of: id, handles: handles,
                        found: .notFound)
                ]
            }
        }
        try await suite(["sim-1"]).check(.namesItsOperation)
        await #expect(throws: AcquirerNoticeLawBroken.self) { try await suite(["sim-2"]).check(.namesItsOperation) }
    }

    // MARK: - The suite itself finds what is wrong

    private static let brokenByFlaw: [(NoticeFlaw, [AcquirerNoticeLaw])] = [
        (.namesAnother, [.namesItsOperation]),
        (.namesShortlyUnannounced, [.namesItsOperation]),
        (.turnsEndsAround, [.agreesWithTheQuery]),
        (.halvesAmounts, [.agreesWithTheQuery]),
        (.answersWithFailure, [.isAnsweredWithSuccess]),
        (.inventsReferences, [.readsAlikeAgain]),
        (.comparesTheBeginning, [.refusesWrongProof]),
        (.takesMissingProof, [.refusesMissingProof]),
        (.takesAnyAccount, [.refusesProofOfAnotherAccount]),
        (.readsWithoutProof, [.refusesWrongProof, .refusesMissingProof, .believesNothingThatIsNotSigned]),
        (.refusesWithSuccess, [.refusesWrongProof, .refusesMissingProof, .garbageIsNotAccepted]),
        (.acceptsGarbage, [.garbageIsNotAccepted, .believesNothingThatIsNotSigned]),
        (
            .refusesEverything,
            [
                .namesItsOperation, .agreesWithTheQuery, .isAnsweredWithSuccess, .readsAlikeAgain,
                .believesNothingThatIsNotSigned,
            ]
        ),
    ]

    @Test(arguments: brokenByFlaw.flatMap { flaw, laws in laws.map { (flaw, $0) } })
    func findsFlaw(_ flaw: NoticeFlaw, _ law: AcquirerNoticeLaw) async throws {
        let suite = Self.suite(FlawedNotices(flaw, SimulatorConnector(book: try .inMemory()), Self.secret))
        let broken = await #expect(throws: AcquirerNoticeLawBroken.self) { try await suite.check(law) }
        #expect(broken?.law == law)
    }

    /// The simulator's own readings, taken for such as nothing proves.
    @Test func findsWhoBelievesTheUnproven() async throws {
        let suite = Self.suite(SimulatorConnector(book: try .inMemory()), proof: .none)
        let broken = await #expect(throws: AcquirerNoticeLawBroken.self) {
            try await suite.check(.unprovenIsAReasonToAsk)
        }
        #expect(broken?.law == .unprovenIsAReasonToAsk)
    }

    /// Where nothing is proven, the laws about proofs are nobody's, and who only asks keeps the law.
    @Test(arguments: AcquirerNoticeLaw.allCases)
    func asksNoProofOfNoticesThatHaveNone(_ law: AcquirerNoticeLaw) async throws {
        let connector = FlawedNotices(.none, SimulatorConnector(book: try .inMemory()), Self.secret)
        try await Self.suite(connector, proof: .none).check(law)
    }

    @Test(arguments: AcquirerNoticeLaw.allCases.filter { $0 != .unprovenIsAReasonToAsk })
    func judgesNothingByNoNotices(_ law: AcquirerNoticeLaw) async throws {
        let suite = Self.suite(SimulatorConnector(book: try .inMemory())) { [] }
        let broken = await #expect(throws: AcquirerNoticeLawBroken.self) { try await suite.check(law) }
        #expect(broken?.found == "none")
    }

    /// A law that nothing can break would be no law.
    @Test func everyLawIsBrokenBySomething() {
        let broken = Set(Self.brokenByFlaw.flatMap(\.1)).union([.unprovenIsAReasonToAsk])
        #expect(Set(AcquirerNoticeLaw.allCases).subtracting(broken).isEmpty)
        #expect(Set(Self.brokenByFlaw.map(\.0)).union([.none]) == Set(NoticeFlaw.allCases))
    }
}
