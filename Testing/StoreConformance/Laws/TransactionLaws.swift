//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// What bodies throw here.
private struct BodyFailure: Error {}

extension Trial {
    func throwingBodyLeavesNothing() async throws {
        let sale = try await self.storedSale(minorUnits: 1000)
        let make = self.make
        let merchant = make.merchant()
        let payment = try make.payment(of: merchant)
        let event = make.event(about: payment)
        let order = try make.order(of: merchant)
        let key = make.key(of: merchant)
        let reference = Reference(merchantID: merchant.id, dialect: make.dialect, kind: "k", value: "v")
        let token = make.bytes(32)
        let now = make.time()
        let refund = OperationRequest(id: make.id(), action: .refund(sale.amount))
        let change = try sale.transition(on: .begin(refund), at: now)
        let write: @Sendable (any StoreTransaction) throws -> Void = { transaction in
            try transaction.insert(merchant)
            try transaction.upsert(
                MerchantAccount(
                    merchantID: merchant.id, dialect: make.dialect, key: "M", settings: ["a": "b"], secrets: [:]))
            try transaction.upsert(
                AppleCredential(
                    id: "hash", merchantID: merchant.id, purpose: .paymentProcessing, merchantIdentifier: "m",
                    certificatePEM: nil, notAfter: nil, sealedPrivateKey: SealedBytes(keyID: "1", box: []),
                    createdAt: now))
            try transaction.insert(SealedDataKey(id: "key", box: [1], createdAt: now))
            try transaction.insert(payment)
            try transaction.update(change, from: sale.version)
            try transaction.insert(order)
            try transaction.insert(
                IdempotencyClaim(
                    key: key, digest: [1], subject: .operation(payment.id, payment.operations[0].id), createdAt: now))
            try transaction.insert(reference, operation: payment.operations[0].id)
            let isNew = try transaction.rememberToken(
                transactionIdentifier: token, mode: .sandbox, payment: payment.id, at: now)
            try self.expect(isNew, "a token of a body that threw is remembered")
            try transaction.insert(event)
            try transaction.schedule(Job(kind: .deliver, paymentID: payment.id, dueAt: now))
        }
        for _ in 0..<2 {
            do {
                try await self.store.write { transaction in
                    try write(transaction)
                    throw BodyFailure()
                }
                try self.expect(false, "what the body throws is not thrown")
            } catch is BodyFailure {}
            let isGone = try await self.store.read { reader in
                try [
                    reader.merchant(merchant.id) == nil, reader.account(dialect: make.dialect, key: "M") == nil,
                    reader.appleCredentials(of: nil).isEmpty, reader.dataKeys().isEmpty,
                    reader.payment(payment.id) == nil,
                    reader.paymentID(ofOperation: payment.operations[0].id) == nil, reader.payment(sale.id) == sale,
                    reader.paymentID(ofOperation: refund.id) == nil, reader.order(order.id) == nil,
                    reader.claim(key) == nil, reader.operation(reference) == nil, reader.event(event.id) == nil,
                    reader.events(of: payment.id).isEmpty, reader.jobs(.deliver, limit: 9).isEmpty,
                ]
            }
            try self.expect(isGone.allSatisfy { $0 }, "something of a body that threw is left: \(isGone)")
        }
        try await self.store.write(write)
        let found = try await self.store.read { (try $0.payment(payment.id), try $0.payment(sale.id)) }
        try self.expectEqual(found.0, payment, "payment of the body that returned")
        try self.expectEqual(found.1, change.payment, "change of the body that returned")
    }

    /// A body may catch a refusal and go on; what was refused has left nothing behind.
    func refusedWriteLeavesTheBodyUsable() async throws {
        let sale = try await self.storedSale(minorUnits: 1000)
        let merchant = self.make.merchant()
        let good = try self.make.payment(of: merchant)
        // Its second operation has an id that is taken.
        let operations = good.operations + [sale.operations[1]]
        let bad = Payment(
            id: self.make.id(), merchantID: merchant.id, mode: good.mode, dialect: good.dialect,
            acquirer: good.acquirer,
            orderID: nil, amount: good.amount, instrument: good.instrument, createdAt: good.createdAt, version: 2,
            operations: operations)
        let caught = try await self.store.write { transaction -> StoreError? in
            try transaction.insert(merchant)
            var caught: StoreError?
            do { try transaction.insert(bad) } catch let error as StoreError { caught = error }
            try transaction.insert(good)
            return caught
        }
        try self.expectEqual(caught, .duplicate("operation id"), "a payment with an operation of another's")
        let found = try await self.store.read { (try $0.payment(bad.id), try $0.payment(good.id)) }
        try self.expect(found.0 == nil, "half of a refused payment is left")
        try self.expectEqual(found.1, good, "what the body wrote after the refusal")
    }

    func writesMayComeInAnyOrder() async throws {
        let merchant = self.make.merchant()
        let order = try self.make.order(of: merchant)
        let payment = try self.make.payment(of: merchant, orderID: order.id)
        let operation = payment.operations[0].id
        let event = self.make.event(about: payment)
        let claim = IdempotencyClaim(
            key: self.make.key(of: merchant), digest: [1], subject: .operation(payment.id, operation),
            createdAt: self.make.time())
        let reference = Reference(merchantID: merchant.id, dialect: self.make.dialect, kind: "k", value: "v")
        try await self.store.write { transaction in
            try transaction.insert(claim)
            try transaction.insert(reference, operation: operation)
            try transaction.schedule(Job(kind: .recover, paymentID: payment.id, dueAt: payment.createdAt))
            try transaction.insert(event)
            try transaction.insert(payment)
            try transaction.insert(order)
            try transaction.insert(merchant)
        }
        try await self.expectStored(payment, "payment") { try $0.payment(payment.id) }
    }

    func danglingReferencesAreRefused() async throws {
        let merchant = try await self.storedMerchant()
        let make = self.make
        let nobody = make.merchant()
        let payment = try make.payment(of: merchant)
        let orphan = try make.payment(of: nobody)
        let order = try make.order(of: nobody)
        let unordered = try make.payment(of: merchant, orderID: make.id())
        let claim = IdempotencyClaim(
            key: make.key(of: merchant), digest: [], subject: .operation(payment.id, make.id()), createdAt: make.time())
        let orderClaim = IdempotencyClaim(
            key: make.key(of: merchant), digest: [], subject: .order(make.id()), createdAt: make.time())
        let account = MerchantAccount(
            merchantID: nobody.id, dialect: make.dialect, key: "M", settings: [:], secrets: [:])
        let reference = Reference(merchantID: merchant.id, dialect: make.dialect, kind: "k", value: "v")
        let event = make.event(about: payment)
        try await self.expectCorrupt("a payment without a merchant") { try $0.insert(orphan) }
        try await self.expectCorrupt("an order without a merchant") { try $0.insert(order) }
        try await self.expectCorrupt("an account without a merchant") { try $0.upsert(account) }
        try await self.expectCorrupt("a payment without its order") { try $0.insert(unordered) }
        try await self.expectCorrupt("a claim without its operation") { try $0.insert(claim) }
        try await self.expectCorrupt("a claim without its order") { try $0.insert(orderClaim) }
        try await self.expectCorrupt("a reference without its operation") {
            try $0.insert(reference, operation: make.id())
        }
        try await self.expectCorrupt("an event without its payment") { try $0.insert(event) }
        try await self.expectCorrupt("a job without its payment") {
            try $0.schedule(Job(kind: .recover, paymentID: payment.id, dueAt: payment.createdAt))
        }
        let isEmpty = try await self.store.read {
            (try $0.paymentsCount(PaymentQuery()) == 0, try $0.operation(reference) == nil)
        }
        try self.expect(isEmpty.0 && isEmpty.1, "something refused is left")
    }

    func missingRowsAreNotUpdated() async throws {
        let merchant = try await self.storedMerchant()
        let order = try self.make.order(of: merchant)
        let payment = try self.make.payment(of: merchant)
        let event = self.make.event(about: payment)
        try await self.expectCorrupt("an update of an order that is not there") { try $0.update(order) }
        try await self.expectCorrupt("an update of an event that is not there") { try $0.update(event) }
        try await self.store.write { transaction in
            // Somebody else has finished the job.
            try transaction.update(Job(kind: .recover, paymentID: payment.id, dueAt: payment.createdAt))
            try transaction.delete(.recover, of: payment.id)
        }
        let jobs = try await self.store.read { try $0.jobs(.recover, limit: 9) }
        try self.expect(jobs.isEmpty, "an update has made a job")
    }

    /// Every body writes two merchants or throws; so nobody ever sees an odd number, and a caller sees what it has
    /// written.
    func readsSeeOnlyCommittedState() async throws {
        let store = self.store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<60 {
                let (first, second) = (self.make.merchant(), self.make.merchant())
                group.addTask {
                    do {
                        try await store.write { transaction in
                            try transaction.insert(first)
                            if index % 3 == 0 { throw BodyFailure() }
                            try transaction.insert(second)
                        }
                        let found = try await store.read { try $0.merchant(second.id) }
                        try self.expectEqual(found, second, "what was committed before the read")
                    } catch is BodyFailure {}
                }
                group.addTask {
                    let count = try await store.read { try $0.merchants().count }
                    try self.expect(count % 2 == 0, "a read sees \(count) merchants, half of a body")
                }
            }
            try await group.waitForAll()
        }
        let count = try await store.read { try $0.merchants().count }
        try self.expectEqual(count, 80, "merchants in the end")
    }

    /// A read's later look shows what its first look showed, whatever is committed between them.
    func readsSeeOneState() async throws {
        let store = self.store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                let merchant = self.make.merchant()
                group.addTask { try await store.write { try $0.insert(merchant) } }
                group.addTask {
                    let counts = try await store.read { reader in
                        try (0..<20).map { _ in try reader.merchants().count }
                    }
                    try self.expectEqual(Set(counts).count, 1, "states that one read has seen")
                }
            }
            try await group.waitForAll()
        }
    }
}
