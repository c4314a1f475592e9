//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Payments
import Redaction
import StrictJSON
import Time

/// How a call ended, by the two ways in which the port says so.
enum LinkOutcome: Hashable, Sendable {
    case operation(AcquirerOutcome)
    case query(AcquirerQueryOutcome)
    case preparation(AcquirerPreparation)
}

/// An answer on the wire. It names the call, the operation and the number of the request, so that it cannot be taken
/// for another's.
struct LinkAnswer: Hashable, Sendable {
    let number: UInt64
    let call: LinkCall
    let operationID: OperationID
    let outcome: LinkOutcome
}

/// The words of outcomes on the wire.
private enum Word: String {
    case approved
    case declined
    case accepted
    case notProcessed
    case unknown
    case reversed
    case notFound
    case ready
}

// MARK: - Writing

extension LinkAnswer {
    var json: JSON {
        [
            "type": "answer", "number": JSON(self.number), "call": .string(self.call.rawValue),
            "operation": .string(self.operationID.text), "outcome": self.outcome.json,
        ]
    }
}

extension LinkOutcome {
    var json: JSON {
        switch self {
        case .operation(.approved(let approval)), .query(.approved(let approval)):
            [
                "is": .string(Word.approved.rawValue), "amount": .link(approval.amount),
                "answer": .link(approval.answer), "memo": .link(approval.memo),
            ]
        case .operation(.declined(let decline)), .query(.declined(let decline)):
            [
                "is": .string(Word.declined.rawValue), "reason": .string(decline.reason.rawValue),
                "answer": .link(decline.answer), "memo": .link(decline.memo),
                "wasNeverSent": .bool(decline.wasNeverSent),
            ]
        case .operation(.accepted(let acceptance)), .query(.accepted(let acceptance)):
            [
                "is": .string(Word.accepted.rawValue), "answer": .link(acceptance.answer),
                "memo": .link(acceptance.memo),
            ]
        case .preparation(.ready(let memo)): ["is": .string(Word.ready.rawValue), "memo": .link(memo)]
        case .operation(.notProcessed(let not)), .preparation(.notProcessed(let not)):
            [
                "is": .string(Word.notProcessed.rawValue), "reason": .string(not.reason.rawValue),
                "word": .string(LinkOutcome.word(not.word)),
            ]
        case .operation(.unknown(let unknown)), .query(.unknown(let unknown)):
            [
                "is": .string(Word.unknown.rawValue), "reason": .string(unknown.reason.rawValue),
                "word": .string(LinkOutcome.word(unknown.word)), "memo": .link(unknown.memo),
            ]
        case .query(.reversed): ["is": .string(Word.reversed.rawValue)]
        case .query(.notFound): ["is": .string(Word.notFound.rawValue)]
        }
    }

    /// The port wants a word for the log, so nothing else passes into one.
    private static func word(_ text: String) -> String { self.isWord(text) ? text : "unclear" }

    fileprivate static func isWord(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { ASCII.isSmallLetter($0) || ASCII.isDigit($0) || $0 == 0x5F }
    }
}

extension JSON {
    static func link(_ memo: AcquirerMemo) -> JSON {
        let cardData: JSON? = memo.cardData.isEmpty ? Optional.none : self.secrets(memo.cardData)
        return .link([
            "entries": self.secrets(memo.entries), "cardData": cardData,
            "handles": .array(memo.handles.sorted().map(JSON.string)),
        ])
    }

    private static func secrets(_ values: [String: Redacted<String>]) -> JSON {
        .array(
            values.sorted { $0.key < $1.key }.map { entry -> JSON in
                ["name": .string(entry.key), "value": .string(entry.value.reveal())]
            })
    }

    static func link(_ answer: AcquirerAnswer) -> JSON {
        .link([
            "reference": answer.reference.map(JSON.string),
            "authorizationCode": answer.authorizationCode.map(JSON.string),
            "responseCode": answer.responseCode.map(JSON.string), "stan": answer.stan.map(JSON.string),
            "networkReference": answer.networkReference.map(JSON.string),
            "addressCheck": answer.addressCheck.map(JSON.string),
            "securityCodeCheck": answer.securityCodeCheck.map(JSON.string),
            "fundingPANSuffix": answer.fundingPANSuffix.map(JSON.string),
            "fundingExpiry": answer.fundingExpiryYearMonth.map(JSON.string),
            "paymentAccountReference": answer.paymentAccountReference.map(JSON.string),
            "merchantAdviceCode": answer.merchantAdviceCode.map(JSON.string), "eci": answer.eci.map(JSON.string),
            "reconciliationID": answer.reconciliationID.map(JSON.string),
            "acquirerReferenceNumber": answer.acquirerReferenceNumber.map(JSON.string),
            "processor": answer.processor.map(JSON.string),
            "authorizationExpiresAt": answer.authorizationExpiresAt.map { JSON($0.milliseconds) },
            "vendorCode": answer.vendorCode.map(JSON.string), "vendorText": answer.vendorText.map(JSON.string),
        ])
    }
}

// MARK: - Reading

extension LinkAnswer {
    init(_ body: [UInt8]) throws(LinkViolation) {
        var reader = try LinkFrame.decode(body)
        try reader.expect("answer")
        try self.init(after: reader)
    }

    /// - Parameter reader: after the type.
    init(after reader: LinkReader) throws(LinkViolation) {
        var reader = reader
        self.number = try reader.number()
        self.call = try reader.choice("call")
        self.operationID = try reader.id("operation")
        var outcome = try reader.reader("outcome")
        self.outcome = try outcome.outcome(of: self.call)
        try outcome.end()
        try reader.end()
    }
}

extension LinkReader {
    private mutating func word() throws(LinkViolation) -> String {
        let word = try self.text("word")
        guard LinkOutcome.isWord(word) else { throw LinkViolation("bad_word") }
        return word
    }

    mutating func outcome(of call: LinkCall) throws(LinkViolation) -> LinkOutcome {
        let word: Word = try self.choice("is")
        switch call {
        case .prepare: return .preparation(try self.preparation(word))
        case .query: return .query(try self.answered(word))
        case .authorize, .verify, .capture, .refund, .adjust, .void, .reverse: return .operation(try self.ended(word))
        }
    }

    private mutating func preparation(_ word: Word) throws(LinkViolation) -> AcquirerPreparation {
        switch word {
        case .ready: return .ready(try self.memo())
        case .notProcessed: return .notProcessed(try self.notProcessed())
        default: throw LinkViolation("bad_is")
        }
    }

    private mutating func answered(_ word: Word) throws(LinkViolation) -> AcquirerQueryOutcome {
        switch word {
        case .approved: return .approved(try self.approval())
        case .declined: return .declined(try self.decline())
        case .accepted: return .accepted(try self.acceptance())
        case .unknown: return .unknown(try self.unknown())
        case .reversed: return .reversed
        case .notFound: return .notFound
        case .notProcessed, .ready: throw LinkViolation("bad_is")
        }
    }

    private mutating func ended(_ word: Word) throws(LinkViolation) -> AcquirerOutcome {
        switch word {
        case .approved: return .approved(try self.approval())
        case .declined: return .declined(try self.decline())
        case .accepted: return .accepted(try self.acceptance())
        case .notProcessed: return .notProcessed(try self.notProcessed())
        case .unknown: return .unknown(try self.unknown())
        case .reversed, .notFound, .ready: throw LinkViolation("bad_is")
        }
    }

    private mutating func approval() throws(LinkViolation) -> AcquirerApproval {
        AcquirerApproval(amount: try self.money("amount"), answer: try self.answer(), memo: try self.memo())
    }

    mutating func decline() throws(LinkViolation) -> AcquirerDecline {
        AcquirerDecline(
            reason: try self.choice("reason"), answer: try self.answer(), memo: try self.memo(),
            wasNeverSent: try self.flag("wasNeverSent"))
    }

    private mutating func acceptance() throws(LinkViolation) -> AcquirerAcceptance {
        AcquirerAcceptance(try self.answer(), memo: try self.memo())
    }

    private mutating func unknown() throws(LinkViolation) -> UnknownOutcome {
        var unknown = UnknownOutcome(try self.choice("reason"), try self.word())
        unknown.memo = try self.memo()
        return unknown
    }

    private mutating func notProcessed() throws(LinkViolation) -> NotProcessed {
        NotProcessed(try self.choice("reason"), try self.word())
    }

    mutating func memo() throws(LinkViolation) -> AcquirerMemo {
        var reader = try self.reader("memo")
        let memo = AcquirerMemo(
            try reader.secrets("entries"), cardData: try reader.optionalSecrets("cardData") ?? [:],
            handles: Set(try reader.texts("handles")))
        try reader.end()
        return memo
    }

    mutating func answer() throws(LinkViolation) -> AcquirerAnswer {
        var reader = try self.reader("answer")
        let answer = AcquirerAnswer(
            reference: try reader.optionalText("reference"),
            authorizationCode: try reader.optionalText("authorizationCode"),
            responseCode: try reader.optionalText("responseCode"), stan: try reader.optionalText("stan"),
            networkReference: try reader.optionalText("networkReference"),
            addressCheck: try reader.optionalText("addressCheck"),
            securityCodeCheck: try reader.optionalText("securityCodeCheck"),
            fundingPANSuffix: try reader.optionalText("fundingPANSuffix"),
            fundingExpiryYearMonth: try reader.optionalText("fundingExpiry"),
            paymentAccountReference: try reader.optionalText("paymentAccountReference"),
            merchantAdviceCode: try reader.optionalText("merchantAdviceCode"), eci: try reader.optionalText("eci"),
            reconciliationID: try reader.optionalText("reconciliationID"),
            acquirerReferenceNumber: try reader.optionalText("acquirerReferenceNumber"),
            processor: try reader.optionalText("processor"),
            authorizationExpiresAt: try reader.optionalTimestamp("authorizationExpiresAt"),
            vendorCode: try reader.optionalText("vendorCode"), vendorText: try reader.optionalLongText("vendorText"))
        try reader.end()
        return answer
    }
}
