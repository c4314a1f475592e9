//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What an operator asks for beside the merchants: data keys and what is sealed under them, and the audit log.
public protocol AdministrationReading {
    /// Oldest first. The last one seals.
    func dataKeys() throws -> [SealedDataKey]
    /// The ids of the data keys under which values of a kind are sealed, whether or not the store has those keys.
    func sealingKeys(_ kind: SealedPlace.Kind) throws -> [String]
    /// How many values are sealed under a data key, counted up to a bound: there may be millions.
    func sealedCount(under keyID: String, max: Int) throws -> Int
    /// Values of a kind that are sealed under a data key, in an order of the store's own, from after a place on.
    func sealedValues(
        _ kind: SealedPlace.Kind, under keyID: String, after place: SealedPlace?, limit: Int
    ) throws -> [SealedValue]
    /// What the gateway keeps for itself under a name.
    func storeSecret(_ name: String) throws -> SealedBytes?

    func adminClaim(_ key: AdminClaim.Key) throws -> AdminClaim?

    /// Entries with a higher number, in the order of their numbers.
    func auditEntries(after number: Int64, limit: Int) throws -> [AuditEntry]
    /// The entry with the highest number. In a body of `write`, nobody else appends until it has ended.
    func lastAuditEntry() throws -> AuditEntry?
}
