//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Testing

/// Refunds that name no capture, to acquirers that know captures by name.
@Suite("The capture that a refund takes its money from")
struct CaptureOfRefundTests {
    private static let twoCaptures = "open 1000, a succeeds, c capture 400, c succeeds, d capture 600, d succeeds"

    private static func payment(_ lines: String) throws -> Payment {
        try Story(lines.replacing(", ", with: "\n")).payment
    }

    private static func capture(
        of payment: Payment, refunding amount: Int64, by rule: Payment.RefundedCapture
    ) -> OperationID? {
        payment.capture(refunding: Money(minorUnits: amount, currency: payment.amount.currency), by: rule)?.id
    }

    @Test(arguments: [
        // The first that has enough.
        ("", 400, "c"), ("", 401, "d"), ("", 600, "d"),
        // No single one has.
        ("", 601, nil),
        // What earlier refunds have taken is gone, also where nobody knows yet whether they have.
        ("r refund 300, r succeeds", 100, "c"), ("r refund 300, r succeeds", 101, "d"),
        ("r refund 300, r unknown", 101, "d"), ("r refund 300", 101, "d"),
        ("r refund 300, r declined", 400, "c"), ("r refund 300 c, r succeeds", 200, "d"),
        ("r refund 400, r succeeds, s refund 600, s succeeds", 1, nil),
        ("r refund 500, r succeeds, s refund 100, s succeeds", 300, "c"),
        // A void gives it back to nobody.
        ("v void c, v succeeds", 100, nil),
        // Nor is there more of the capture that a chargeback names; what the bank has given up is there again.
        ("b chargeback 300 c", 100, "c"), ("b chargeback 300 c", 101, "d"), ("b chargeback 400", 400, "c"),
        ("b chargeback 400 c, f failure b", 400, "c"), ("b chargeback 500 c", 1, "d"),
        // A refund that was taken back has taken nothing.
        ("r refund 300, r succeeds, v void r, v succeeds", 400, "c"),
    ])
    func hasEnoughLeft(_ story: String, _ amount: Int64, _ capture: String?) throws {
        let payment = try Self.payment([Self.twoCaptures, story].filter { !$0.isEmpty }.joined(separator: ", "))
        #expect(Self.capture(of: payment, refunding: amount, by: .first) == capture.map(Story.id))
    }

    /// What is chosen for a refund that begins now, and is kept with it.
    @Test(arguments: [
        // Just as much is left, or the smallest that has enough.
        ("", 600, "d"), ("", 400, "c"), ("", 401, "d"), ("", 100, "c"), ("", 601, nil),
        ("r refund 400 c, r succeeds", 600, "d"), ("r refund 500 d, r succeeds", 100, "d"),
        ("r refund 500 d, r succeeds", 101, "c"), ("r refund 500 d, r unknown", 100, "d"),
        // The rule for those that keep none counts, too.
        ("r refund 400, r succeeds", 600, "d"), ("r refund 300, r succeeds", 100, "c"),
        ("v void c, v succeeds", 100, nil), ("b chargeback 300 c", 100, "c"), ("b chargeback 300 c", 101, "d"),
    ])
    func fits(_ story: String, _ amount: Int64, _ capture: String?) throws {
        let payment = try Self.payment([Self.twoCaptures, story].filter { !$0.isEmpty }.joined(separator: ", "))
        #expect(Self.capture(of: payment, refunding: amount, by: .smallest) == capture.map(Story.id))
    }

    /// What a bank has taken back of one capture cannot be given back of that once more.
    @Test(arguments: [
        ("b chargeback 400 c", "r refund 1 c", "alreadyRefunded"),
        ("b chargeback 400 c", "r refund 600 d", "captured 1000/1000/0"),
        ("b chargeback 100 c", "r refund 300 c", "captured 1000/1000/0"),
        ("b chargeback 100 c", "r refund 301 c", "refundExceedsCaptured"),
        ("b chargeback 100 c", "v void c", "alreadyRefunded"),
        ("b chargeback 100 c", "v void d", "captured 1000/1000/0"),
        // More than the capture was: it is gone of the payment.
        ("b chargeback 500 c", "r refund 1 c", "alreadyRefunded"),
        ("b chargeback 500 c", "r refund 501 d", "refundExceedsCaptured"),
        ("b chargeback 500 c", "r refund 500 d", "captured 1000/1000/0"),
        // Refunded before, and taken back by the bank all the same.
        ("r refund 400 c, r succeeds, b chargeback 400 c", "s refund 1 c", "alreadyRefunded"),
        // One that names none is held against the payment alone, as all were.
        ("b chargeback 400", "r refund 400 c", "captured 1000/1000/0"),
        ("b chargeback 400 c, f failure b", "r refund 400 c", "captured 1000/1000/0"),
    ])
    func chargebackIsHeldAgainstItsCapture(_ story: String, _ event: String, _ result: String) throws {
        var story = try Story((Self.twoCaptures + ", " + story).replacing(", ", with: "\n"))
        #expect(try story.result(of: event) == result)
    }

    /// Acquirers took such refunds without a name before there was a second capture.
    @Test(arguments: ["open 1000 sale, a succeeds", "open 1000, a succeeds, c capture 400, c succeeds"])
    func isNotNamedWhereThereIsOneAlone(_ story: String) throws {
        let payment = try Self.payment(story)
        #expect(Self.capture(of: payment, refunding: 1, by: .first) == nil)
        #expect(Self.capture(of: payment, refunding: 1, by: .smallest) == nil)
    }
}
