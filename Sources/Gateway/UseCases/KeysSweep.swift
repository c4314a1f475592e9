//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Logging
public import Payments

/// Seals everything in the store anew under the data key that seals now, in bounded batches, beside any number of
/// gateways.
///
/// Nothing is remembered between batches but a place, so that a sweep that was cut short is simply begun again: what
/// it has done is passed over. Each value is written only if it still is what was read; one that somebody has changed
/// meanwhile was sealed by him, and if that was under an old key the next sweep finds it.
public struct KeySweep: Sendable {
    /// How many values have been sealed anew.
    public private(set) var resealedCount = 0
    /// Values that do not open, by the kind of their place: damaged, or moved. They stay as they are.
    public private(set) var damagedCounts: [SealedPlace.Kind: Int] = [:]

    private let gateway: Gateway
    private let batchCount: Int
    private var kinds = SealedPlace.Kind.allCases[...]
    /// Of the first of the kinds; `nil` before they are looked up.
    private var keyIDs: [String]?
    private var place: SealedPlace?

    @_spi(Administration)
    public init(_ gateway: Gateway, batchCount: Int = 64) {
        self.gateway = gateway
        self.batchCount = batchCount
    }

    /// Sweeps to the end.
    ///
    /// - Parameter progress: called with how many values have been sealed anew, after every batch.
    public mutating func run(progress: (Int) -> Void = { _ in }) async throws {
        while try await self.step() { progress(self.resealedCount) }
    }

    /// Does one batch.
    ///
    /// - Returns: whether there is more to do.
    public mutating func step() async throws -> Bool {
        guard let kind = self.kinds.first else { return false }
        let vault = self.gateway.vault
        let keyIDs = try await self.oldKeys(kind)
        guard let keyID = keyIDs.first else {
            self.kinds = self.kinds.dropFirst()
            self.keyIDs = nil
            return !self.kinds.isEmpty
        }
        let (after, limit) = (self.place, self.batchCount)
        let page = try await self.gateway.store.read {
            try $0.sealedValues(kind, under: keyID, after: after, limit: limit)
        }
        guard let last = page.last else {
            self.keyIDs = Array(keyIDs.dropFirst())
            self.place = nil
            return true
        }
        var changes: [(SealedValue, SealedBytes)] = []
        for value in page {
            do {
                let context = Gateway.context(of: value.place)
                let resealed = try await self.gateway.withFreshKeys {
                    try vault.resealed(value.bytes, context: context)
                }
                changes.append((value, resealed))
            } catch is VaultError {
                self.damagedCounts[kind, default: 0] += 1
                self.gateway.logger.error("a sealed value does not open", metadata: ["kind": "\(kind)"])
            }
        }
        self.resealedCount += try await self.write(changes)
        self.place = last.place
        return true
    }

    /// The keys but the current one under which values of a kind are sealed. One is asked for after the other, so that what
    /// has been sealed anew is not walked over again.
    private mutating func oldKeys(_ kind: SealedPlace.Kind) async throws -> [String] {
        if let keyIDs = self.keyIDs { return keyIDs }
        let keyIDs = try await self.gateway.store.read { try $0.sealingKeys(kind) }
        let old = keyIDs.filter { $0 != self.gateway.vault.currentKeyID }
        self.keyIDs = old
        return old
    }

    private func write(_ changes: [(SealedValue, SealedBytes)]) async throws -> Int {
        guard !changes.isEmpty else { return 0 }
        return try await self.gateway.store.write { transaction in
            for keyID in Set(changes.map(\.1.keyID)) { try transaction.holdDataKey(keyID) }
            return try changes.count { try transaction.reseal($0, as: $1) }
        }
    }
}

extension Gateway {
    /// What is authenticated with a sealed value: what it is for and whose it is.
    static func context(of place: SealedPlace) -> String {
        switch place {
        case .accountSecret(let merchant, let dialect, let name): "account/\(merchant)/\(dialect)/\(name)"
        case .appleCredential(let merchant, let id): "apple-credential/\(merchant)/\(id)"
        case .acquirerSecret(let account, let name): "acquirer/\(account)/\(name)"
        case .keptItem(let name): "kept/\(name.merchantID)/\(name.dialect)/\(name.kind)/\(name.id)"
        case .acquirerMemo(let operation, let part): "memo/\(operation)/\(part.rawValue)"
        case .secondFactor(let person): "second-factor/\(person)"
        case .approvalContent(let approval, let part): "approval/\(approval)/\(part.rawValue)"
        case .storeSecret(let name): "store/\(name)"
        }
    }
}
