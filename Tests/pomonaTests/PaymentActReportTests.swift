//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Gateway
import Money
import Payments
import Redaction
import Testing
import Time

@testable import pomona

/// What a command says of an operator's refund is what the list of approvals says of an approved one.
@Suite struct PaymentActReportTests {
    private static let moment = Timestamp(milliseconds: 1_800_000_000_000)

    private static func id<Tag>(_ number: UInt8) -> Identifier<Tag> {
        Identifier(at: Self.moment, random: [UInt8](repeating: number, count: 10))
    }

    private static func report(
        _ state: Payments.Operation.State, isAlone: Bool = false, isRepeat: Bool = false
    ) throws -> (report: PaymentActReport, refund: Payments.Operation) {
        let amount = Money(minorUnits: 10_00, currency: try #require(Currency.alphabetic("EUR")))
        let payment = try Payment.opening(
            id: Self.id(1), merchantID: Self.id(2), mode: .sandbox, dialect: DialectName("alphapay"),
            acquirer: AcquirerName("simulator"), accountID: Self.id(3), orderID: nil, amount: amount,
            instrument: InstrumentSummary(
                maskedPAN: MaskedPAN(prefix: "411111", suffix: "1111", length: 16), network: .visa,
                expiryYearMonth: "3112", eci: "05", displayName: nil),
            authorizationID: Self.id(4), saleCaptureID: Self.id(5), at: Self.moment)
        let refund = Payments.Operation(
            id: Self.id(6), kind: .refund, amount: amount, begunAt: Self.moment, begunInVersion: 2, state: state)
        let outcome = OperationOutcome(payment: payment, operation: refund, order: nil, isRepeat: isRepeat)
        return (PaymentActReport(outcome: outcome, merchantName: "shop", key: "k-1", isAlone: isAlone), refund)
    }

    private static let states: [Payments.Operation.State] = [
        .accepted, .pending, .unknown, .failed(.declined(.doNotHonor)), .failed(.notProcessed(.notSent)),
        .failed(.reversed),
    ]

    @Test(arguments: Self.states) func namesAnEndAsApprovalsDo(_ state: Payments.Operation.State) throws {
        let (report, refund) = try Self.report(state)
        let end = try #require(state.end(of: "the refund of \(refund.amount) (\(refund.id))"))
        #expect(report.text.hasPrefix(end) && report.text.hasSuffix("The key of this act is k-1."), "\(report.text)")
        let finds = "A running gateway finds it out; see pomona payments show \(refund.id)."
        #expect(report.text.contains(finds) == (state == .pending || state == .unknown), "\(report.text)")
    }

    @Test func whatIsDoneSaysHowThePaymentStands() throws {
        let (report, refund) = try Self.report(.succeeded, isRepeat: true)
        #expect(Payments.Operation.State.succeeded.end(of: "it") == nil && report.exit == nil)
        let begin = "Nothing was done again; with this key: Done: the refund of \(refund.amount) (\(refund.id)). "
        #expect(report.text.hasPrefix(begin), "\(report.text)")
    }

    @Test func withoutAGatewayNothingFindsOut() throws {
        let (report, _) = try Self.report(.unknown, isAlone: true)
        #expect(report.text.contains("it is found out when one is started") && report.exit == ExitCode(2))
    }

    @Test(
        arguments: [
            (.failed(.declined(.doNotHonor)), "The acquirer declined it: do not honor. Nothing was moved."),
            (.failed(.reversed), "Nobody could know how it ended, so it was taken back. Nothing is moved."),
            (.accepted, "The acquirer has taken it and decides later."),
            (.pending, "It is not known yet how it ended, and it counts as done until it is."),
        ] as [(Payments.Operation.State, String)])
    func isAWholeSentence(_ state: Payments.Operation.State, _ sentence: String) {
        #expect(state.end(of: "it") == sentence)
    }
}
