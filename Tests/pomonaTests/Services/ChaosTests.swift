//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Chaos
import Foundation
import Payments
import SQLiteStore
import SimulatorAcquirer
import TestShop
import Testing

/// The short run of script/chaos.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ChaosTests {
    @Test func nothingIsLostOnSQLite() async throws {
        try await Self.run(
            ChaosSettings(
                program: CliTool.pomona, seed: 5, store: .sqlite, nodesCount: 1, faultsCount: 6, shopsCount: 6,
                faults: [.killGateway, .killAcquirer, .acquirerWeather, .acquirerDuplicates, .killAll]))
    }

    @Test func nothingIsLostOnPostgreSQLWithTwoNodes() async throws {
        try await Self.run(
            ChaosSettings(
                program: CliTool.pomona, seed: 5, store: .postgresql, nodesCount: 2, faultsCount: 6, shopsCount: 6,
                faults: [.killGateway, .killDatabase, .databaseWeather, .killAcquirer, .freezeGateway]))
    }

    /// The deployment of docs/operations.md, with its very files: three databases, of which one takes another's place.
    @Test func nothingIsLostWhenAnotherDatabaseTakesOver() async throws {
        let files = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../ops/failover").standardized
        try await Self.run(
            ChaosSettings(
                program: CliTool.pomona, failoverSource: files, seed: 8, store: .replicated, nodesCount: 2,
                faultsCount: 3, shopsCount: 4, faults: [.killDatabase, .switchOver, .killBalancer]))
    }

    /// Through another gateway that speaks a service's API: three books instead of two.
    @Test func nothingIsLostOnTheWayThroughAService() async throws {
        try await Self.run(
            ChaosSettings(
                program: CliTool.pomona, seed: 6, store: .sqlite, services: ["radial"], nodesCount: 1, faultsCount: 4,
                shopsCount: 4, faults: [.killGateway, .killService, .noticesWeather, .freezeService]))
    }

    /// Upstreams that answer no queries, decide later, know operations by names of their own, or refuse repeats; without those
    /// that are only sure when a quiet time is over, which takes longer.
    @Test func nothingIsLostWhateverTheAcquirerIsLike() async throws {
        let behaviors: [ChaosBehavior] = [.silent, .deferring, .naming, .refusingRepeats]
        let report = try await Chaos.run(
            ChaosSettings(
                program: CliTool.pomona, seed: 7, store: .sqlite, behaviors: behaviors, nodesCount: 1,
                faultsCount: behaviors.count, shopsCount: 4, faultsPerCheck: 1,
                faults: [.killGateway, .acquirerWeather, .killAcquirer, .acquirerDuplicates]))
        #expect(report.violations.isEmpty, "\(report.lines.joined(separator: "\n"))")
        #expect(report.faultsCount >= behaviors.count)
        #expect(report.acknowledgedCount > 0 && report.lostCount == 0 && report.doubledCount == 0)
    }

    /// What the command line offers.
    @Test func everyBehaviorIsAmongAll() throws {
        let all = try #require(ChaosBehavior.named("all", seed: 1))
        let mixed = try #require(ChaosBehavior.named("mixed", seed: 1))
        #expect(all == ChaosBehavior.allCases)
        #expect(Set(mixed) == Set(all) && ChaosBehavior.named("mixed", seed: 1) == mixed)
        #expect(ChaosBehavior.named("silent", seed: 1) == [.silent])
        #expect(ChaosBehavior.named("devilish", seed: 1) == nil)
    }

    private static func run(_ settings: ChaosSettings) async throws {
        let report = try await Chaos.run(settings)
        #expect(report.violations.isEmpty, "\(report.lines.joined(separator: "\n"))")
        #expect(report.faults.count == settings.faults.count)
        #expect(report.acknowledgedCount > 0 && report.lostCount == 0 && report.doubledCount == 0)
    }

    /// The check itself: a shop that was answered what never happened, one that was answered two things, one that was
    /// answered nothing.
    @Test func findsWhatIsNotSo() async throws {
        let folder = try CliFolder()
        let store = try SQLiteStore.open(path: folder.file("store.sqlite"))
        let receipts = Receipts()
        for key in ["commweb/o1/1", "payone/o2/0", "radial/o3/0"] {
            receipts.begin(key, .authorization, minorUnits: 1000)
        }
        receipts.file(.approved, for: "commweb/o1/1")
        receipts.file(.notDone("declined"), for: "payone/o2/0")
        receipts.file(.approved, for: "payone/o2/0")
        let findings = try await ChaosLaws.check(
            store: store, book: SimulatorBook.inMemory(), receipts: receipts, webhooks: [:])
        #expect(findings.lostCount == 1)
        #expect(findings.violations.contains("commweb/o1/1 was acknowledged and is lost"))
        #expect(findings.violations.contains { $0.hasPrefix("payone/o2/0 was answered") })
        #expect(findings.violations.contains("radial/o3/0 has never got a definite answer"))
        #expect(findings.violations.count == 3)
        try await store.close()
    }
}
