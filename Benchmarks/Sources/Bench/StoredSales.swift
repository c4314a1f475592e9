//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Redaction
import SQLiteStore
import Time

/// Sales that are written into a store as they would stand in it, without an acquirer that is asked.
enum StoredSales {
    /// - Parameters:
    ///   - inTheHour: how many are in the hour after the moment, seven seconds apart; the others are before it, ten apart.
    static func fill(
        _ store: SQLiteStore, _ count: Int, of account: AcquirerAccount, inTheHour: Int = 0, after hour: Timestamp
    ) async throws {
        for start in stride(from: 0, to: count, by: 1000) {
            try await store.write { transaction in
                for number in start..<min(start + 1000, count) {
                    let left = count - number
                    let moment =
                        left > inTheHour
                        ? hour.adding(seconds: Int64(inTheHour - left) * 10)
                        : hour.adding(seconds: Int64(inTheHour - left) * 7)
                    try Self.sell(number + 1, account, at: moment, in: transaction)
                }
            }
        }
    }

    private static func sell(
        _ number: Int, _ account: AcquirerAccount, at moment: Timestamp, in transaction: any StoreTransaction
    ) throws {
        guard let currency = Currency.alphabetic("CAD") else { throw BenchError("there is no CAD") }
        let amount = Money(minorUnits: 1099, currency: currency)
        let opened = try Payment.opening(
            id: Self.id(number, at: moment), merchantID: account.merchantID, mode: account.mode,
            dialect: DialectName("bench"), acquirer: account.connector, accountID: account.id, orderID: nil,
            amount: amount,
            instrument: InstrumentSummary(
                maskedPAN: MaskedPAN(prefix: "411111", suffix: "1111", length: 16), network: .visa,
                expiryYearMonth: "3112", eci: "05", displayName: "Visa 1111"),
            authorizationID: Self.id(2 * number, at: moment), saleCaptureID: Self.id(2 * number + 1, at: moment),
            at: moment)
        let sold = try opened.transition(
            on: .resolve(
                opened.operations[0].id,
                .succeeded(
                    approved: amount,
                    AcquirerAnswer(reference: "123456789012", authorizationCode: "A1B2C3", responseCode: "00"))),
            at: moment)
        try transaction.insert(opened)
        try transaction.update(sold, from: opened.version)
    }

    /// An id of its own for each number and moment.
    static func id<Tag>(_ number: Int, at moment: Timestamp) -> Identifier<Tag> {
        let digits = (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * (3 - $0))) }
        return Identifier<Tag>(at: moment, random: [0, 0, 0, 0, 0, 0] + digits)
    }
}
