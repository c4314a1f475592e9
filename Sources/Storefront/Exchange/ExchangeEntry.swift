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
        case ledger
        case notification
    }

    public var kind: Kind
    public var title: String
    public var text: String
    /// Whether it went as it should.
    public var isOK: Bool

    public init(_ kind: Kind, _ title: String, _ text: String = "", isOK: Bool = true) {
        self.kind = kind
        self.title = title
        self.text = text
        self.isOK = isOK
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
                [
                    "seq": JSON(sequence), "atMillis": JSON(at.milliseconds), "kind": .string(entry.kind.rawValue),
                    "title": .string(entry.title), "text": .string(entry.text), "ok": .bool(entry.isOK),
                ]
            })
    }
}
