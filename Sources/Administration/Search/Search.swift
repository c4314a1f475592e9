//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
@_spi(Administration) import Gateway
import Money
public import Payments
public import StrictJSON
public import Time

/// What a text may be the name of, and who asks.
public struct Search: Sendable {
    public var text: String
    /// Whose things may be found; `nil` for all merchants.
    public var merchants: Set<MerchantID>?
    /// Beside merchants: what may be found of them.
    public var scopes: Set<Scope>
    /// Of the dialects whose own names of payments count.
    public var plans: [AccountPlan]
    public var limit: Int

    public init(
        _ text: String, merchants: Set<MerchantID>?, scopes: Set<Scope>, plans: [AccountPlan], limit: Int = 20
    ) {
        self.text = text
        self.merchants = merchants
        self.scopes = scopes
        self.plans = plans
        self.limit = limit
    }
}

extension Search {
    /// What people copy along in front of a name: the bullets before a card's last digits, the sign of a number.
    private static let signs: Set<Character> = ["•", "·", "∙", "●", "*", "#", "№", " "]

    /// The text without such signs in front of it; `nil` where there are none, or nothing else.
    var textWithoutSigns: String? {
        let bare = self.text.drop { Self.signs.contains($0) }
        return bare.isEmpty || bare.startIndex == self.text.startIndex ? nil : String(bare)
    }
}

/// Something that a text names.
public struct SearchHit: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case payment
        case order
        case refusal
        case event
        case settlementFile
        case certificate
        case merchant
    }

    /// By which of its names it was found.
    public enum Match: String, Hashable, Sendable, CaseIterable {
        case id
        case operation
        case orderReference
        case reference
        /// By a name that its dialect knows it by: a txid, a rec_trade_id.
        case dialectReference
        case acquirerReference
        case authorizationCode
        case last4
        case requestId
        case name
        case publicKeyHash
    }

    public let kind: Kind
    public let id: String
    public let match: Match
    /// Whose it is, by name.
    public let merchant: String?
    public let title: String
    public let detail: String
    public let at: Timestamp?
    /// Where the portal shows it.
    public let link: String

    public var view: JSONObject {
        var object = JSONObject()
        object["type"] = .string(self.kind.rawValue)
        object["id"] = .string(self.id)
        object["matched"] = .string(self.match.rawValue)
        object["merchant"] = .string(orNull: self.merchant)
        object["title"] = .string(self.title)
        object["detail"] = .string(self.detail)
        object["at"] = .string(orNull: self.at?.description)
        object["link"] = .string(self.link)
        return object
    }
}

extension Administration {
    /// What a text is the name of, as a whole: each way is a look-up by an index, none is a walk. What nothing is called is looked for
    /// without the bullets or the sign of a number in front of it, too.
    ///
    /// - Returns: the hits, one of each thing, and whether there are more of them than were asked for.
    /// - Throws: `StoreError`.
    public func search(_ search: Search) async throws -> (hits: [SearchHit], isCut: Bool) {
        let found = try await self.search { reader in
            var finder = try SearchFinder(search, reader)
            try finder.find(search.text)
            // As a whole first: an order may be called "#1042".
            if finder.hits.isEmpty, let bare = search.textWithoutSigns { try finder.find(bare) }
            return finder.hits
        }
        return (Array(found.prefix(search.limit)), found.count > search.limit)
    }
}
