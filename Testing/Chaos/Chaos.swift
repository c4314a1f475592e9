//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import TestProcesses

/// Real processes under load, and what can befall them: killed, stopped, cut off from each other, with a full disk or a
/// wrong clock. What must hold afterwards is ``ChaosLaws``.
///
/// A run is made of epochs of ``ChaosSettings/faultsPerCheck`` faults. Each begins with an empty store and ends with
/// everything checked, so that a run may be as long as one likes.
public enum Chaos {
    /// - Throws: ``ChaosError`` and others when the run could not be made. What it found is in the report.
    public static func run(_ settings: ChaosSettings) async throws -> ChaosReport {
        let shim = try await FaultShim.build(source: settings.shimSource)
        defer { shim?.remove() }
        var settings = settings
        if shim == nil {
            for fault in settings.faults where fault.needsShim {
                settings.log("NOT DONE: \(fault.title): it takes Linux and a C compiler")
            }
            settings.faults.removeAll(where: \.needsShim)
        }
        guard !settings.faults.isEmpty else { throw ChaosError("There is no fault to inflict.") }
        var report = ChaosReport()
        report.seed = settings.seed
        var epoch: UInt64 = 0
        while report.faultsCount < settings.faultsCount, report.violations.isEmpty {
            var part = settings
            part.seed = settings.seed &+ epoch &* 1_000_003
            if !settings.services.isEmpty {
                part.services = [settings.services[Int(epoch) % settings.services.count]]
                settings.log("paid through \(part.services[0])")
            }
            if settings.behaviors.count > 1 {
                part.behaviors = [settings.behaviors[Int(epoch) % settings.behaviors.count]]
            }
            if let behavior = part.behaviors.first, behavior != .remembering {
                settings.log("the acquirer is \(behavior.rawValue)")
            }
            part.faultsCount = min(settings.faultsPerCheck, settings.faultsCount - report.faultsCount)
            let found = try await ChaosEpoch.run(part, shim)
            report.add(found)
            epoch += 1
            settings.log(
                "checked after \(report.faultsCount) faults: \(report.paymentsCount) payments, "
                    + "\(report.operationsCount) operations, \(report.lostCount) lost, \(report.doubledCount) doubled, "
                    + "\(report.violations.count) violations")
        }
        return report
    }

    /// Kills whatever runs have started, for a program that is asked to end.
    public static func abandon() { RunningProgram.killAll() }
}
