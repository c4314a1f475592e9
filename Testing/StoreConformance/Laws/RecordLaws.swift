//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Time

extension Trial {
    func dataKeysRoundTrip() async throws {
        let keys = (0..<3).map { SealedDataKey(id: "key-\($0)", box: self.make.bytes(48), createdAt: self.make.time()) }
        try await self.store.write { transaction in for key in keys { try transaction.insert(key) } }
        try await self.expectStored(keys, "data keys") { try $0.dataKeys() }
    }

    func ordersRoundTrip() async throws {
        let merchant = try await self.storedMerchant()
        let payment = try self.make.payment(of: merchant)
        let plain = try self.make.order(of: merchant)
        let full = Order(
            id: self.make.id(), merchantID: merchant.id, dialect: self.make.dialect, reference: "r’1",
            amount: try self.make.money(1, "JPY"), summary: "", notifyURL: "https://shop.example",
            merchantIdentifier: "merchant.com.example", createdAt: self.make.time(), expiresAt: self.make.time(),
            canceledAt: self.make.time(), paymentID: payment.id)
        try await self.store.write { transaction in
            try transaction.insert(payment)
            try transaction.insert(plain)
            try transaction.insert(full)
        }
        for order in [plain, full] {
            try await self.expectStored(order, "order") { try $0.order(order.id) }
        }
        var changed = plain
        changed.canceledAt = self.make.time()
        changed.paymentID = payment.id
        for order in [changed, plain] {
            try await self.store.write { try $0.update(order) }
            try await self.expectStored(order, "order after an update") { try $0.order(order.id) }
        }
    }

    /// A reference is of one merchant and one dialect; one that pays for nothing, a verification's, is of no amount.
    func ordersAreFoundByReference() async throws {
        let (merchant, other) = (try await self.storedMerchant(), try await self.storedMerchant())
        let make = self.make
        let order = { (merchant: Merchant, dialect: DialectName, reference: String, units: Int64) in
            Order(
                id: make.id(), merchantID: merchant.id, dialect: dialect, reference: reference,
                amount: try make.money(units), summary: "", notifyURL: nil, merchantIdentifier: nil,
                createdAt: make.time(), expiresAt: make.time())
        }
        let orders = [
            try order(merchant, make.dialect, "N 1", 1), try order(merchant, make.dialect, "n 1", 2),
            try order(merchant, make.dialect, "", 0), try order(merchant, DialectName("tappay"), "N 1", 3),
            try order(other, make.dialect, "N 1", 4),
        ]
        try await self.store.write { transaction in for order in orders { try transaction.insert(order) } }
        for order in orders {
            try await self.expectStored(order, "order by reference") {
                try $0.order(of: order.merchantID, dialect: order.dialect, reference: order.reference)
            }
        }
        let found = try await self.store.read {
            (
                try $0.order(of: merchant.id, dialect: make.dialect, reference: "N 2"),
                try $0.order(of: merchant.id, dialect: wantedNowhere, reference: "N 1")
            )
        }
        try self.expect(found.0 == nil && found.1 == nil, "an order is found by another reference")
        var canceled = orders[0]
        canceled.canceledAt = make.time()
        let later = canceled
        try await self.store.write { try $0.update(later) }
        try await self.expectStored(later, "order by reference after an update") {
            try $0.order(of: merchant.id, dialect: make.dialect, reference: "N 1")
        }
    }

    func keptItemsRoundTrip() async throws {
        let (merchant, other) = (try await self.storedMerchant(), try await self.storedMerchant())
        let item = self.make.keptItem(of: merchant)
        let name = item.name
        let names = [
            KeptItemName(merchantID: other.id, dialect: name.dialect, kind: name.kind, id: name.id),
            KeptItemName(merchantID: name.merchantID, dialect: wantedNowhere, kind: name.kind, id: name.id),
            KeptItemName(merchantID: name.merchantID, dialect: name.dialect, kind: "other", id: name.id),
            KeptItemName(merchantID: name.merchantID, dialect: name.dialect, kind: name.kind, id: name.id + " "),
        ]
        try await self.store.write { try $0.upsert(item) }
        for name in names {
            let found = try await self.store.read { try $0.keptItem(name) }
            try self.expect(found == nil, "an item is found by another name")
        }
        let others = names.map { name in
            KeptItem(
                name: name, content: SealedBytes(keyID: "key-2", box: []), version: 1, createdAt: self.make.time(),
                expiresAt: self.make.time())
        }
        try await self.store.write { transaction in for item in others { try transaction.upsert(item) } }
        for item in [item] + others {
            try await self.expectStored(item, "kept item") { try $0.keptItem(item.name) }
        }
        try await self.store.write { transaction in
            try transaction.delete(item.name)
            // Somebody else was quicker.
            try transaction.delete(item.name)
        }
        let found = try await self.store.read { try $0.keptItem(item.name) }
        try self.expect(found == nil, "a deleted item is still there")
        for item in others {
            try await self.expectStored(item, "item of another name after a deletion") { try $0.keptItem(item.name) }
        }
    }

    func keptItemsAreReplacedWhole() async throws {
        let merchant = try await self.storedMerchant()
        let earlier = self.make.keptItem(of: merchant)
        let later = KeptItem(
            name: earlier.name, content: SealedBytes(keyID: "key-2", box: self.make.bytes(9)), version: 7,
            createdAt: self.make.time(), expiresAt: self.make.time())
        try await self.store.write { try $0.upsert(earlier) }
        try await self.store.write { try $0.upsert(later) }
        try await self.expectStored(later, "replaced item") { try $0.keptItem(earlier.name) }
    }

    /// Of a payment's operations each has one memo, and other payments' are not among them.
    func memosAreReplacedAndListed() async throws {
        let merchant = try await self.storedMerchant()
        let (payment, other) = (try self.make.payment(of: merchant), try self.make.payment(of: merchant))
        let memo = { (payment: Payment, box: [UInt8]) throws -> StoredMemo in
            guard let operation = payment.opening else { throw StoreError.corrupt("no opening") }
            return StoredMemo(
                operationID: operation.id, paymentID: payment.id, content: SealedBytes(keyID: "key-1", box: box),
                keptSeconds: box.first.map { Int64($0) * 86_400 })
        }
        let (earlier, later, others) = (try memo(payment, [1]), try memo(payment, [2, 3]), try memo(other, [4]))
        try await self.store.write { transaction in
            try transaction.insert(payment)
            try transaction.insert(other)
            try transaction.upsert(earlier)
            try transaction.upsert(others)
        }
        try await self.store.write { try $0.upsert(later) }
        try await self.expectStored([later], "memos of a payment") { try $0.memos(of: payment.id) }
    }

    /// A part of a payment's memos goes, of all its operations; the other part and other payments' stay.
    func partsOfMemosAreDeleted() async throws {
        let merchant = try await self.storedMerchant()
        let (payment, other) = (try self.make.payment(of: merchant, isSale: true), try self.make.payment(of: merchant))
        let memos = [payment, other].flatMap { payment in
            payment.operations.flatMap { operation in
                StoredMemo.Part.allCases.map { part in
                    StoredMemo(
                        operationID: operation.id, part: part, paymentID: payment.id,
                        content: SealedBytes(keyID: "key-1", box: self.make.bytes(8)),
                        keptSeconds: part == .cardData ? 86_400 : nil)
                }
            }
        }
        try await self.store.write { transaction in
            try transaction.insert(payment)
            try transaction.insert(other)
            for memo in memos { try transaction.upsert(memo) }
        }
        // Somebody else may have been quicker.
        for _ in 0..<2 { try await self.store.write { try $0.deleteMemos(.cardData, of: payment.id) } }
        for payment in [payment, other] {
            let found = try await self.store.read { Set(try $0.memos(of: payment.id)) }
            let wanted = Set(
                memos.filter { $0.paymentID == payment.id && ($0.part == .entries || payment.id == other.id) })
            try self.expectEqual(found, wanted, "memos after a part is deleted")
        }
    }

    /// What expires in the very moment is over.
    func keptItemsExpire() async throws {
        let merchant = try await self.storedMerchant()
        let now = self.make.time()
        let items = [-1, 0, 1].map { (milliseconds: Int64) in
            self.make.keptItem(of: merchant, expiresAt: now.adding(milliseconds: milliseconds))
        }
        try await self.store.write { transaction in for item in items { try transaction.upsert(item) } }
        try await self.store.write { try $0.deleteKeptItems(expiredBy: now) }
        let found = try await self.store.read { reader in try items.map { try reader.keptItem($0.name) } }
        try self.expectEqual(found, [nil, nil, items[2]], "items after a sweep")
    }

    func claimsRoundTrip() async throws {
        let payment = try await self.storedSale(minorUnits: 1)
        let merchant = self.make.merchant()
        let order = try self.make.order(of: merchant)
        let claims = [
            IdempotencyClaim(
                key: self.make.key(of: merchant), digest: self.make.bytes(32), subject: .order(order.id),
                createdAt: self.make.time()),
            IdempotencyClaim(
                key: self.make.key(of: merchant), digest: [], subject: .operation(payment.id, payment.operations[1].id),
                createdAt: self.make.time()),
        ]
        try await self.store.write { transaction in
            try transaction.insert(merchant)
            try transaction.insert(order)
            for claim in claims { try transaction.insert(claim) }
        }
        for claim in claims {
            try await self.expectStored(claim, "claim") { try $0.claim(claim.key) }
        }
        let key = claims[0].key
        let others = [
            IdempotencyKey(
                merchantID: payment.merchantID, dialect: key.dialect, operation: key.operation, key: key.key),
            IdempotencyKey(merchantID: key.merchantID, dialect: wantedNowhere, operation: key.operation, key: key.key),
            IdempotencyKey(merchantID: key.merchantID, dialect: key.dialect, operation: "pay", key: key.key),
            IdempotencyKey(
                merchantID: key.merchantID, dialect: key.dialect, operation: key.operation, key: key.key + " "),
        ]
        for other in others {
            try self.expect(try await self.store.read { try $0.claim(other) } == nil, "a claim is found by another key")
        }
        let references = (claims.map(\.key) + others).map(\.reference)
        let named = try await self.store.read { reader in try references.map { try reader.operation($0) } }
        let wanted = [nil, payment.operations[1].id] + others.map { _ in nil }
        try self.expectEqual(named, wanted, "what claims are references of")
    }

    func referencesRoundTrip() async throws {
        let payment = try await self.storedSale(minorUnits: 1)
        let operations = payment.operations.map(\.id)
        let references = ["refundId", "captureId"].flatMap { kind in
            ["1", "2"].map {
                Reference(merchantID: payment.merchantID, dialect: self.make.dialect, kind: kind, value: $0)
            }
        }
        try await self.store.write { transaction in
            for (index, reference) in references.enumerated() {
                try transaction.insert(reference, operation: operations[index % 2])
            }
        }
        for (index, reference) in references.enumerated() {
            let found = try await self.store.read { try $0.operation(reference) }
            try self.expectEqual(found, operations[index % 2], "operation by reference")
        }
        for operation in operations {
            let found = try await self.store.read { try $0.paymentID(ofOperation: operation) }
            try self.expectEqual(found, payment.id, "payment by operation")
        }
    }

    func nothingIsFoundInAnEmptyStore() async throws {
        let make = self.make
        let merchant = make.merchant()
        let dialect = make.dialect
        let reference = Reference(merchantID: merchant.id, dialect: dialect, kind: "k", value: "v")
        let isEmpty = try await self.store.read { reader in
            try [
                reader.merchant(merchant.id) == nil, reader.merchant(named: "nobody") == nil,
                reader.merchants().isEmpty,
                reader.account(dialect: dialect, key: "k") == nil,
                reader.account(dialect: dialect, merchant: merchant.id) == nil,
                reader.accounts(of: merchant.id).isEmpty,
                reader.acquirerAccount(make.id()) == nil, reader.acquirerAccounts(of: merchant.id).isEmpty,
                reader.routes(of: merchant.id).isEmpty,
                reader.appleCredentials(of: nil).isEmpty, reader.appleCredentials(of: merchant.id).isEmpty,
                reader.dataKeys().isEmpty, reader.sealedCount(under: "", max: 10) == 0,
                SealedPlace.Kind.allCases.allSatisfy {
                    try reader.sealingKeys($0).isEmpty
                        && reader.sealedValues($0, under: "", after: nil, limit: 10).isEmpty
                },
                reader.storeSecret("audit") == nil, reader.lastAuditEntry() == nil,
                reader.auditEntries(after: 0, limit: 10).isEmpty, reader.payment(make.id()) == nil,
                reader.payments(PaymentQuery()).isEmpty,
                reader.paymentsCount(PaymentQuery()) == 0, reader.paymentID(ofOperation: make.id()) == nil,
                reader.order(make.id()) == nil,
                reader.order(of: merchant.id, dialect: dialect, reference: "r") == nil,
                reader.keptItem(make.keptItem(of: merchant).name) == nil, reader.claim(make.key(of: merchant)) == nil,
                reader.operation(reference) == nil, reader.event(make.id()) == nil,
                reader.events(of: make.id()).isEmpty,
                reader.jobs(.recover, limit: 10).isEmpty, reader.journal(of: make.id()).isEmpty,
                reader.paymentIDs(after: nil, limit: 10).isEmpty, reader.ledgerSums().isEmpty,
            ]
        }
        try self.expect(isEmpty.allSatisfy { $0 }, "an empty store has something: \(isEmpty)")
    }
}

/// A dialect that no fixture is in.
let wantedNowhere = DialectName("nowhere")
