//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

extension Trial {
    func uniqueThingsAreUnique() async throws {
        let make = self.make
        let (merchant, other) = (try await self.storedMerchant(), try await self.storedMerchant())
        let payment = try make.payment(of: merchant)
        let order = try make.order(of: merchant)
        let event = make.event(about: payment)
        let dataKey = SealedDataKey(id: "key", box: [1], createdAt: make.time())
        let reference = Reference(merchantID: merchant.id, dialect: make.dialect, kind: "k", value: "v")
        let operation = payment.operations[0].id
        let account = { (merchant: Merchant) in
            MerchantAccount(merchantID: merchant.id, dialect: make.dialect, key: "M", settings: [:], secrets: [:])
        }
        let (accountOfMerchant, accountOfOther) = (account(merchant), account(other))
        try await self.store.write { transaction in
            try transaction.insert(payment)
            try transaction.insert(order)
            try transaction.insert(event)
            try transaction.insert(dataKey)
            try transaction.insert(reference, operation: operation)
            try transaction.upsert(accountOfMerchant)
        }
        let sameName = Merchant(
            id: make.id(), name: merchant.name, displayName: "", mode: .live, countryCode: "US",
            createdAt: make.time())
        let sameID = Merchant(
            id: merchant.id, name: "another", displayName: "", mode: .live, countryCode: "US",
            createdAt: make.time())
        let sameOperation = Payment(
            id: make.id(), merchantID: merchant.id, mode: .sandbox, dialect: make.dialect, acquirer: make.acquirer,
            accountID: payment.accountID, orderID: nil, amount: payment.amount, instrument: payment.instrument,
            createdAt: payment.createdAt, version: 1, operations: payment.operations)
        try await self.expectRefusal(.duplicate("merchant name"), "a merchant's name twice") { try $0.insert(sameName) }
        try await self.expectRefusal(.duplicate("merchant id"), "a merchant's id twice") { try $0.insert(sameID) }
        try await self.expectRefusal(.duplicate("account key"), "two merchants under one account key") {
            try $0.upsert(accountOfOther)
        }
        try await self.expectRefusal(.duplicate("data key id"), "a data key twice") { try $0.insert(dataKey) }
        try await self.expectRefusal(.duplicate("payment id"), "a payment twice") { try $0.insert(payment) }
        try await self.expectRefusal(.duplicate("operation id"), "an operation twice") { try $0.insert(sameOperation) }
        let sameOrderID = Order(
            id: order.id, merchantID: merchant.id, dialect: make.dialect, reference: "another", amount: order.amount,
            summary: "", notifyURL: nil, merchantIdentifier: nil, createdAt: make.time(), expiresAt: make.time())
        let sameOrderReference = Order(
            id: make.id(), merchantID: merchant.id, dialect: make.dialect, reference: order.reference,
            amount: order.amount, summary: "", notifyURL: nil, merchantIdentifier: nil, createdAt: make.time(),
            expiresAt: make.time())
        try await self.expectRefusal(.duplicate("order id"), "an order's id twice") { try $0.insert(sameOrderID) }
        try await self.expectRefusal(.duplicate("order reference"), "an order's reference twice") {
            try $0.insert(sameOrderReference)
        }
        try await self.expectRefusal(.duplicate("event id"), "an event twice") { try $0.insert(event) }
        try await self.expectRefusal(.duplicate("reference"), "a reference twice") {
            try $0.insert(reference, operation: operation)
        }
        let found = try await self.store.read {
            (
                try $0.merchants().count, try $0.paymentsCount(PaymentQuery()),
                try $0.account(dialect: make.dialect, key: "M")
            )
        }
        try self.expectEqual(found.0, 2, "merchants")
        try self.expectEqual(found.1, 1, "payments")
        try self.expectEqual(found.2, accountOfMerchant, "account")
    }

    func claimsNeverChange() async throws {
        let sale = try await self.storedSale(minorUnits: 1)
        let merchant = try await self.storedMerchant()
        let key = self.make.key(of: merchant)
        let claims = (0..<2).map { index in
            IdempotencyClaim(
                key: key, digest: self.make.bytes(32), subject: .operation(sale.id, sale.operations[index].id),
                createdAt: self.make.time())
        }
        try await self.store.write { try $0.insert(claims[0]) }
        for claim in claims {
            try await self.expectRefusal(.duplicate("idempotency key"), "a key twice") { try $0.insert(claim) }
        }
        try await self.expectStored(claims[0], "claim") { try $0.claim(key) }
    }

    func settledClaimsAreDeleted() async throws {
        let sale = try await self.storedSale(minorUnits: 1)
        let merchant = try await self.storedMerchant()
        let pending = try self.make.payment(of: merchant)
        let order = try self.make.order(of: merchant)
        let subjects: [IdempotencyClaim.Subject] =
            [.order(order.id), .operation(pending.id, pending.operations[0].id)]
            + (0..<4).map { _ in .operation(sale.id, sale.operations[0].id) }
        let claims = subjects.map { subject in
            IdempotencyClaim(
                key: self.make.key(of: merchant), digest: self.make.bytes(32), subject: subject,
                createdAt: self.make.time())
        }
        let keys = claims.map(\.key)
        let moment = claims[4].createdAt
        try await self.store.write { transaction in
            try transaction.insert(pending)
            try transaction.insert(order)
            for claim in claims.reversed() { try transaction.insert(claim) }
        }
        // In the order of their keys, a part after the other.
        let sorted = keys.map(\.key).sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
        var found: [IdempotencyClaim] = []
        for limit in [0, 1, 2, 10] {
            let after = found.last?.key
            found += try await self.store.read { try $0.claims(after: after, limit: limit) }
        }
        try self.expectEqual(found.map(\.key.key), sorted, "claims in their order")
        try self.expectEqual(Set(found), Set(claims), "claims")
        // Of an order, of what is not settled, not asked for, and not old enough: they stay.
        try await self.store.write {
            try $0.deleteClaims([keys[0], keys[1], keys[2], keys[4], keys[5]], before: moment)
        }
        let left = try await self.store.read { try $0.claims(after: nil, limit: 10) }
        try self.expectEqual(Set(left), Set(claims).subtracting([claims[2]]), "claims that are left")
        try await self.store.write { try $0.insert(claims[2]) }
        try await self.expectStored(claims[2], "a claim under a key that was free again") { try $0.claim(keys[2]) }
    }

    func tokensAreRememberedOncePerMode() async throws {
        let sale = try await self.storedSale(minorUnits: 1)
        let now = self.make.time()
        for identifier in [self.make.bytes(32), self.make.bytes(32), []] {
            for mode in Mode.allCases {
                let wasThere = try await self.store.read {
                    try $0.isTokenRemembered(transactionIdentifier: identifier, mode: mode)
                }
                try self.expectEqual(wasThere, false, "token seen in \(mode) before it is remembered")
                for attempt in 0..<3 {
                    let isNew = try await self.store.write {
                        try $0.rememberToken(transactionIdentifier: identifier, mode: mode, payment: sale.id, at: now)
                    }
                    try self.expectEqual(isNew, attempt == 0, "token new in \(mode) at attempt \(attempt)")
                }
                let isThere = try await self.store.read {
                    try $0.isTokenRemembered(transactionIdentifier: identifier, mode: mode)
                }
                try self.expectEqual(isThere, true, "token seen in \(mode) once it is remembered")
            }
        }
    }

    func tokensAreRememberedOnceUnderConcurrency() async throws {
        let sale = try await self.storedSale(minorUnits: 1)
        let identifier = self.make.bytes(32)
        let now = self.make.time()
        let store = self.store
        let winnersCount = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<1000 {
                group.addTask {
                    try await store.write {
                        try $0.rememberToken(transactionIdentifier: identifier, mode: .live, payment: sale.id, at: now)
                    }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        try self.expectEqual(winnersCount, 1, "callers to whom the token was new")
    }

    func tokensOfWhatWasNotProcessedAreTakenOverOnce() async throws {
        let now = self.make.time()
        for failure in [OperationFailure.notProcessed(.busy), .declined(.doNotHonor), .reversed] {
            let merchant = try await self.storedMerchant()
            let first = try self.make.payment(of: merchant, minorUnits: 1, isSale: true)
            try await self.store.write { try $0.insert(first) }
            let identifier = self.make.bytes(32)
            let remember = { @Sendable (payment: Payment, store: any PaymentStore) in
                try await store.write {
                    try $0.rememberToken(
                        transactionIdentifier: identifier, mode: .live, payment: payment.id, at: now)
                }
            }
            try self.expectEqual(try await remember(first, self.store), true, "token new")
            try self.expectEqual(try await remember(first, self.store), false, "token new while its payment is open")
            let ended = try first.transition(
                on: .resolve(first.operations[0].id, .failed(failure, AcquirerAnswer())), at: now)
            try await self.store.write { try $0.update(ended, from: first.version) }
            let mayBeUsed = failure == .notProcessed(.busy)
            let isThere = try await self.store.read {
                try $0.isTokenRemembered(transactionIdentifier: identifier, mode: .live)
            }
            try self.expectEqual(isThere, !mayBeUsed, "token seen after \(failure)")
            let others = [try await self.storedSale(minorUnits: 1), try await self.storedSale(minorUnits: 1)]
            let store = self.store
            let winnersCount = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<100 { group.addTask { try await remember(others[number % 2], store) } }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            try self.expectEqual(winnersCount, mayBeUsed ? 1 : 0, "callers who have taken it over after \(failure)")
        }
    }

    func claimsAreWonOnceUnderConcurrency() async throws {
        let sale = try await self.storedSale(minorUnits: 1)
        let merchant = try await self.storedMerchant()
        let key = self.make.key(of: merchant)
        let now = self.make.time()
        let store = self.store
        let winners = try await withThrowingTaskGroup(of: UInt8?.self) { group in
            for number in UInt8(0)..<200 {
                group.addTask {
                    do {
                        let claim = IdempotencyClaim(
                            key: key, digest: [number], subject: .operation(sale.id, sale.operations[0].id),
                            createdAt: now)
                        try await store.write { try $0.insert(claim) }
                        return number
                    } catch StoreError.duplicate {
                        return nil
                    }
                }
            }
            return try await group.reduce(into: [UInt8]()) { winners, number in winners += number.map { [$0] } ?? [] }
        }
        try self.expectEqual(winners.count, 1, "claims that were won")
        let claim = try await self.store.read { try $0.claim(key) }
        try self.expectEqual(claim?.digest, winners, "the digest is the winner's")
    }
}
