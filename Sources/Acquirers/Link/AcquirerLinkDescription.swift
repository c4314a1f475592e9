//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import StrictJSON

/// What an acquirer at the other end of a link is called and can do.
public struct AcquirerLinkDescription: Hashable, Sendable {
    public let name: AcquirerName
    public let capabilities: AcquirerCapabilities

    public init(name: AcquirerName, capabilities: AcquirerCapabilities) {
        self.name = name
        self.capabilities = capabilities
    }

    init(_ reader: LinkReader) throws(LinkViolation) {
        var reader = reader
        self.name = AcquirerName(try reader.text("name"))
        self.capabilities = AcquirerCapabilities(
            forms: try reader.choices("forms"), proofs: try reader.choices("proofs"),
            networks: try reader.choices("networks"), authorizes: try reader.flag("authorizes"),
            sells: try reader.flag("sells"),
            capturesInParts: try reader.flag("capturesInParts"), refundsInParts: try reader.flag("refundsInParts"),
            adjustments: try reader.choices("adjustments"), voids: try reader.choices("voids"),
            verifiesCards: try reader.flag("verifiesCards"), decidesLater: try reader.flag("decidesLater"),
            memos: try reader.choice("memos"),
            notifiesByShortName: try reader.flag("notifiesByShortName"), recovery: try reader.recovery(),
            queriesAccepted: try reader.choices("queriesAccepted"))
        try reader.end()
    }

    /// Always the same bytes for the same description: both sides prove them.
    var json: JSON {
        .link([
            "name": .string(self.name.text), "forms": .link(self.capabilities.forms),
            "proofs": .link(self.capabilities.proofs), "networks": .link(self.capabilities.networks),
            "authorizes": .bool(self.capabilities.authorizes), "sells": .bool(self.capabilities.sells),
            "capturesInParts": .bool(self.capabilities.capturesInParts),
            "refundsInParts": .bool(self.capabilities.refundsInParts),
            "adjustments": .link(self.capabilities.adjustments), "voids": .link(self.capabilities.voids),
            "verifiesCards": .bool(self.capabilities.verifiesCards),
            "decidesLater": .bool(self.capabilities.decidesLater), "memos": .string(self.capabilities.memos.rawValue),
            "notifiesByShortName": .bool(self.capabilities.notifiesByShortName),
            "recovery": .string(self.capabilities.recovery.word),
            "quietSeconds": self.capabilities.recovery.quietSeconds.map { JSON($0) },
            "repeats": self.capabilities.recovery.repeats.map(JSON.bool),
            "queriesAccepted": .link(self.capabilities.queriesAccepted),
        ])
    }
}

extension AcquirerCapabilities.Recovery {
    fileprivate var word: String {
        switch self {
        case .queryThenReversal: "queryThenReversal"
        case .reversal: "reversal"
        case .query: "query"
        case .reports: "reports"
        }
    }
}

extension JSON {
    fileprivate static func link<Choice: RawRepresentable<String>>(_ choices: Set<Choice>) -> JSON {
        .array(choices.map(\.rawValue).sorted().map(JSON.string))
    }
}

extension LinkReader {
    fileprivate mutating func choices<Choice: RawRepresentable<String> & Hashable>(
        _ name: String
    ) throws(LinkViolation) -> Set<Choice> {
        var choices: Set<Choice> = []
        for text in try self.texts(name) {
            guard let choice = Choice(rawValue: text) else { throw LinkViolation("bad_\(name)") }
            choices.insert(choice)
        }
        return choices
    }

    fileprivate mutating func recovery() throws(LinkViolation) -> AcquirerCapabilities.Recovery {
        switch try self.text("recovery") {
        case "queryThenReversal": return .queryThenReversal
        case "reversal": return .reversal
        case "query": return .query(quietSeconds: try self.integer("quietSeconds"))
        case "reports": return .reports(repeats: try self.flag("repeats"))
        default: throw LinkViolation("bad_recovery")
        }
    }
}
