//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StrictJSON

/// What an acquirer reports by itself, on the wire: from the server to one of its clients, which answers with a receipt.
struct LinkNotice: Hashable, Sendable {
    let number: UInt64
    let account: AcquirerAccountID
    let notice: AcquirerNotice
}

/// A client's answer to a notice.
struct LinkReceipt: Hashable, Sendable {
    let number: UInt64
    let receipt: AcquirerReports.Receipt
}

/// The words of subjects and events on the wire.
private enum SubjectWord: String {
    case operation
    case shortName
    case handle
    case request
    case latest
}

private enum EventWord: String {
    case changed
    case resolved
    case approvedAsAsked
    case declinedStillHeld
    case failedLate
    case chargedBack
    case chargedBackInAll
    case chargebackReversed
}

// MARK: - Writing

extension LinkReceipt {
    var json: JSON {
        ["type": "noticed", "number": JSON(self.number), "receipt": .string(self.receipt.rawValue)]
    }
}

extension LinkNotice {
    var json: JSON {
        .link([
            "type": "notice", "number": JSON(self.number), "account": .string(self.account.text),
            "subject": Self.json(self.notice.subject), "event": Self.json(self.notice.event),
            "reference": self.notice.reference.map(JSON.string),
        ])
    }

    private static func json(_ subject: AcquirerNotice.Subject) -> JSON {
        func named(_ word: SubjectWord, _ name: String) -> JSON {
            ["is": .string(word.rawValue), "name": .string(name)]
        }
        switch subject {
        case .operation(let id): return named(.operation, id.text)
        case .shortName(let name): return named(.shortName, name)
        case .handle(let name): return named(.handle, name)
        case .request(let ordinal, let name):
            return .link([
                "is": .string(SubjectWord.request.rawValue), "name": .string(name), "ordinal": JSON(Int64(ordinal)),
            ])
        case .latest(let kinds, let name):
            return .link([
                "is": .string(SubjectWord.latest.rawValue), "name": .string(name),
                "kinds": .array(kinds.map(\.rawValue).sorted().map(JSON.string)),
            ])
        }
    }

    private static func json(_ event: AcquirerNotice.Event) -> JSON {
        func word(_ word: EventWord) -> JSON { .string(word.rawValue) }
        switch event {
        case .changed: return ["is": word(.changed)]
        case .resolved(let outcome):
            return ["is": word(.resolved), "outcome": LinkOutcome.query(outcome).json]
        case .approvedAsAsked(let answer, let memo):
            return ["is": word(.approvedAsAsked), "answer": .link(answer), "memo": .link(memo)]
        case .declinedStillHeld(let decline):
            return [
                "is": word(.declinedStillHeld), "reason": .string(decline.reason.rawValue),
                "answer": .link(decline.answer), "memo": .link(decline.memo),
                "wasNeverSent": .bool(decline.wasNeverSent),
            ]
        case .failedLate(let reason, let answer):
            return ["is": word(.failedLate), "reason": .string(reason.rawValue), "answer": .link(answer)]
        case .chargedBack(let amount, let fee):
            return .link(["is": word(.chargedBack), "amount": .link(amount), "fee": fee.map(JSON.link)])
        case .chargedBackInAll(let amount):
            return ["is": word(.chargedBackInAll), "amount": .link(amount)]
        case .chargebackReversed(let chargeback):
            return ["is": word(.chargebackReversed), "chargeback": .string(chargeback)]
        }
    }
}

// MARK: - Reading

extension LinkReceipt {
    /// - Parameter reader: after the type.
    init(after reader: LinkReader) throws(LinkViolation) {
        var reader = reader
        self.number = try reader.number()
        self.receipt = try reader.choice("receipt")
        try reader.end()
    }
}

extension LinkNotice {
    init(_ body: [UInt8]) throws(LinkViolation) {
        var reader = try LinkFrame.decode(body)
        try reader.expect("notice")
        try self.init(after: reader)
    }

    /// - Parameter reader: after the type.
    init(after reader: LinkReader) throws(LinkViolation) {
        var reader = reader
        self.number = try reader.number()
        self.account = try reader.id("account")
        self.notice = AcquirerNotice(
            try reader.subject(), try reader.event(), reference: try reader.optionalText("reference"))
        try reader.end()
    }
}

extension LinkReader {
    fileprivate mutating func subject() throws(LinkViolation) -> AcquirerNotice.Subject {
        var reader = try self.reader("subject")
        let subject: AcquirerNotice.Subject
        switch try reader.choice("is") as SubjectWord {
        case .operation: subject = .operation(try reader.id("name"))
        case .shortName: subject = .shortName(try reader.text("name"))
        case .handle: subject = .handle(try reader.text("name"))
        case .request:
            let name = try reader.text("name")
            subject = .request(try reader.ordinal(), of: name)
        case .latest:
            let name = try reader.text("name")
            subject = .latest(try reader.choices("kinds"), of: name)
        }
        try reader.end()
        return subject
    }

    fileprivate mutating func event() throws(LinkViolation) -> AcquirerNotice.Event {
        var reader = try self.reader("event")
        let event: AcquirerNotice.Event
        switch try reader.choice("is") as EventWord {
        case .changed: event = .changed
        case .resolved:
            var outcome = try reader.reader("outcome")
            guard case .query(let resolved) = try outcome.outcome(of: .query) else {
                throw LinkViolation("bad_outcome")
            }
            try outcome.end()
            event = .resolved(resolved)
        case .approvedAsAsked: event = .approvedAsAsked(try reader.answer(), try reader.memo())
        case .declinedStillHeld: event = .declinedStillHeld(try reader.decline())
        case .failedLate: event = .failedLate(try reader.choice("reason"), try reader.answer())
        case .chargedBack: event = .chargedBack(try reader.money("amount"), fee: try reader.optionalMoney("fee"))
        case .chargedBackInAll: event = .chargedBackInAll(try reader.money("amount"))
        case .chargebackReversed: event = .chargebackReversed(of: try reader.text("chargeback"))
        }
        try reader.end()
        return event
    }
}
