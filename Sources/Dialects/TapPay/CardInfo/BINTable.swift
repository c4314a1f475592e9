//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

/// Whose card a number is, by its first digits: the BIN (ISO/IEC 7812-1: issuer identification number).
///
/// Of a number the gateway shows six digits, and so a range has one to six. The row with the longest prefix wins: an
/// issuer's row stands before its network's.
///
/// The gateway's own table knows the networks and the cards of the simulator. Which bank issued a card is nowhere public:
/// an operator who has a table puts it in its place (docs/configuration.md, `tappay.binTableFile`).
public struct BINTable: Sendable {
    struct Row: Hashable, Sendable {
        let first: UInt32
        let last: UInt32
        /// How many digits the range's ends have.
        let digitsCount: Int
        let network: Network
        let funding: Funding
        let issuer: String
        let issuerZhTw: String
        let bankID: String
        let level: String
        let country: String
        let countryCode: String
    }

    /// `type` of card_info; the raw value stands in the table.
    enum Network: String, CaseIterable, Hashable, Sendable {
        case unknown, visa, mastercard, jcb, unionpay, amex

        var number: Int {
            switch self {
            case .unknown: -1
            case .visa: 1
            case .mastercard: 2
            case .jcb: 3
            case .unionpay: 4
            case .amex: 5
            }
        }
    }

    /// `funding` of card_info; the raw value stands in the table.
    enum Funding: String, CaseIterable, Hashable, Sendable {
        case unknown, credit, debit, prepaid

        var number: Int {
            switch self {
            case .unknown: -1
            case .credit: 0
            case .debit: 1
            case .prepaid: 2
            }
        }
    }

    /// Of a number, as far as it is shown.
    static let digitsMax = 6

    /// By the number of digits, each sorted by `first`; the ranges of one list do not overlap.
    private let rows: [[Row]]

    /// For ranges of which none overlaps another of the same number of digits.
    init(disjoint rows: [Row]) {
        self.rows = (0...Self.digitsMax).map { count in
            rows.filter { $0.digitsCount == count }.sorted { $0.first < $1.first }
        }
    }

    /// How many ranges it has.
    public var count: Int { self.rows.reduce(0) { $0 + $1.count } }

    /// The row of the longest prefix.
    func row(of bin: String) -> Row? {
        let digits = bin.utf8.prefix(Self.digitsMax)
        guard digits.allSatisfy(ASCII.isDigit) else { return nil }
        for count in stride(from: digits.count, to: 0, by: -1) {
            let value = digits.prefix(count).reduce(UInt32(0)) { $0 * 10 + UInt32($1 - 0x30) }
            if let row = Self.find(value, in: self.rows[count]) { return row }
        }
        return nil
    }

    private static func find(_ value: UInt32, in rows: [Row]) -> Row? {
        var low = rows.startIndex
        var high = rows.endIndex
        while low < high {
            let middle = low + (high - low) / 2
            let row = rows[middle]
            if value < row.first {
                high = middle
            } else if value > row.last {
                low = middle + 1
            } else {
                return row
            }
        }
        return nil
    }
}

extension BINTable {
    /// The gateway's own table.
    public static let standard: BINTable = {
        // A test reads the file: that it is unreadable here cannot be.
        (try? BINTable(csv: PackageResources.bin_table_csv)) ?? BINTable(disjoint: [])
    }()
}
