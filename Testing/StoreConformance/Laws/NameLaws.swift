//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import StrictJSON
import Time

/// What operations are called, and what is found by it.
extension Trial {
    /// An authorization that the acquirer and the merchant have a name for each.
    private func named(
        _ reference: String, _ merchantReference: String, of merchant: Merchant, orderID: OrderID? = nil
    ) async throws -> Payment {
        let id: OperationID = self.make.id()
        let payment = try Payment.opening(
            id: self.make.id(), merchantID: merchant.id, mode: merchant.mode, dialect: self.make.dialect,
            acquirer: self.make.acquirer, accountID: self.make.accountID(of: merchant.id), orderID: orderID,
            amount: self.make.money(1000), instrument: self.make.instrument(), authorizationID: id,
            labels: OperationLabels(reference: merchantReference), at: self.make.time())
        let answer = AcquirerAnswer(reference: reference, networkReference: "network \(reference)")
        let change = try payment.transition(
            on: .resolve(id, .succeeded(approved: payment.amount, answer)), at: self.make.time())
        try await self.store.write { transaction in
            try transaction.insert(payment)
            try transaction.update(change, from: payment.version)
        }
        return change.payment
    }

    func paymentsAreFoundByTheirNames() async throws {
        let (merchant, other) = (try await self.storedMerchant(), try await self.storedMerchant())
        for owner in [merchant, other] {
            let account = MerchantAccount(
                merchantID: owner.id, dialect: self.make.dialect, key: owner.name, settings: [:], secrets: [:])
            try await self.store.write { try $0.upsert(account) }
        }
        let (order, foreign) = (try self.make.order(of: merchant), try self.make.order(of: other))
        try await self.store.write { transaction in
            for order in [order, foreign] { try transaction.insert(order) }
        }
        let first = try await self.named("A, \u{FC}/1", "shop's \"1\"", of: merchant, orderID: order.id)
        let second = try await self.named("B", "A, \u{FC}/1", of: other, orderID: foreign.id)
        let third = try await self.named("B", "3", of: merchant)
        // The same as the first one's by Unicode's equivalence alone (Unicode Standard, section 3.7).
        let fourth = try await self.named("A, u\u{308}/1", "4", of: merchant)
        let names: [(String, Set<PaymentID>)] = [
            (first.id.text, [first.id]), (third.operations[0].id.text, [third.id]),
            ("A, \u{FC}/1", [first.id, second.id]), ("A, u\u{308}/1", [fourth.id]), ("B", [second.id, third.id]),
            ("network B", [second.id, third.id]),
            ("shop's \"1\"", [first.id]), (order.reference, [first.id]),
        ]
        let wanted = Dictionary(names.map { (ExactText($0), NamedPayments(ids: $1)) }) { one, _ in one }
        // Another merchant's order, what nobody has called so, and what leads nowhere.
        let unknown = [foreign.reference, "C", "a, ü/1", "A", "", "network", order.id.text, first.id.shortName]
        let asked = Set(wanted.keys).union(unknown.map { ExactText($0) })
        try await self.expectStored(
            wanted, "payments by their names"
        ) { try $0.payments(named: asked, of: merchant.id, limit: 9) }
        try await self.expectStored([:], "payments by no names") {
            try $0.payments(named: [], of: merchant.id, limit: 9)
        }
        let (many, one) = (ExactText("B"), ExactText("3"))
        let cut = try await self.store.read { try $0.payments(named: [many, one], of: merchant.id, limit: 2) }
        try self.expectEqual(
            cut[many], NamedPayments(ids: [second.id, third.id], isCut: true), "as many as are asked for")
        try self.expectEqual(cut[one], NamedPayments(ids: [third.id]), "fewer than are asked for")
    }

    func movementsAreListedByTheirNames() async throws {
        let merchant = try await self.storedMerchant()
        let order = try self.make.order(of: merchant)
        try await self.store.write { try $0.insert(order) }
        let first = try await self.named("A/0", "own", of: merchant, orderID: order.id)
        let capture = OperationRequest(id: self.make.id(), action: .capture(first.amount, isFinal: true))
        let begun = try first.transition(on: .begin(capture), at: self.make.time())
        let answer = AcquirerAnswer(reference: "A/1", networkReference: "N")
        let ended = try begun.payment.transition(
            on: .resolve(capture.id, .succeeded(approved: first.amount, answer)), at: self.make.time())
        try await self.store.write { try $0.update(begun.followed(by: ended), from: first.version) }
        let second = try await self.named("B", "3", of: merchant)
        let movements = [
            Movement(of: ended.payment, operation: first.operations[0].id),
            Movement(of: ended.payment, operation: capture.id),
            Movement(of: second, operation: second.operations[0].id),
        ].compactMap(\.self).sorted { $0.resolvedAt < $1.resolvedAt }
        let wanted = movements.map { MovementNames(of: $0, $0.payment.orderID == nil ? nil : order) }
        try self.expectEqual(wanted.count, 3, "movements")
        try await self.expectStored(wanted, "names of movements") {
            try $0.movementNames(MovementQuery(merchantID: merchant.id))
        }
        let captures = MovementQuery(merchantID: merchant.id, kinds: [.capture])
        try await self.expectStored(wanted.filter { $0.operationID == capture.id }, "names of captures") {
            try $0.movementNames(captures)
        }
        let page = MovementQuery(merchantID: merchant.id, after: wanted[0].cursor, limit: 1)
        try await self.expectStored([wanted[1]], "the names of a page") { try $0.movementNames(page) }
        try await self.expectStored([], "the names of no kinds") { try $0.movementNames(MovementQuery(kinds: [])) }
    }
}
