//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
public import Payments
import Time

/// The lines of a report on transactions, page by page, earliest first. Each page is a read of its own and nothing of the
/// earlier ones is kept, so that a report of any length takes the memory of a page.
///
/// Pages neither skip nor repeat what was committed before the first (``MovementQuery``).
public struct TransactionPages: AsyncSequence, Sendable {
    public typealias Element = [TransactionLine]

    let administration: Administration
    let query: MovementQuery

    public func makeAsyncIterator() -> Iterator { Iterator(administration: self.administration, query: self.query) }

    public struct Iterator: AsyncIteratorProtocol {
        let administration: Administration
        var query: MovementQuery
        private var isDone = false

        init(administration: Administration, query: MovementQuery) {
            self.administration = administration
            self.query = query
        }

        /// - Throws: `StoreError`.
        public mutating func next() async throws -> [TransactionLine]? {
            guard !self.isDone else { return nil }
            let query = self.query
            let page = try await self.administration.search { reader in
                let movements = try reader.movements(query)
                var names = try PaymentNames(of: movements.map(\.payment), in: reader)
                return try movements.map { try TransactionLine($0, &names, in: reader) }
            }
            self.isDone = page.count < query.limit
            self.query.after = page.last?.movement.cursor
            return page.isEmpty ? nil : page
        }
    }
}

extension Administration {
    /// How many lines a page of a report has.
    public static let reportPageCount = 500

    /// What was resolved, failed operations among it, of a merchant or of all.
    ///
    /// - Parameter query: its kinds, window and so on; how many at once is decided here unless it says less.
    public func transactions(_ query: MovementQuery) -> TransactionPages {
        var query = query
        query.limit = Swift.min(Swift.max(1, query.limit), Self.reportPageCount)
        return TransactionPages(administration: self, query: query)
    }
}
