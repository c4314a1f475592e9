//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
public import Payments
import StrictJSON
import Time

/// What an acquirer at the other end of a link is called and can do.
public struct AcquirerLinkDescription: Hashable, Sendable {
    public let name: AcquirerName
    public let capabilities: AcquirerCapabilities

    public init(name: AcquirerName, capabilities: AcquirerCapabilities) {
        self.name = name
        self.capabilities = capabilities
    }

    /// Of a connector: what an account of it can do that has no settings. Where there can be none such, nothing: what each
    /// account can do is compared when it is sent.
    public init(_ connector: any Connector) {
        let acquirer = try? connector.open(.withoutSettings)
        self.init(
            name: connector.name,
            capabilities: acquirer?.capabilities
                ?? AcquirerCapabilities(
                    forms: [], proofs: [], networks: [], authorizes: false, sells: false, capturesInParts: false,
                    refundsInParts: false, voids: [], recovery: .reversal))
    }

    init(_ reader: LinkReader) throws(LinkViolation) {
        var reader = reader
        self.name = AcquirerName(try reader.text("name"))
        self.capabilities = AcquirerCapabilities(
            forms: try reader.choices("forms"), proofs: try reader.choices("proofs"),
            networks: try reader.choices("networks"), currencies: try reader.currencies(),
            takesMerchantInitiated: try reader.flag("takesMerchantInitiated"),
            authorizes: try reader.flag("authorizes"),
            sells: try reader.flag("sells"),
            capturesInParts: try reader.flag("capturesInParts"), capturesMax: try reader.optionalCount("capturesMax"),
            finalCaptures: try reader.choice("finalCaptures"), refundsInParts: try reader.flag("refundsInParts"),
            refundsOneCapture: try reader.flag("refundsOneCapture"),
            adjustments: try reader.choices("adjustments"), voids: try reader.choices("voids"),
            verifiesCards: try reader.flag("verifiesCards"), decidesLater: try reader.flag("decidesLater"),
            memos: try reader.choice("memos"), cardData: try reader.cardData(),
            notifiesByShortName: try reader.flag("notifiesByShortName"), recovery: try reader.recovery(),
            queriesAccepted: try reader.choices("queriesAccepted"),
            keyLifeSeconds: try reader.optionalInteger("keyLifeSeconds"), deadlines: try reader.deadlines(),
            requestsPerSecond: try reader.optionalCount("requestsPerSecond"))
        try reader.end()
    }

    /// Always the same bytes for the same description: both sides prove them.
    var json: JSON {
        .link([
            "name": .string(self.name.text), "forms": .link(self.capabilities.forms),
            "proofs": .link(self.capabilities.proofs), "networks": .link(self.capabilities.networks),
            "authorizes": .bool(self.capabilities.authorizes), "sells": .bool(self.capabilities.sells),
            "currencies": self.capabilities.currencies.map(JSON.link),
            "takesMerchantInitiated": .bool(self.capabilities.takesMerchantInitiated),
            "capturesInParts": .bool(self.capabilities.capturesInParts),
            "capturesMax": self.capabilities.capturesMax.map { JSON(Int64($0)) },
            "finalCaptures": .string(self.capabilities.finalCaptures.rawValue),
            "refundsOneCapture": .bool(self.capabilities.refundsOneCapture),
            "refundsInParts": .bool(self.capabilities.refundsInParts),
            "adjustments": .link(self.capabilities.adjustments), "voids": .link(self.capabilities.voids),
            "verifiesCards": .bool(self.capabilities.verifiesCards),
            "decidesLater": .bool(self.capabilities.decidesLater), "memos": .string(self.capabilities.memos.rawValue),
            "cardData": self.capabilities.cardData.map(JSON.link),
            "notifiesByShortName": .bool(self.capabilities.notifiesByShortName),
            "recovery": .string(self.capabilities.recovery.word),
            "quietSeconds": self.capabilities.recovery.quietSeconds.map { JSON($0) },
            "repeats": self.capabilities.recovery.repeats.map(JSON.bool),
            "queriesAccepted": .link(self.capabilities.queriesAccepted),
            "keyLifeSeconds": self.capabilities.keyLifeSeconds.map { JSON($0) },
            "deadlines": self.capabilities.deadlines.map(JSON.link),
            "requestsPerSecond": self.capabilities.requestsPerSecond.map { JSON(Int64($0)) },
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

extension JSON {
    fileprivate static func link(_ currencies: [Currency: CurrencyTerms]) -> JSON {
        .array(
            currencies.sorted { $0.key.code < $1.key.code }.map { currency, terms in
                .link([
                    "currency": .string(currency.code), "exponent": JSON(Int64(terms.exponent)),
                    "least": JSON(terms.minorUnits.lowerBound), "most": JSON(terms.minorUnits.upperBound),
                ])
            })
    }

    fileprivate static func link(_ cardData: AcquirerCapabilities.CardDataRetention) -> JSON {
        ["neededBy": .link(cardData.neededBy), "keptSeconds": JSON(cardData.keptSeconds)]
    }

    fileprivate static func link(_ deadlines: AcquirerCapabilities.Deadlines) -> JSON {
        .link([
            "charge": JSON(deadlines.chargeMilliseconds), "other": JSON(deadlines.otherMilliseconds),
            "connect": JSON(deadlines.connectMilliseconds),
        ])
    }
}

extension LinkReader {
    fileprivate mutating func currencies() throws(LinkViolation) -> [Currency: CurrencyTerms]? {
        guard self.has("currencies") else { return nil }
        var currencies: [Currency: CurrencyTerms] = [:]
        for var reader in try self.readers("currencies") {
            guard let currency = Currency.alphabetic(try reader.text("currency")), currencies[currency] == nil,
                case let exponent = try reader.integer("exponent"), (0...9).contains(exponent),
                case let (least, most) = (try reader.integer("least"), try reader.integer("most")), least <= most
            else { throw LinkViolation("bad_currencies") }
            try reader.end()
            currencies[currency] = CurrencyTerms(exponent: Int(exponent), minorUnits: least...most)
        }
        return currencies
    }

    fileprivate mutating func cardData() throws(LinkViolation) -> AcquirerCapabilities.CardDataRetention? {
        guard var reader = try self.optionalReader("cardData") else { return nil }
        let cardData = AcquirerCapabilities.CardDataRetention(
            neededBy: try reader.choices("neededBy"), keptSeconds: try reader.integer("keptSeconds"))
        try reader.end()
        return cardData
    }

    fileprivate mutating func deadlines() throws(LinkViolation) -> AcquirerCapabilities.Deadlines? {
        guard var reader = try self.optionalReader("deadlines") else { return nil }
        let deadlines = AcquirerCapabilities.Deadlines(
            chargeMilliseconds: try reader.integer("charge"), otherMilliseconds: try reader.integer("other"),
            connectMilliseconds: try reader.integer("connect"))
        try reader.end()
        return deadlines
    }

    fileprivate mutating func optionalCount(_ name: String) throws(LinkViolation) -> Int? {
        guard let value = try self.optionalInteger(name) else { return nil }
        guard let count = Int(exactly: value), count >= 0 else { throw LinkViolation("bad_\(name)") }
        return count
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

extension OpenedAcquirerAccount {
    /// The account of a sandbox merchant of which nothing is said.
    static var withoutSettings: OpenedAcquirerAccount {
        OpenedAcquirerAccount(
            id: AcquirerAccountID(at: Timestamp(milliseconds: 0), random: [UInt8](repeating: 0, count: 10)),
            mode: .sandbox)
    }
}
