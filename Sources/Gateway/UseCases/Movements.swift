//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments

/// A movement, with its payment's order.
public struct MovementItem: Hashable, Sendable {
    public let movement: Movement
    public let order: Order?

    public init(movement: Movement, order: Order?) {
        self.movement = movement
        self.order = order
    }
}

extension Gateway {
    private static let movementsPerRead = 500

    /// Adds up all of the merchant's movements that fit, earliest first: the whole window, which is read page by page and of
    /// which nothing is kept but the sum. What came to nothing after it had succeeded is left out, as it is shown everywhere.
    /// The query's merchant and limit are set here.
    ///
    /// - Throws: ``GatewayRefusal/storeUnavailable``, also where it took longer than anybody waits for its answer.
    public func sum<Sum: Sendable>(
        of query: MovementQuery, merchant: MerchantContext, from start: Sum,
        _ add: @escaping @Sendable (_ sum: inout Sum, _ movement: Movement) -> Void
    ) async throws(GatewayRefusal) -> Sum {
        var own = query
        own.merchantID = merchant.merchant.id
        own.limit = Self.movementsPerRead
        let first = own
        return try await self.walk(of: merchant.merchant.id) { walk in
            var (sum, query) = (start, first)
            while true {
                let page = query
                let movements = try await walk.read { try $0.movements(page) }
                for movement in movements
                where movement.payment.currentState(of: movement.operation) == movement.operation.state {
                    add(&sum, movement)
                }
                guard movements.count == Self.movementsPerRead else { return sum }
                query.after = movements.last?.cursor
            }
        }
    }

    /// The movements with their payments' orders: for the few that are shown of many.
    public func items(of movements: [Movement]) async throws(GatewayRefusal) -> [MovementItem] {
        guard !movements.isEmpty else { return [] }
        let orders = try await self.reading { try $0.orders(of: movements.map(\.payment)) }
        return movements.map { movement in
            MovementItem(movement: movement, order: movement.payment.orderID.flatMap { orders[$0] })
        }
    }
}
