//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import AppleSessions
import Gateway
import Payments
import Probes

/// All that is looked at, for the command, and for whoever shows the same while a gateway runs.
struct Examiner: Sendable {
    let directory: DataDirectory
    var apple: AppleExamination
    var domains: DomainExamination
    /// Whether sandbox merchants ask the simulated Apple, which knows the wallet simulator's certificates.
    var asksSimulator = false

    init(directory: DataDirectory, apple: AppleSessionSettings, surroundings: Surroundings) {
        self.directory = directory
        self.apple = AppleExamination(settings: apple, clock: surroundings.clock)
        self.domains = DomainExamination(reach: .anywhere(), clock: surroundings.clock)
    }

    /// - Parameters:
    ///   - merchant: the only one that is looked at; all for `nil`.
    ///   - isOffline: whether acquirers, Apple and domains are left alone.
    /// - Throws: `StoreError`, ``CommandFailure``.
    func findings(
        _ administration: Administration, _ merchant: Merchant? = nil, isOffline: Bool = false
    ) async throws -> [Finding] {
        var findings = try await administration.examine(merchant, asksAcquirers: !isOffline)
        findings += try await self.simulatorFindings(administration, merchant)
        guard !isOffline else { return findings }
        findings += try await self.appleFindings(administration, merchant)
        var domains = try await administration.domains(of: merchant?.id)
        // Who asks of one merchant hears of no other that has the same domain.
        if let merchant { domains = domains.map { $0.of([merchant.name]) } }
        findings += await self.domains.findings(domains)
        return findings
    }

    /// A directory of a second node, or one that was restored from the store and the master key alone, has no authority.
    private func simulatorFindings(_ administration: Administration, _ merchant: Merchant?) async throws -> [Finding] {
        guard !FileSystem.exists(self.directory.trustRootPath) else { return [] }
        let merchants = try await administration.read { reader in try merchant.map { [$0] } ?? reader.merchants() }
        guard merchants.contains(where: { $0.mode == .sandbox && $0.state == .active }) else { return [] }
        return [
            Finding(
                .directory, "simulator_authority_missing", .warning, merchant: merchant?.name,
                subject: self.directory.authorityPath,
                "There are sandbox merchants, and no wallet simulator's authority in \(self.directory.authorityPath).",
                because:
                    "The gateway refuses tokens of simulated wallets (root_untrusted); those of Apple's own sandbox it takes.",
                advice:
                    "Copy the folder authority from the directory that has it: another node's, a backup's. Where none has, "
                    + "pomona setup makes one with a sandbox merchant. A gateway that serves finds it by itself.")
        ]
    }

    private func appleFindings(_ administration: Administration, _ merchant: Merchant?) async throws -> [Finding] {
        let merchants = try await administration.read { reader in
            try merchant.map { [$0] } ?? reader.merchants().filter { $0.state == .active }
        }
        var findings: [Finding] = []
        var asked: Set<String> = []
        for merchant in merchants {
            var identities = try await administration.merchantIdentities(of: merchant)
            let asksSimulator = self.asksSimulator && merchant.mode == .sandbox
            if asksSimulator {
                identities += try await administration.merchantIdentities(of: merchant, bySimulator: true)
            }
            // Who has no identity is shown to Apple by the platform integrator, if anybody; whom one look suffices for.
            if identities.isEmpty {
                for bySimulator in asksSimulator ? [false, true] : [false] {
                    let platform = try await administration.platformIdentity(
                        for: merchant.mode, bySimulator: bySimulator)
                    if let platform, asked.insert("\(platform.mode) \(platform.merchantIdentifier)").inserted {
                        identities.append(platform)
                    }
                }
            }
            let inChina = try await administration.isInChina(merchant)
            findings += await self.apple.findings(identities, of: merchant.name, inChina: inChina)
        }
        // One clock is enough of what several merchants' requests have said.
        var clocks: Set<String> = []
        return findings.filter { $0.area != .clock || clocks.insert($0.subject ?? "").inserted }
    }
}
