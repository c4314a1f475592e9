//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Money
import Payments
import Redaction
import Testing
import Time

@testable import pomona

/// A payment in words, as `pomona payments show` has it.
@Suite struct PaymentReportTests {
    private static let moment = Timestamp(milliseconds: 1_800_000_000_000)

    private static func money(_ minorUnits: Int64) throws -> Money {
        Money(minorUnits: minorUnits, currency: try #require(Currency.alphabetic("USD")))
    }

    private static func id<Tag>(_ number: UInt8) -> Identifier<Tag> {
        Identifier(at: Self.moment, random: [UInt8](repeating: number, count: 10))
    }

    /// A sale of 50.00.
    private static func sale() throws -> Payment {
        let amount = try Self.money(50_00)
        let payment = try Payment.opening(
            id: Self.id(1), merchantID: Self.id(2), mode: .sandbox, dialect: DialectName("alphapay"),
            acquirer: AcquirerName("simulator"), accountID: Self.id(3), orderID: nil, amount: amount,
            instrument: InstrumentSummary(
                maskedPAN: MaskedPAN(prefix: "411111", suffix: "1111", length: 16), network: .visa,
                expiryYearMonth: "3112", eci: "05", displayName: nil),
            authorizationID: Self.id(4), saleCaptureID: Self.id(5), at: Self.moment)
        let resolution = Resolution.succeeded(approved: amount, AcquirerAnswer())
        return try payment.transition(on: .resolve(Self.id(4), resolution), at: Self.moment).payment
    }

    private static func lines(_ payment: Payment) -> [String] {
        PaymentReport(payment, merchantName: "shop").fields.lines() + payment.possibleActs(nil, nil).fields.lines()
    }

    @Test func whatWasChargedBackStandsBesideWhatWasRefunded() throws {
        let sale = try Self.sale()
        #expect(!Self.lines(sale).contains { $0.contains("charged back") })
        let report = AcquirerReport(id: Self.id(6), event: .chargedBack(try Self.money(4_00)))
        let after = try sale.transition(on: .report(report), at: Self.moment).payment
        let lines = Self.lines(after)
        let sums = lines.filter { line in
            ["captured ", "refunded ", "charged back "].contains { line.dropFirst(2).hasPrefix($0) }
        }
        #expect(sums.compactMap { $0.split(separator: " ").suffix(2).first } == ["50.00", "0.00", "4.00"], "\(sums)")
        // Without a refund, "already refunded" would be a riddle.
        let void = try #require(lines.first { $0.dropFirst(2).hasPrefix("void ") })
        #expect(void.hasSuffix("no: already refunded or charged back"))
    }
}
