//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Time

extension Trial {
    private func key(_ id: String) -> SealedDataKey {
        SealedDataKey(id: id, box: self.make.bytes(60), createdAt: self.make.time())
    }

    /// A value sealed under a key in each kind of place.
    private func storeSealedValues(under keyID: String) async throws -> [SealedValue] {
        let merchant = try await self.storedMerchant()
        let (item, dialect) = (self.make.keptItem(of: merchant), self.make.dialect)
        var places: [SealedPlace] = [
            .accountSecret(merchant.id, dialect, name: "a"), .accountSecret(merchant.id, dialect, name: "b"),
            .appleCredential(merchant.id, id: "hash \(self.make.number())"), .keptItem(item.name),
            .storeSecret(name: "secret \(self.make.number())"),
            .acquirerSecret(self.make.accountID(of: merchant.id), name: "a"),
            .acquirerSecret(self.make.accountID(of: merchant.id), name: "b"),
        ]
        let person = self.make.person()
        places.append(.secondFactor(person.id))
        let approval = self.make.approval()
        places += ApprovalContent.Part.allCases.map { .approvalContent(approval.id, $0) }
        let payment = try self.make.payment(of: merchant)
        if let opening = payment.opening {
            places += StoredMemo.Part.allCases.map { .acquirerMemo(opening.id, $0) }
        }
        let values = places.map {
            SealedValue(place: $0, bytes: SealedBytes(keyID: keyID, box: self.make.bytes(40)))
        }
        var acquirerAccount = self.make.account(of: merchant)
        acquirerAccount.settings = ["s": "1"]
        for case .acquirerSecret(let id, let name) in places {
            acquirerAccount.secrets[name] = values.first { $0.place == .acquirerSecret(id, name: name) }?.bytes
        }
        let changedAccount = acquirerAccount
        let (accountKey, now) = ("account \(self.make.number())", self.make.time())
        try await self.store.write { transaction in
            try transaction.upsert(
                MerchantAccount(
                    merchantID: merchant.id, dialect: dialect, key: accountKey, settings: ["s": "1"],
                    secrets: ["a": values[0].bytes, "b": values[1].bytes]))
            try transaction.update(changedAccount)
            try transaction.insert(approval)
            for value in values {
                switch value.place {
                case .accountSecret, .acquirerSecret: break
                case .appleCredential(let merchant, let id):
                    try transaction.upsert(
                        AppleCredential(
                            id: id, merchantID: merchant, purpose: .paymentProcessing, merchantIdentifier: "m",
                            certificatePEM: nil, notAfter: nil, sealedPrivateKey: value.bytes, createdAt: now))
                case .keptItem(let name):
                    try transaction.upsert(
                        KeptItem(name: name, content: value.bytes, version: 3, createdAt: now, expiresAt: now))
                case .acquirerMemo(let operation, let part):
                    if part == .entries { try transaction.insert(payment) }
                    try transaction.upsert(
                        StoredMemo(operationID: operation, part: part, paymentID: payment.id, content: value.bytes))
                case .secondFactor(let id):
                    try transaction.insert(person)
                    try transaction.upsert(
                        SecondFactor(personID: id, content: value.bytes, lastStep: 3, createdAt: now))
                case .approvalContent(let id, let part):
                    try transaction.upsert(ApprovalContent(approvalID: id, part: part, content: value.bytes))
                case .storeSecret(let name): try transaction.insertStoreSecret(name, value.bytes)
                }
            }
        }
        return values
    }

    /// All values that are under a key, a few at a time.
    private func sealedValues(under keyID: String, limit: Int = 2) async throws -> Set<SealedValue> {
        var found: [SealedValue] = []
        for kind in SealedPlace.Kind.allCases {
            var place: SealedPlace?
            while true {
                let after = place
                let page = try await self.store.read {
                    try $0.sealedValues(kind, under: keyID, after: after, limit: limit)
                }
                try self.expect(page.count <= limit, "a page of sealed values has more than was asked for")
                guard let last = page.last else { break }
                found += page
                place = last.place
            }
        }
        try self.expectEqual(Set(found).count, found.count, "sealed values on two pages")
        return Set(found)
    }

    func dataKeysAreResealedAndDeleted() async throws {
        let keys = [self.key("one"), self.key("two")]
        try await self.store.write { transaction in for key in keys { try transaction.insert(key) } }
        let resealed = SealedDataKey(id: "one", box: self.make.bytes(61), createdAt: self.make.time())
        let unknown = self.key("none")
        try await self.store.write { transaction in
            try transaction.update(resealed)
            try transaction.update(unknown)
        }
        let wanted = [SealedDataKey(id: "one", box: resealed.box, createdAt: keys[0].createdAt), keys[1]]
        try await self.expectStored(wanted, "data keys after an update") { try $0.dataKeys() }
        let isGone = try await self.store.write { try [$0.deleteDataKey("one"), $0.deleteDataKey("none")] }
        try self.expectEqual(isGone, [true, true], "whether unused keys are gone")
        try await self.expectStored([keys[1]], "data keys after a deletion") { try $0.dataKeys() }
    }

    func dataKeysInUseStay() async throws {
        let keys = [self.key("one"), self.key("two")]
        try await self.store.write { transaction in for key in keys { try transaction.insert(key) } }
        let values = try await self.storeSealedValues(under: "one")
        let moved = SealedBytes(keyID: "two", box: [1, 2, 3])
        for value in values {
            let isGone = try await self.store.write { try $0.deleteDataKey("one") }
            try self.expect(!isGone, "a key is deleted while \(value.place.kind) is sealed under it")
            let isResealed = try await self.store.write { try $0.reseal(value, as: moved) }
            try self.expect(isResealed, "a value of \(value.place.kind) is not resealed")
        }
        try self.expect(try await self.store.write { try $0.deleteDataKey("one") }, "an unused key stays")
        try await self.expectRefusal(.dataKeyGone, "a key that is gone") { try $0.holdDataKey("one") }
        try await self.store.write { try $0.holdDataKey("two") }
    }

    func sealedValuesAreListedByKey() async throws {
        let (old, new) = (
            try await self.storeSealedValues(under: "old"), try await self.storeSealedValues(under: "new")
        )
        try self.expectEqual(try await self.sealedValues(under: "old"), Set(old), "values under the old key")
        try self.expectEqual(try await self.sealedValues(under: "new"), Set(new), "values under the new key")
        try self.expectEqual(try await self.sealedValues(under: "new", limit: 100), Set(new), "values on one page")
        // Before, between and after those that there are.
        for other in ["", "mid", "ole", "z"] {
            try self.expectEqual(try await self.sealedValues(under: other), [], "values under the key \(other)")
            try await self.expectStored(0, "count under the key \(other)") { try $0.sealedCount(under: other, max: 9) }
        }
        for kind in SealedPlace.Kind.allCases {
            let wanted = Set((old + new).filter { $0.place.kind == kind }.map(\.bytes.keyID))
            let keys = try await self.store.read { try $0.sealingKeys(kind) }
            try self.expectEqual(keys.sorted(), wanted.sorted(), "keys of \(kind)")
        }
        for max in [0, 1, old.count - 1, old.count, old.count + 1] {
            let wanted = [min(max, old.count), min(max, new.count)]
            try await self.expectStored(wanted, "sealed values by key, \(max) at the most") { reader in
                try ["old", "new"].map { try reader.sealedCount(under: $0, max: max) }
            }
        }
    }

    /// What somebody has changed meanwhile is his.
    func resealingReplacesOnlyWhatWasRead() async throws {
        let values = try await self.storeSealedValues(under: "old")
        for value in values {
            let bytes = SealedBytes(keyID: "new", box: value.bytes.box + [1])
            let stale = [
                SealedValue(place: value.place, bytes: SealedBytes(keyID: "older", box: value.bytes.box)),
                SealedValue(place: value.place, bytes: SealedBytes(keyID: "old", box: value.bytes.box + [0])),
            ]
            for other in stale {
                let isDone = try await self.store.write { try $0.reseal(other, as: bytes) }
                try self.expect(!isDone, "another value of \(value.place.kind) is replaced")
            }
            let isDone = try await self.store.write { try $0.reseal(value, as: bytes) }
            try self.expect(isDone, "a value of \(value.place.kind) is not replaced")
            let again = try await self.store.write { try $0.reseal(value, as: bytes) }
            try self.expect(!again, "a value of \(value.place.kind) is replaced twice")
        }
        let wanted = values.map {
            SealedValue(place: $0.place, bytes: SealedBytes(keyID: "new", box: $0.bytes.box + [1]))
        }
        try self.expectEqual(try await self.sealedValues(under: "new"), Set(wanted), "values after resealing")
        try self.expectEqual(try await self.sealedValues(under: "old"), [], "values that were not resealed")
        // All else of the rows is as it was.
        for case .keptItem(let name) in values.map(\.place) {
            try await self.expectStored(3, "version of a resealed item") { try $0.keptItem(name)?.version }
        }
        for case .secondFactor(let id) in values.map(\.place) {
            try await self.expectStored(3, "last step of a resealed second factor") {
                try $0.secondFactor(of: id)?.lastStep
            }
        }
        for case .acquirerSecret(let id, _) in values.map(\.place) {
            try await self.expectStored(["s": "1"], "settings of a resealed account") {
                try $0.acquirerAccount(id)?.settings
            }
        }
    }

    /// Of writers that hold a key and one that deletes it, nobody leaves a value under a key that is gone.
    func nothingIsSealedUnderADeletedKey() async throws {
        let (old, new) = (self.key("old"), self.key("new"))
        try await self.store.write { transaction in
            try transaction.insert(old)
            try transaction.insert(new)
        }
        let merchant = try await self.storedMerchant()
        let items = (0..<20).map { _ in self.make.keptItem(of: merchant) }
        let store = self.store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for item in items {
                group.addTask {
                    do {
                        try await store.write { transaction in
                            try transaction.holdDataKey("old")
                            try transaction.upsert(
                                KeptItem(
                                    name: item.name, content: SealedBytes(keyID: "old", box: [1]), version: 1,
                                    createdAt: item.createdAt, expiresAt: item.expiresAt))
                        }
                    } catch StoreError.dataKeyGone {}
                }
            }
            group.addTask { _ = try await store.write { try $0.deleteDataKey("old") } }
            try await group.waitForAll()
        }
        let (keys, count) = try await self.store.read {
            (try $0.dataKeys(), try $0.sealedCount(under: "old", max: 100))
        }
        let isThere = keys.contains { $0.id == "old" }
        try self.expect(isThere || count == 0, "values are sealed under a key that is gone: \(count)")
    }

    func storeSecretsRoundTrip() async throws {
        let sealed = SealedBytes(keyID: "key", box: self.make.bytes(60))
        try await self.store.write { try $0.insertStoreSecret("audit", sealed) }
        try await self.expectStored(sealed, "store secret") { try $0.storeSecret("audit") }
        let other = try await self.store.read { try $0.storeSecret("Audit") }
        try self.expect(other == nil, "a store secret is found by another name")
        try await self.expectRefusal(.duplicate("store secret"), "a store secret twice") {
            try $0.insertStoreSecret("audit", sealed)
        }
    }
}
