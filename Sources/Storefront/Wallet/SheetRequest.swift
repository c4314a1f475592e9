//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Money
import StrictJSON
import WalletSimulator

/// The part of an `ApplePayPaymentRequest` that ends in a token.
struct SheetRequest: Hashable, Sendable {
    let amount: Money
    let networks: [String]
    let capabilities: [String]
    let applicationData: [UInt8]?

    /// A token's `applicationData` is a digest; what goes into it is bounded by good sense alone.
    private static let applicationDataBytesMax = 4096
    /// Apple has some 40 networks; the wallet names none twice.
    private static let namesMax = 64

    init(_ json: JSON?) throws(APIError) {
        guard let json, json.object != nil else { throw .malformed("request must be an ApplePayPaymentRequest.") }
        let code = try JSONAnswer.text("currencyCode", of: json, charactersMax: 3)
        guard let currency = Currency.alphabetic(code) else {
            throw .malformed("currencyCode must be a currency of ISO 4217 in capital letters.")
        }
        guard let text = json["total"]?["amount"]?.string, text.utf8.count <= 20 else {
            throw .malformed("total.amount must be a text: \"12.50\".")
        }
        do throws(AmountTextError) {
            self.amount = try Money(
                decimalText: Self.withoutZeros(text, after: currency.exponent), currency: currency)
        } catch {
            throw .malformed(
                "total.amount must be digits with at most \(currency.exponent) decimals of \(currency.code).")
        }
        self.networks = try Self.words("supportedNetworks", of: json)
        self.capabilities = try Self.words("merchantCapabilities", of: json)
        guard let encoded = json["applicationData"], !encoded.isNull else {
            self.applicationData = nil
            return
        }
        guard let bytes = encoded.string.flatMap({ Base64.decode($0) }), bytes.count <= Self.applicationDataBytesMax
        else { throw .malformed("applicationData must be base64 of at most \(Self.applicationDataBytesMax) bytes.") }
        self.applicationData = bytes
    }

    /// Zeros after the last decimal that a currency has say nothing: "100.00" is an amount of yen.
    private static func withoutZeros(_ text: String, after decimals: Int) -> String {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.count > decimals,
            parts[1].utf8.dropFirst(decimals).allSatisfy({ $0 == UInt8(ascii: "0") })
        else { return text }
        return decimals == 0 ? String(parts[0]) : "\(parts[0]).\(parts[1].prefix(decimals))"
    }

    private static func words(_ name: String, of json: JSON) throws(APIError) -> [String] {
        let words = json[name]?.array?.compactMap(\.string) ?? []
        guard !words.isEmpty, words.count == json[name]?.array?.count else {
            throw .malformed("\(name) must be a list of names.")
        }
        guard words.count <= Self.namesMax else {
            throw .malformed("\(name) must have at most \(Self.namesMax) names.")
        }
        return words
    }

    /// The card as the customer pays with it: with the network that he chose, or that the order of supportedNetworks
    /// preselects.
    ///
    /// - Throws: `capability_missing`, `network_not_supported`, `card_type_not_supported`.
    func presented(_ card: WalletCard, by chosen: String?) throws(APIError) -> SimulatedCard {
        // Every request has it: "You must include the supports3DS value" (merchantCapabilities).
        guard self.capabilities.contains("supports3DS") else {
            throw .badRequest("capability_missing", "merchantCapabilities must hold supports3DS.")
        }
        let accepted = self.networks.filter { chosen == nil || $0.lowercased() == chosen?.lowercased() }
        guard let presented = card.card.preselected(by: accepted) else {
            throw .badRequest("network_not_supported", "The merchant does not take cards of this network.")
        }
        // Naming neither kind takes both.
        let kinds = self.capabilities.filter { $0 == "supportsCredit" || $0 == "supportsDebit" }
        let own = card.card.kind == .credit ? "supportsCredit" : "supportsDebit"
        guard kinds.isEmpty || kinds.contains(own) else {
            throw .badRequest("card_type_not_supported", "The merchant does not take \(card.card.kind.rawValue) cards.")
        }
        return presented
    }
}
