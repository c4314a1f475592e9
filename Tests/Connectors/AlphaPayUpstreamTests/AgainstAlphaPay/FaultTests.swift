//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Money
import Payments
import SimulatorAcquirer
import Synchronization
import TestGateway
import TestUpstream
import Testing

/// Every operation through a network that cuts, garbles and repeats: whatever happens to a request, what is said of it is
/// so.
@Suite struct FaultTests {
    enum Kind: CaseIterable {
        /// `pay`: its order is asked for over a sound network.
        case sale
        /// The order as well: `preOrder` and `pay`.
        case order
        case refund
        /// `cancel`, of an order that nobody has paid.
        case cancellation
        /// `cancel`, an inquiry and `refund`: the order has been paid.
        case reversal
    }

    private struct NotPrepared: Error {}

    private struct Operations: FaultSubject {
        let kind: Kind
        let vendor: Vendor
        let orders = Orders()
        /// Each takes a connection, and there are thousands. What is in the later messages is like the first.
        var placesStride: Int {
            switch self.kind {
            case .sale: 3
            case .order, .reversal: 29
            case .refund, .cancellation: 11
            }
        }
        var garbledRequestsStride: Int { self.kind == .sale ? 5 : 31 }

        var other: OtherGateway { self.vendor.other }
        var answersAreSigned: Bool { true }
        /// A signature has 344 characters of Base64, of which about eleven are percent-encoded.
        var requestLengthVariance: Int { 64 }

        func acquirer(_ client: UpstreamClient, port: Int) throws -> any Acquirer {
            let acquirer = try self.vendor.acquirer(client, port: port)
            return self.kind == .order ? Ordering(base: acquirer, orders: self.orders) : acquirer
        }

        func operation(_ number: Int, _ sound: any Acquirer) async throws -> AcquirerRequest {
            let amount = try Bench.money(3010)
            let charge = Charge(instrument: try self.vendor.instrument(amount), network: .visa, captures: true)
            let opening = Bench.request(
                .authorize(charge), amount, operation: OperationID(2 * number, at: Bench.at))
            if self.kind == .order { return opening }
            guard case .ready(let memo) = await sound.prepare(opening) else { throw NotPrepared() }
            let sale = opening.with(memo)
            if self.kind == .sale { return sale }
            if self.kind != .cancellation { _ = await sound.perform(sale) }
            let original = Bench.original(.authorization, amount, id: sale.operationID, memo: memo)
            self.orders.note(memo, of: sale.operationID)
            return Bench.request(
                self.kind == .refund ? .refund(of: original, capture: nil) : .reverse(original), amount,
                operation: OperationID(2 * number + 1, at: Bench.at))
        }

        func positions() async throws -> [String: SimulatorPosition] {
            guard self.kind == .cancellation else { return try await self.vendor.positions() }
            // Nothing was paid: an order that is closed counts as one that is given back.
            var positions: [String: SimulatorPosition] = [:]
            for (id, order) in try await self.orders.read(self.vendor) where order.canceledAt != nil {
                let zero = Money.zero(order.amount.currency)
                positions[id.text] = SimulatorPosition(
                    authorized: zero, captured: zero, refunded: zero, voided: order.amount, released: zero)
            }
            return positions
        }

        func booked(of request: AcquirerRequest, in positions: [String: SimulatorPosition]) -> Money? {
            positions[(request.original?.id ?? request.operationID).text].map { position in
                switch self.kind {
                case .sale, .order: position.captured
                case .refund, .reversal: position.refunded
                case .cancellation: position.voided
                }
            }
        }

        func find(
            _ request: AcquirerRequest, after outcome: AcquirerOutcome, _ sound: any Acquirer
        ) async -> AcquirerQueryOutcome? {
            switch self.kind {
            case .sale, .refund, .reversal: return await sound.query(request.asQuery)
            case .order:
                let memo = self.orders.memo(of: request.operationID)
                return await sound.query(request.with(memo).asQuery)
            case .cancellation:
                // What a reversal has closed, the order says.
                guard let original = request.original else { return nil }
                switch await sound.query(Bench.query(original)) {
                case .reversed:
                    return .approved(
                        AcquirerApproval(amount: request.amount, answer: AcquirerAnswer(), memo: original.memo))
                case .unknown(.unclear("in_process")): return .notFound
                case let found: return found
                }
            }
        }

        func allows(_ finding: FaultFinding) -> Bool {
            if finding.isOfAnotherStatus { return true }
            guard finding.isNothingBooked else { return false }
            switch (finding.outcome, finding.found) {
            // An order that is not paid is answered like one whose payment is under way.
            case (.notProcessed, .unknown(.unclear("in_process"))), (.unknown, .unknown(.unclear("in_process"))):
                return self.kind == .sale || self.kind == .order
            default: return false
            }
        }
    }

    /// What was noted of orders, by the sales that they are for.
    private final class Orders: Sendable {
        private let memos = Mutex<[OperationID: AcquirerMemo]>([:])

        func note(_ memo: AcquirerMemo, of id: OperationID) { self.memos.withLock { $0[id] = memo } }

        func memo(of id: OperationID) -> AcquirerMemo { self.memos.withLock { $0[id] } ?? AcquirerMemo() }

        func read(_ vendor: Vendor) async throws -> [(OperationID, Order)] {
            let ids = self.memos.withLock { $0 }.compactMapValues { $0["paymentId"].flatMap(OrderID.init) }
            return try await vendor.test.store.read { store in
                try ids.compactMap { id, order in try store.order(order).map { (id, $0) } }
            }
        }
    }

    /// Asks for the order and pays it, as the gateway does, and keeps what is noted in between.
    private struct Ordering: WrappedAcquirer {
        let base: any Acquirer
        let orders: Orders

        func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
            switch await self.base.prepare(request) {
            case .notProcessed(let not): return .notProcessed(not)
            case .ready(let memo):
                self.orders.note(memo, of: request.operationID)
                return await self.base.perform(request.with(memo))
            }
        }
    }

    @Test(arguments: FaultLaw.allCases, Kind.allCases) func keeps(_ law: FaultLaw, _ kind: Kind) async throws {
        try await law.check(Operations(kind: kind, vendor: try await Vendor.open()))
    }
}
