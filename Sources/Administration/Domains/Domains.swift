//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
public import Payments
import Time

/// The domains on which merchants show the Apple Pay button. They are the store's, so that every node serves the same
/// files.
extension Administration {
    /// All domains, by their names; with a merchant, those of his alone.
    ///
    /// - Throws: `StoreError`.
    public func domains(of merchant: MerchantID? = nil) async throws -> [RegisteredDomain] {
        try await self.read { reader in
            let merchants = try Self.merchantsByID(in: reader)
            let all = try reader.domains(of: nil)
            let own = merchant.map { id in Set(all.filter { $0.merchantID == id }.map(\.name)) }
            return Dictionary(grouping: all, by: \.name).sorted { $0.key < $1.key }
                .filter { own?.contains($0.key) ?? true }.compactMap { RegisteredDomain($0.value, merchants) }
        }
    }

    /// A domain, and all who have registered it.
    ///
    /// - Returns: `nil` if nobody has.
    /// - Throws: `StoreError`.
    public func domain(_ host: WellKnownHost) async throws -> RegisteredDomain? {
        try await self.read { try Self.domain(host, in: $0) }
    }

    public static func domain(_ host: WellKnownHost, in reader: any StoreReader) throws -> RegisteredDomain? {
        let registrations = try reader.domains(named: host.name)
        guard !registrations.isEmpty else { return nil }
        return RegisteredDomain(registrations, try self.merchantsByID(in: reader))
    }

    /// Whether a merchant has registered a domain.
    ///
    /// - Throws: `StoreError`.
    public func hasDomain(_ host: WellKnownHost, _ merchant: MerchantID) async throws -> Bool {
        try await self.read { reader in
            try reader.domains(named: host.name).contains { $0.merchantID == merchant }
        }
    }

    /// Registers a domain, or puts a new file in the place of the merchant's earlier one.
    ///
    /// - Parameter bytes: the file as Apple gave it.
    /// - Returns: the domain, with the file that is served; ``RegisteredDomain/asRegistered(by:)`` has the merchant's own.
    /// - Throws: ``AdministrationError`` `domain_file_malformed`; `domain_taken` when the domain serves another merchant's
    ///   file, because there is only one address for it, which a sandbox merchant keeps no live one from;
    ///   `merchant_unknown`, `merchant_closed`; `StoreError`.
    @discardableResult
    public func addDomain(
        _ host: WellKnownHost, to merchant: MerchantID, file bytes: [UInt8]
    ) async throws -> RegisteredDomain {
        let file = try Self.associationFile(bytes)
        let now = self.gateway.now()
        return try await self.gateway.administer(AuditDraft(.domainAdd, host.name)) { transaction, entry in
            let owner = try Self.openMerchant(merchant, in: transaction)
            try self.checkDomain(host, file: file, of: merchant, owner.mode, in: transaction)
            entry.details["merchant"] = owner.name
            let earlier = try transaction.domains(named: host.name).first { $0.merchantID == merchant }
            entry.isNothing = earlier?.file == file
            if !entry.isNothing {
                try transaction.upsert(
                    MerchantDomain(
                        merchantID: merchant, name: host.name, file: file, registeredAt: earlier?.registeredAt ?? now))
            }
            guard let domain = try Self.domain(host, in: transaction) else { throw Self.unknownDomain(host, owner) }
            return domain
        }
    }

    /// Says why ``addDomain(_:to:file:)`` would be refused, and does nothing.
    ///
    /// - Parameter merchant: `nil` for one that is yet to be made.
    /// - Throws: ``AdministrationError``, `StoreError`.
    public func checkDomain(
        _ host: WellKnownHost, file bytes: [UInt8], of merchant: MerchantID?, _ mode: Mode
    ) async throws {
        let file = try Self.associationFile(bytes)
        try await self.read { try self.checkDomain(host, file: file, of: merchant, mode, in: $0) }
    }

    /// Takes a merchant off a domain; with the last one the file is served no more.
    ///
    /// - Returns: the domain as it was.
    /// - Throws: ``AdministrationError`` `domain_unknown`, `merchant_unknown`; `StoreError`.
    @discardableResult
    public func removeDomain(_ host: WellKnownHost, of merchant: MerchantID) async throws -> RegisteredDomain {
        try await self.gateway.administer(AuditDraft(.domainRemove, host.name)) { transaction, entry in
            let owner = try Self.merchant(merchant, in: transaction)
            let registrations = try transaction.domains(named: host.name)
            guard registrations.contains(where: { $0.merchantID == merchant }),
                let domain = RegisteredDomain(registrations, try Self.merchantsByID(in: transaction))
            else { throw Self.unknownDomain(host, owner) }
            entry.details["merchant"] = owner.name
            try transaction.deleteDomain(named: host.name, of: merchant)
            return domain
        }
    }

    /// Keeps what was found when a domain was looked at from outside. It is no act of anybody's, and stands in no log.
    ///
    /// - Parameter findings: about the domain; of several, the worst is kept.
    /// - Returns: the domain with it; `nil` if it is gone.
    /// - Throws: `StoreError`.
    @discardableResult
    public func noteCheck(of host: WellKnownHost, _ findings: [Finding]) async throws -> RegisteredDomain? {
        let now = self.gateway.now()
        let worst = findings.filter { $0.subject == host.name }.max { $0.severity < $1.severity }
        return try await self.gateway.store.write { transaction in
            if let worst {
                let check = MerchantDomain.Check(
                    at: now, isGood: worst.severity <= .notice, code: worst.code, text: worst.text,
                    advice: worst.advice)
                for var registration in try transaction.domains(named: host.name) {
                    registration.check = check
                    try transaction.upsert(registration)
                }
            }
            return try Self.domain(host, in: transaction)
        }
    }

    // MARK: - Rules

    private static func associationFile(_ bytes: [UInt8]) throws(AdministrationError) -> String {
        guard (1...RegisteredDomain.fileBytesMax).contains(bytes.count),
            let file = String(validating: bytes, as: UTF8.self), !file.utf8.contains(0)
        else {
            throw AdministrationError(
                .domainFileMalformed,
                "The file must be the text that Apple gives for the domain, at most \(RegisteredDomain.fileBytesMax) bytes."
            )
        }
        return file
    }

    private func checkDomain(
        _ host: WellKnownHost, file: String, of merchant: MerchantID?, _ mode: Mode, in reader: any StoreReader
    ) throws {
        let merchants = try Self.merchantsByID(in: reader)
        // A sandbox merchant's file would never be served beside a live one's other. What stands for one in a sandbox need not be.
        let modes: Set<Mode> = Array(file.utf8) == RegisteredDomain.standIn(for: host) ? [mode] : [mode, .live]
        let others = try reader.domains(named: host.name).filter { other in
            other.merchantID != merchant && (merchants[other.merchantID].map { modes.contains($0.mode) } ?? false)
        }
        guard others.allSatisfy({ $0.file == file }) else {
            // Whoever may know of some of the holders alone is named none: that there are more is no business of his.
            let isNamed = others.allSatisfy { self.authority.sees($0.merchantID) }
            let holders =
                isNamed
                ? others.compactMap { merchants[$0.merchantID]?.name }.sorted().joined(separator: ", ")
                : "another merchant"
            throw AdministrationError(
                .domainTaken,
                "\(host.name) already serves the file of \(holders). Merchants share a domain only with the same file.")
        }
    }

    private static func unknownDomain(_ host: WellKnownHost, _ merchant: Merchant) -> AdministrationError {
        AdministrationError(
            .domainUnknown, "\(host.name) is not registered for \(merchant.name). See: pomona domain list")
    }
}
