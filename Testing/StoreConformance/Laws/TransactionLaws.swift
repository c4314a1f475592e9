//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// What bodies throw here.
private struct BodyFailure: Error {}

/// Everything that a body can write, about a new merchant and about a payment that the store has.
private struct EveryWrite: Sendable {
    let sale: Payment
    let refund: PaymentChange
    let merchant: Merchant
    let acquirerAccount: AcquirerAccount
    let route: Route
    let account: MerchantAccount
    let credential: AppleCredential
    let dataKey: SealedDataKey
    let payment: Payment
    let approval: PaymentChange
    let order: Order
    let claim: IdempotencyClaim
    let reference: Reference
    let token: [UInt8]
    let event: OutboxEvent
    let keptItem: KeptItem
    let replacedItem: KeptItem

    init(_ make: Fixtures, sale: Payment) throws {
        let now = make.time()
        self.sale = sale
        self.refund = try sale.transition(
            on: .begin(OperationRequest(id: make.id(), action: .refund(sale.amount))), at: now)
        self.merchant = make.merchant()
        var acquirerAccount = make.account(of: self.merchant)
        acquirerAccount.settings = ["a": "b"]
        acquirerAccount.secrets = ["c": SealedBytes(keyID: "acquirer key", box: [1])]
        self.acquirerAccount = acquirerAccount
        self.route = Route(number: 1, account: acquirerAccount.id)
        self.account = MerchantAccount(
            merchantID: self.merchant.id, dialect: make.dialect, key: "M", settings: ["a": "b"], secrets: [:])
        self.credential = AppleCredential(
            id: "hash", merchantID: self.merchant.id, purpose: .paymentProcessing, merchantIdentifier: "m",
            certificatePEM: nil, notAfter: nil, sealedPrivateKey: SealedBytes(keyID: "1", box: []), createdAt: now)
        self.dataKey = SealedDataKey(id: "key", box: [1], createdAt: now)
        self.payment = try make.payment(of: self.merchant, isSale: true)
        let authorization = self.payment.operations[0].id
        self.approval = try self.payment.transition(
            on: .resolve(authorization, .succeeded(approved: self.payment.amount, AcquirerAnswer())), at: now)
        self.order = try make.order(of: self.merchant)
        self.claim = IdempotencyClaim(
            key: make.key(of: self.merchant), digest: [1], subject: .operation(self.payment.id, authorization),
            createdAt: now)
        self.reference = Reference(merchantID: self.merchant.id, dialect: make.dialect, kind: "k", value: "v")
        self.token = make.bytes(32)
        self.event = make.event(about: self.payment)
        self.keptItem = make.keptItem(of: self.merchant)
        self.replacedItem = KeptItem(
            name: self.keptItem.name, content: SealedBytes(keyID: "1", box: []), version: 2, createdAt: now,
            expiresAt: now)
    }

    /// - Returns: whether the token was new.
    func run(in transaction: any StoreTransaction) throws -> Bool {
        try transaction.insert(self.merchant)
        try transaction.insert(self.acquirerAccount)
        try transaction.replaceRoutes(of: self.merchant.id, with: [self.route])
        try transaction.update(self.merchant)
        try transaction.update(self.acquirerAccount)
        try transaction.upsert(self.account)
        try transaction.upsert(self.credential)
        try transaction.insert(self.dataKey)
        try transaction.insert(self.payment)
        try transaction.update(self.approval, from: self.payment.version)
        try transaction.update(self.refund, from: self.sale.version)
        try transaction.insert(self.order)
        try transaction.insert(self.claim)
        try transaction.insert(self.reference, operation: self.payment.operations[0].id)
        try transaction.insert(self.event)
        try transaction.upsert(self.keptItem)
        try transaction.delete(self.keptItem.name)
        try transaction.upsert(self.replacedItem)
        try transaction.schedule(Job(kind: .deliver, paymentID: self.payment.id, dueAt: self.payment.createdAt))
        return try transaction.rememberToken(
            transactionIdentifier: self.token, mode: .sandbox, payment: self.payment.id, at: self.payment.createdAt)
    }

    /// One answer for every row.
    func isGone(from reader: any StoreReader) throws -> [Bool] {
        try [
            reader.merchant(self.merchant.id) == nil,
            reader.acquirerAccount(self.acquirerAccount.id) == nil,
            reader.acquirerAccounts(of: self.merchant.id).isEmpty, reader.routes(of: self.merchant.id).isEmpty,
            reader.sealedCount(under: "acquirer key", max: 1) == 0,
            reader.account(dialect: self.account.dialect, key: self.account.key) == nil,
            reader.appleCredentials(of: nil).isEmpty, reader.dataKeys().isEmpty,
            reader.payment(self.payment.id) == nil,
            reader.paymentID(ofOperation: self.payment.operations[0].id) == nil,
            reader.journal(of: self.payment.id).isEmpty, reader.payment(self.sale.id) == self.sale,
            reader.paymentID(ofOperation: self.refund.payment.operations[2].id) == nil,
            reader.order(self.order.id) == nil,
            reader.order(of: self.merchant.id, dialect: self.order.dialect, reference: self.order.reference) == nil,
            reader.keptItem(self.keptItem.name) == nil, reader.claim(self.claim.key) == nil,
            reader.operation(self.reference) == nil, reader.event(self.event.id) == nil,
            reader.events(of: self.payment.id).isEmpty, reader.jobs(.deliver, limit: 9).isEmpty,
        ]
    }
}

extension Trial {
    func throwingBodyLeavesNothing() async throws {
        let sale = try await self.storedSale(minorUnits: 1000)
        let writes = try EveryWrite(self.make, sale: sale)
        let before = try await self.store.read { try $0.ledgerSums() }
        for _ in 0..<2 {
            do {
                try await self.store.write { transaction in
                    let isNew = try writes.run(in: transaction)
                    try self.expect(isNew, "a token of a body that threw is remembered")
                    throw BodyFailure()
                }
                try self.expect(false, "what the body throws is not thrown")
            } catch is BodyFailure {}
            let isGone = try await self.store.read { try writes.isGone(from: $0) }
            try self.expect(isGone.allSatisfy { $0 }, "something of a body that threw is left: \(isGone)")
            let after = try await self.store.read { try $0.ledgerSums() }
            try self.expectEqual(after, before, "ledger sums after a body that threw")
        }
        _ = try await self.store.write { try writes.run(in: $0) }
        let found = try await self.store.read { (try $0.payment(writes.payment.id), try $0.payment(sale.id)) }
        try self.expectEqual(found.0, writes.approval.payment, "payment of the body that returned")
        try self.expectEqual(found.1, writes.refund.payment, "change of the body that returned")
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
            acquirer: good.acquirer, accountID: good.accountID, orderID: nil,
            amount: good.amount, instrument: good.instrument, createdAt: good.createdAt, version: 2,
            operations: operations)
        let caught = try await self.store.write { transaction -> StoreError? in
            try self.insert(merchant, in: transaction)
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
        let account = self.make.account(of: merchant)
        let routes = [Route(number: 1, account: account.id)]
        try await self.store.write { transaction in
            try transaction.replaceRoutes(of: merchant.id, with: routes)
            try transaction.insert(claim)
            try transaction.insert(reference, operation: operation)
            try transaction.schedule(Job(kind: .recover, paymentID: payment.id, dueAt: payment.createdAt))
            try transaction.insert(event)
            try transaction.insert(payment)
            try transaction.insert(order)
            try transaction.insert(account)
            try transaction.insert(merchant)
        }
        try await self.expectStored(payment, "payment") { try $0.payment(payment.id) }
        try await self.expectStored(routes, "routes") { try $0.routes(of: merchant.id) }
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
        let acquirerAccount = make.account(of: nobody)
        try await self.expectCorrupt("an acquirer account without a merchant") { try $0.insert(acquirerAccount) }
        let item = make.keptItem(of: nobody)
        try await self.expectCorrupt("a kept item without a merchant") { try $0.upsert(item) }
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
        let nobody = self.make.merchant()
        try await self.expectRefusal(.corrupt("merchants.id"), "an update of a merchant that is not there") {
            try $0.update(nobody)
        }
        let account = self.make.account(of: nobody)
        try await self.expectRefusal(.corrupt("acquirer_accounts.id"), "an update of an account that is not there") {
            try $0.update(account)
        }
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
