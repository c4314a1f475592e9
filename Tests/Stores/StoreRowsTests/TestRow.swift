//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import Time

/// A row of values that were made for a statement: what was written is read.
struct TestRow: RowColumns {
    let table = "things"
    private let names: [String]
    private let values: RowArguments
    private var index = 0

    init(_ names: String, _ values: RowArguments) {
        self.names = names.split(separator: ", ").map(String.init)
        self.values = values
    }

    /// Whether there is a value for each name, and each has been read.
    var isReadWhole: Bool { self.names.count == self.values.count && self.index == self.values.count }

    var corrupt: StoreError { self.corrupt(self.names[self.index - 1]) }

    private mutating func next() throws -> RowValue {
        guard self.index < self.values.count else { throw StoreError.corrupt(self.table) }
        self.index += 1
        return self.values[self.index - 1]
    }

    mutating func optionalText() throws -> String? {
        switch try self.next() {
        case .text(let text): text
        case .null: nil
        default: throw self.corrupt
        }
    }

    mutating func optionalInteger() throws -> Int64? {
        switch try self.next() {
        case .integer(let integer): integer
        case .null: nil
        default: throw self.corrupt
        }
    }

    mutating func flag() throws -> Bool {
        guard case .flag(let flag) = try self.next() else { throw self.corrupt }
        return flag
    }

    mutating func optionalBytes() throws -> [UInt8]? {
        switch try self.next() {
        case .bytes(let bytes): bytes
        case .null: nil
        default: throw self.corrupt
        }
    }
}

enum Sample {
    static func time(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: 1_750_000_000_000 + milliseconds) }

    static let dialect = DialectName("alphapay")

    static func id<Tag>(_ number: UInt8, _ type: Identifier<Tag>.Type = Identifier<Tag>.self) -> Identifier<Tag> {
        Identifier<Tag>(at: self.time(0), random: [0, 0, 0, 0, 0, 0, 0, 0, 0, number])
    }
}
