//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StrictJSON

/// How a call ended, by the two ways in which the port says so.
enum LinkOutcome: Hashable, Sendable {
    case operation(AcquirerOutcome)
    case query(AcquirerQueryOutcome)
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
    fileprivate var json: JSON {
        switch self {
        case .operation(.approved(let approval)), .query(.approved(let approval)):
            [
                "is": .string(Word.approved.rawValue), "amount": .link(approval.amount),
                "answer": .link(approval.answer),
            ]
        case .operation(.declined(let decline)), .query(.declined(let decline)):
            [
                "is": .string(Word.declined.rawValue), "reason": .string(decline.reason.rawValue),
                "answer": .link(decline.answer),
            ]
        case .operation(.accepted(let answer)), .query(.accepted(let answer)):
            ["is": .string(Word.accepted.rawValue), "answer": .link(answer)]
        case .operation(.notProcessed(let not)):
            [
                "is": .string(Word.notProcessed.rawValue), "reason": .string(not.reason.rawValue),
                "word": .string(LinkOutcome.word(not.word)),
            ]
        case .operation(.unknown(let unknown)), .query(.unknown(let unknown)):
            [
                "is": .string(Word.unknown.rawValue), "reason": .string(unknown.reason.rawValue),
                "word": .string(LinkOutcome.word(unknown.word)),
            ]
        case .query(.reversed): ["is": .string(Word.reversed.rawValue)]
        case .query(.notFound): ["is": .string(Word.notFound.rawValue)]
        }
    }

    /// The port wants a word for the log, so nothing else passes into one.
    private static func word(_ text: String) -> String { self.isWord(text) ? text : "unclear" }

    fileprivate static func isWord(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }
}

extension JSON {
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
        ])
    }
}

// MARK: - Reading

extension LinkAnswer {
    init(_ body: [UInt8]) throws(LinkViolation) {
        var reader = try LinkFrame.decode(body)
        try reader.expect("answer")
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

    fileprivate mutating func outcome(of call: LinkCall) throws(LinkViolation) -> LinkOutcome {
        let isQuery = call == .query
        let word: Word = try self.choice("is")
        switch word {
        case .approved:
            let approval = AcquirerApproval(amount: try self.money("amount"), answer: try self.answer())
            return isQuery ? .query(.approved(approval)) : .operation(.approved(approval))
        case .declined:
            let decline = AcquirerDecline(reason: try self.choice("reason"), answer: try self.answer())
            return isQuery ? .query(.declined(decline)) : .operation(.declined(decline))
        case .unknown:
            let unknown = UnknownOutcome(try self.choice("reason"), try self.word())
            return isQuery ? .query(.unknown(unknown)) : .operation(.unknown(unknown))
        case .accepted:
            let answer = try self.answer()
            return isQuery ? .query(.accepted(answer)) : .operation(.accepted(answer))
        case .notProcessed where !isQuery:
            return .operation(.notProcessed(NotProcessed(try self.choice("reason"), try self.word())))
        case .reversed where isQuery: return .query(.reversed)
        case .notFound where isQuery: return .query(.notFound)
        case .reversed, .notFound, .notProcessed: throw LinkViolation("bad_is")
        }
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
            fundingExpiryYearMonth: try reader.optionalText("fundingExpiry"))
        try reader.end()
        return answer
    }
}
