//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Money
import Payments
import Redaction
import Testing
import Time

/// A payment's story, written line by line, so that tables of transitions read as tables.
///
/// | line | event |
/// |---|---|
/// | `open 1000`, `open 1000 sale`, `open 1000 partial` | a payment; its authorization is `a`, a sale's capture `s` |
/// | `c capture 400`, `c capture 400 final` | a capture named `c` is begun |
/// | `verify 0` | a payment that only verifies a card; its verification is `a` |
/// | `v void`, `r refund 100`, `x reversal c` | a void, a refund, the reversal of `c` |
/// | `v void c`, `j adjust 1500` | the void of `c`, an adjustment of the authorization's total |
/// | `r refund 100 c` | a refund of the capture `c` |
/// | `c succeeds`, `c succeeds 300`, `c declined`, `c reversed`, `c unknown` | how it ends |
/// | `f failure c`, `b chargeback 400` | the acquirer reports that `c` came to nothing, or a chargeback |
/// | `b chargeback 400 fee 25 as cb1` | the same with a fee that it keeps, and its name for the report |
///
/// An amount may name a currency ("400USD"); without, it is CAD.
struct Story {
    static let start = Timestamp(seconds: 1_780_000_000)

    /// A table has a line that means nothing.
    struct Unreadable: Error, CustomStringConvertible {
        let line: String
        var description: String { "no event: \"\(self.line)\"" }
    }

    private(set) var current: Payment?
    private(set) var journal: [JournalEntry] = []
    /// The payment in each version.
    private(set) var versions: [Payment] = []
    private var linesCount: Int64 = 0

    init() {}

    init(_ lines: String...) throws {
        for line in lines.flatMap({ $0.split(separator: "\n") }) { try self.apply(String(line)) }
    }

    var payment: Payment { get throws { try #require(self.current) } }

    /// Every line at its own time.
    private var now: Timestamp { Story.start.adding(milliseconds: self.linesCount) }

    /// - Returns: what the event booked.
    @discardableResult
    mutating func apply(_ line: String) throws -> [JournalEntry] {
        let words = line.split(separator: " ").map(String.init)
        guard words.count >= 2 else { throw Unreadable(line: line) }
        self.linesCount += 1
        guard words[0] != "open", words[0] != "verify" else {
            try words[0] == "open" ? self.open(words) : self.verify(words)
            return []
        }
        let change = try self.payment.transition(on: self.event(words, line), at: self.now)
        self.current = change.payment
        self.journal += change.journal
        self.versions.append(change.payment)
        return change.journal
    }

    private mutating func open(_ words: [String]) throws {
        let opened = try Payment.opening(
            id: Story.paymentID, merchantID: Story.merchantID, mode: .sandbox, dialect: DialectName("test"),
            acquirer: AcquirerName("simulator"), accountID: Story.accountID, orderID: nil,
            amount: Story.money(words[1]),
            instrument: Story.instrument, authorizationID: Story.id("a"),
            saleCaptureID: words.contains("sale") ? Story.id("s") : nil,
            acceptsPartialApproval: words.contains("partial"), at: self.now)
        self.current = opened
        self.versions = [opened]
        self.journal = []
    }

    private mutating func verify(_ words: [String]) throws {
        let opened = Payment.verifying(
            id: Story.paymentID, merchantID: Story.merchantID, mode: .sandbox, dialect: DialectName("test"),
            acquirer: AcquirerName("simulator"), accountID: Story.accountID, orderID: nil,
            currency: try Story.money(words[1]).currency,
            instrument: Story.instrument, verificationID: Story.id("a"), at: self.now)
        self.current = opened
        self.versions = [opened]
        self.journal = []
    }

    private func event(_ words: [String], _ line: String) throws -> PaymentEvent {
        let id = Story.id(words[0])
        let argument = words.count > 2 ? words[2] : nil
        switch (words[1], argument) {
        case ("failure", let target?):
            return .report(try Story.report(id, .failed(Story.id(target), .suspectedFraud), words))
        case ("chargeback", let amount?):
            let capture = words.count > 3 && !["fee", "as"].contains(words[3]) ? Story.id(words[3]) : nil
            return .report(try Story.report(id, .chargedBack(try Story.money(amount), of: capture), words))
        case ("capture", let amount?):
            return .begin(
                OperationRequest(id: id, action: .capture(try Story.money(amount), isFinal: words.contains("final"))))
        case ("refund", let amount?):
            let capture = words.count > 3 ? Story.id(words[3]) : nil
            return .begin(OperationRequest(id: id, action: .refund(try Story.money(amount), of: capture)))
        case ("void", let target):
            return .begin(OperationRequest(id: id, action: .void(of: target.map(Story.id))))
        case ("adjust", let amount?):
            return .begin(OperationRequest(id: id, action: .adjustment(try Story.money(amount))))
        case ("reversal", let target?):
            return .begin(OperationRequest(id: id, action: .reversal(of: Story.id(target))))
        case ("succeeds", let amount):
            let asked = try self.payment.operation(id)?.amount ?? Story.money("1")
            return .resolve(id, .succeeded(approved: try amount.map(Story.money) ?? asked, Story.answer(words[0])))
        case ("declined", nil): return .resolve(id, .failed(.declined(.doNotHonor), Story.answer(words[0])))
        case ("reversed", nil): return .resolve(id, .failed(.reversed, Story.answer(words[0])))
        case ("unknown", nil): return .resolve(id, .unknown(.unclear))
        case ("accepted", nil): return .resolve(id, .accepted(AcquirerAnswer()))
        case ("notProcessed", nil): return .resolve(id, .failed(.notProcessed(.busy), AcquirerAnswer()))
        default: throw Unreadable(line: line)
        }
    }

    /// What the acquirer reports by itself, with the fee and the name that the line has for it.
    private static func report(
        _ id: OperationID, _ event: AcquirerReport.Event, _ words: [String]
    ) throws -> AcquirerReport {
        func value(of name: String) -> String? {
            words.dropFirst(3).firstIndex(of: name).flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
        }
        return AcquirerReport(
            id: id, event: event, fee: try value(of: "fee").map(Story.money), reference: value(of: "as"))
    }

    /// What an event leaves behind, in words: "captured 1000/400/0 + capture 400 + release 600", or the name of the
    /// refusal.
    mutating func result(of line: String) throws -> String {
        do {
            let booked = try self.apply(line)
            let payment = try self.payment
            let sums = [payment.authorizedAmount, payment.capturedAmount, payment.refundedAmount]
                .map { String($0.minorUnits) }.joined(separator: "/")
            return booked.reduce("\(payment.state.rawValue) \(sums)") { text, entry in
                // The first leg's amount: of a capture, both legs have the same.
                "\(text) + \(entry.kind.rawValue) \(entry.postings.first?.amount.minorUnits ?? 0)"
            }
        } catch let refusal as PaymentRefusal {
            return refusal.rawValue
        }
    }

    // MARK: - Values

    static let paymentID = PaymentID(at: Story.start, random: [1])
    static let merchantID = MerchantID(at: Story.start, random: [2])
    static let accountID = AcquirerAccountID(at: Story.start, random: [3])
    static let instrument = InstrumentSummary(
        maskedPAN: MaskedPAN(prefix: "489537", suffix: "5671", length: 16), network: .visa, expiryYearMonth: "2812",
        eci: "05", displayName: "Visa 1234")

    static func id(_ name: String) -> OperationID { OperationID(at: Story.start, random: Array(name.utf8)) }

    static func answer(_ name: String) -> AcquirerAnswer { AcquirerAnswer(reference: "reference of \(name)") }

    static func money(_ text: String) throws -> Money {
        let code = text.drop { $0.isNumber || $0 == "-" }
        let currency = try #require(Currency.alphabetic(code.isEmpty ? "CAD" : String(code)))
        return Money(minorUnits: try #require(Int64(text.dropLast(code.count))), currency: currency)
    }
}
