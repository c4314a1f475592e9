//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// Data keys, what is sealed under them, and the audit log.
extension MemoryReading {
    func dataKeys() throws -> [SealedDataKey] {
        self.state.dataKeys.values.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    func sealingKeys(_ kind: SealedPlace.Kind) throws -> [String] {
        Set(self.sealedValues(kind).map(\.bytes.keyID)).sorted()
    }

    func sealedCount(under keyID: String, max: Int) throws -> Int {
        let all = SealedPlace.Kind.allCases.flatMap(self.sealedValues)
        return min(all.count { $0.bytes.keyID == keyID }, Swift.max(0, max))
    }

    func sealedValues(
        _ kind: SealedPlace.Kind, under keyID: String, after place: SealedPlace?, limit: Int
    ) throws -> [SealedValue] {
        let fitting = self.sealedValues(kind)
            .filter { $0.bytes.keyID == keyID && (place.map(Self.key) ?? "") < Self.key(of: $0.place) }
            .sorted { Self.key(of: $0.place) < Self.key(of: $1.place) }
        return Array(fitting.prefix(max(0, limit)))
    }

    private func sealedValues(_ kind: SealedPlace.Kind) -> [SealedValue] {
        switch kind {
        case .accountSecret:
            self.state.accounts.values.flatMap { account in
                account.secrets.map { name, bytes in
                    SealedValue(
                        place: .accountSecret(account.merchantID, account.dialect, name: name), bytes: bytes)
                }
            }
        case .appleCredential:
            self.state.credentials.values.map {
                SealedValue(place: .appleCredential($0.merchantID, id: $0.id), bytes: $0.sealedPrivateKey)
            }
        case .acquirerSecret:
            self.state.acquirerAccounts.values.flatMap { account in
                account.secrets.map { SealedValue(place: .acquirerSecret(account.id, name: $0), bytes: $1) }
            }
        case .acquirerMemo:
            self.state.memos.values.map {
                SealedValue(place: .acquirerMemo($0.operationID, $0.part), bytes: $0.content)
            }
        case .keptItem: self.state.keptItems.values.map { SealedValue(place: .keptItem($0.name), bytes: $0.content) }
        case .secondFactor:
            self.state.secondFactors.values.map { SealedValue(place: .secondFactor($0.personID), bytes: $0.content) }
        case .approvalContent:
            self.state.approvalContents.values.map {
                SealedValue(place: .approvalContent($0.approvalID, $0.part), bytes: $0.content)
            }
        case .storeSecret:
            self.state.storeSecrets.map { SealedValue(place: .storeSecret(name: $0.key), bytes: $0.value) }
        }
    }

    /// Orders the places of one kind.
    private static func key(of place: SealedPlace) -> String {
        let parts =
            switch place {
            case .accountSecret(let merchant, let dialect, let name): [dialect.text, merchant.text, name]
            case .appleCredential(let merchant, let id): [merchant.text, id]
            case .acquirerSecret(let account, let name): [account.text, name]
            case .acquirerMemo(let operation, let part): [operation.text, part.rawValue]
            case .keptItem(let name): [name.merchantID.text, name.dialect.text, name.kind, name.id]
            case .secondFactor(let person): [person.text]
            case .approvalContent(let approval, let part): [approval.text, part.rawValue]
            case .storeSecret(let name): [name]
            }
        return " " + parts.joined(separator: "\u{1F}")
    }

    func storeSecret(_ name: String) throws -> SealedBytes? { self.state.storeSecrets[name] }

    func auditEntries(after number: Int64, limit: Int) throws -> [AuditEntry] {
        let entries = self.state.auditEntries.values.filter { $0.number > number }.sorted { $0.number < $1.number }
        return Array(entries.prefix(max(0, limit)))
    }

    func lastAuditEntry() throws -> AuditEntry? { self.state.auditEntries[Int64(self.state.auditEntries.count)] }
}

extension MemoryTransaction {
    func insert(_ dataKey: SealedDataKey) throws {
        guard self.state.dataKeys[dataKey.id] == nil else { throw StoreError.duplicate("data key id") }
        self.put(dataKey, dataKey.id, in: \.dataKeys)
    }

    func update(_ dataKey: SealedDataKey) throws {
        guard let stored = self.state.dataKeys[dataKey.id] else { return }
        let changed = SealedDataKey(id: stored.id, box: dataKey.box, createdAt: stored.createdAt)
        self.put(changed, stored.id, in: \.dataKeys)
    }

    func holdDataKey(_ id: String) throws {
        guard self.state.dataKeys[id] != nil else { throw StoreError.dataKeyGone }
    }

    func deleteDataKey(_ id: String) throws -> Bool {
        guard try self.sealedCount(under: id, max: 1) == 0 else { return false }
        self.put(nil, id, in: \.dataKeys)
        return true
    }

    func reseal(_ value: SealedValue, as bytes: SealedBytes) throws -> Bool {
        switch value.place {
        case .accountSecret(let merchant, let dialect, let name):
            let key = MemoryState.AccountKey(dialect: dialect, merchantID: merchant)
            guard let account = self.state.accounts[key], account.secrets[name] == value.bytes else { return false }
            var secrets = account.secrets
            secrets[name] = bytes
            let changed = MerchantAccount(
                merchantID: merchant, dialect: dialect, key: account.key, aliases: account.aliases,
                settings: account.settings, secrets: secrets)
            self.put(changed, key, in: \.accounts)
        case .appleCredential(let merchant, let id):
            let key = MemoryState.CredentialKey(merchantID: merchant, id: id)
            guard let stored = self.state.credentials[key], stored.sealedPrivateKey == value.bytes else { return false }
            let changed = AppleCredential(
                id: id, merchantID: merchant, purpose: stored.purpose, merchantIdentifier: stored.merchantIdentifier,
                certificatePEM: stored.certificatePEM, notAfter: stored.notAfter, sealedPrivateKey: bytes,
                createdAt: stored.createdAt, state: stored.state)
            self.put(changed, key, in: \.credentials)
        case .acquirerSecret(let id, let name):
            guard var account = self.state.acquirerAccounts[id], account.secrets[name] == value.bytes else {
                return false
            }
            account.secrets[name] = bytes
            self.put(account, id, in: \.acquirerAccounts)
        case .keptItem(let name):
            guard let stored = self.state.keptItems[name], stored.content == value.bytes else { return false }
            let changed = KeptItem(
                name: name, content: bytes, version: stored.version, createdAt: stored.createdAt,
                expiresAt: stored.expiresAt)
            self.put(changed, name, in: \.keptItems)
        case .acquirerMemo(let operation, let part):
            let key = MemoryState.MemoKey(operationID: operation, part: part)
            guard let stored = self.state.memos[key], stored.content == value.bytes else { return false }
            let changed = StoredMemo(
                operationID: operation, part: part, paymentID: stored.paymentID, content: bytes,
                keptSeconds: stored.keptSeconds)
            self.put(changed, key, in: \.memos)
        case .secondFactor(let person):
            guard let stored = self.state.secondFactors[person], stored.content == value.bytes else { return false }
            let changed = SecondFactor(
                personID: person, content: bytes, confirmedAt: stored.confirmedAt, lastStep: stored.lastStep,
                recoveryDigests: stored.recoveryDigests, createdAt: stored.createdAt)
            self.put(changed, person, in: \.secondFactors)
        case .approvalContent(let approval, let part):
            guard try self.approvalContent(part, of: approval)?.content == value.bytes else { return false }
            let changed = ApprovalContent(approvalID: approval, part: part, content: bytes)
            self.put(changed, MemoryState.ApprovalPart(approvalID: approval, part: part), in: \.approvalContents)
        case .storeSecret(let name):
            guard self.state.storeSecrets[name] == value.bytes else { return false }
            self.put(bytes, name, in: \.storeSecrets)
        }
        return true
    }

    func insertStoreSecret(_ name: String, _ bytes: SealedBytes) throws {
        guard self.state.storeSecrets[name] == nil else { throw StoreError.duplicate("store secret") }
        self.put(bytes, name, in: \.storeSecrets)
    }

    func append(_ entry: AuditEntry) throws {
        guard entry.follows(try self.lastAuditEntry()) else { throw StoreError.conflict }
        self.put(entry, entry.number, in: \.auditEntries)
    }
}
