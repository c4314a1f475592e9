//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import MemoryStore
import Payments
import Redaction

extension TestGateway {
    /// Every text and every run of bytes in the store, redacted values revealed: what a page scan of a database would
    /// see, and a little more. A store in memory is walked whole; of another one the rows that can be listed (scan its
    /// file, too).
    public func everythingStored() async throws -> [[UInt8]] {
        let isInMemory = self.store is MemoryStore
        return try await self.store.read { reader in
            var bytes = StoredBytes()
            if isInMemory {
                bytes.take(reader, depth: 0)
            } else {
                try bytes.takeRows(reader)
            }
            return bytes.found
        }
    }
}

/// Walks a value by reflection.
struct StoredBytes {
    private(set) var found: [[UInt8]] = []

    mutating func takeRows(_ reader: any StoreReader) throws {
        for merchant in try reader.merchants() {
            self.take(merchant, depth: 0)
            self.take(try reader.accounts(of: merchant.id), depth: 0)
            self.take(try reader.acquirerAccounts(of: merchant.id), depth: 0)
            self.take(try reader.routes(of: merchant.id), depth: 0)
        }
        self.take(try reader.appleCredentials(of: nil), depth: 0)
        self.take(try reader.dataKeys(), depth: 0)
        for payment in try reader.payments(PaymentQuery(limit: 10_000)) {
            self.take(payment, depth: 0)
            self.take(try payment.orderID.flatMap { try reader.order($0) } as Any, depth: 0)
            self.take(try reader.events(of: payment.id), depth: 0)
            self.take(try reader.journal(of: payment.id), depth: 0)
        }
    }

    mutating func take(_ value: Any, depth: Int) {
        // A value that refers to itself would have no end; stored rows are shallow.
        guard depth < 40 else { return }
        switch value {
        case let text as String: self.found.append(Array(text.utf8))
        case let bytes as [UInt8]: self.found.append(bytes)
        case let hidden as Redacted<String>: self.found.append(Array(hidden.reveal().utf8))
        case let hidden as Redacted<[UInt8]>: self.found.append(hidden.reveal())
        case is any BinaryInteger, is Bool: return
        default:
            for child in Mirror(reflecting: value).children { self.take(child.value, depth: depth + 1) }
        }
    }
}
