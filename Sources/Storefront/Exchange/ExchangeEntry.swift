//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON
import Time

/// One thing that happened around an order, as it is shown beside the shop. Its text has been scrubbed before it came
/// here.
public struct ExchangeEntry: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case note
        case request
        case response
        case token
        /// What came of an operation.
        case outcome
        case ledger
        case notification
    }

    public var kind: Kind
    public var title: String
    public var text: String
    /// Whether it went as it should.
    public var isOK: Bool
    /// A sentence above the text.
    public var remark = ""
    /// How the text's body is written, which begins after the first empty line.
    public var format = Format.plain
    /// The request as a command line, with placeholders for what is secret.
    public var command: String?
    /// The checks of a stage of the token.
    public var checks: [Check] = []
    /// Codes of the message, explained.
    public var codes: [CodeNote] = []
    /// What came of the operation.
    public var outcome: PaymentStep.Status?

    public init(_ kind: Kind, _ title: String, _ text: String = "", isOK: Bool = true) {
        self.kind = kind
        self.title = title
        self.text = text
        self.isOK = isOK
    }

    public enum Format: String, Hashable, Sendable, CaseIterable {
        case plain
        case json
        case xml
        /// "name=value" lines.
        case fields
    }

    public struct Check: Hashable, Sendable {
        public enum Result: String, Hashable, Sendable, CaseIterable {
            case passed
            case failed
            case skipped
        }

        public var result: Result
        public var sentence: String
        /// What the check has looked at, short: "ecdsa-with-SHA256"; empty where there is nothing to name.
        public var fact: String

        public init(_ result: Result, _ sentence: String, fact: String = "") {
            self.result = result
            self.sentence = sentence
            self.fact = fact
        }

        var json: JSON {
            var json = JSONObject()
            json["result"] = .string(self.result.rawValue)
            json["sentence"] = .string(self.sentence)
            if !self.fact.isEmpty { json["fact"] = .string(self.fact) }
            return .object(json)
        }
    }

    /// The members that every entry has, and those that this one has.
    var json: JSONObject {
        var json = JSONObject()
        json["kind"] = .string(self.kind.rawValue)
        json["title"] = .string(self.title)
        json["text"] = .string(self.text)
        json["ok"] = .bool(self.isOK)
        if !self.remark.isEmpty { json["remark"] = .string(self.remark) }
        if self.format != .plain { json["format"] = .string(self.format.rawValue) }
        json["command"] = self.command.map { .string($0) }
        json["outcome"] = self.outcome.map { .string($0.rawValue) }
        if !self.codes.isEmpty { json["codes"] = .array(self.codes.map(\.json)) }
        if !self.checks.isEmpty { json["checks"] = .array(self.checks.map(\.json)) }
        return json
    }
}

/// The entries of an order, numbered from 1 and bounded: the oldest go.
struct ExchangeLog: Sendable {
    static let entriesMax = 200
    static let textCharactersMax = 12_000

    private var entries: [(sequence: Int, at: Timestamp, entry: ExchangeEntry)] = []
    private(set) var lastSequence = 0

    mutating func append(_ entry: ExchangeEntry, at now: Timestamp) {
        var entry = entry
        if entry.text.count > Self.textCharactersMax {
            entry.text = entry.text.prefix(Self.textCharactersMax) + "\n…"
            entry.command = nil
        }
        self.lastSequence += 1
        self.entries.append((self.lastSequence, now, entry))
        if self.entries.count > Self.entriesMax { self.entries.removeFirst() }
    }

    var all: [ExchangeEntry] { self.entries.map(\.entry) }

    /// What came after a number.
    func json(after sequence: Int) -> JSON {
        .array(
            self.entries.filter { $0.sequence > sequence }.map { sequence, at, entry in
                var json = entry.json
                json["seq"] = JSON(sequence)
                json["atMillis"] = JSON(at.milliseconds)
                return .object(json)
            })
    }
}
