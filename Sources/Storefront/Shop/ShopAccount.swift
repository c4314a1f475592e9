//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
public import Money
import StrictJSON

/// A payment service that the shop is a customer of.
public struct ShopAccount: Sendable {
    public var client: any PaymentClient
    /// "CommWeb".
    public var title: String
    public var currency: Currency
    /// ISO 3166-1 alpha-2.
    public var countryCode: String
    /// Apple's name of the merchant.
    public var merchantIdentifier: String

    public init(
        client: any PaymentClient, title: String, currency: Currency, countryCode: String, merchantIdentifier: String
    ) {
        self.client = client
        self.title = title
        self.currency = currency
        self.countryCode = countryCode
        self.merchantIdentifier = merchantIdentifier
    }

    /// The dialect's name.
    public var name: String { self.client.name }

    /// How many decimals the shop writes in the currency: 0 for Taiwan's dollars at TapPay, whatever ISO 4217 says.
    public var decimals: Int { self.client.decimals(of: self.currency) }

    var json: JSON {
        var json = JSONObject()
        json["name"] = .string(self.name)
        json["title"] = .string(self.title)
        json["currency"] = .string(self.currency.code)
        json["countryCode"] = .string(self.countryCode)
        json["decimals"] = JSON(self.decimals)
        json["merchantIdentifier"] = .string(self.merchantIdentifier)
        json["sdk"] = self.client.pageSDK?.json
        return .object(json)
    }

    /// "12.50", or "350" where there are no decimals.
    func text(ofUnits units: Int64) -> String {
        guard self.decimals > 0 else { return String(units) }
        let digits = String(units)
        let padded = String(repeating: "0", count: max(0, self.decimals + 1 - digits.count)) + digits
        return padded.dropLast(self.decimals) + "." + padded.suffix(self.decimals)
    }

    /// The amount as the gateway counts it.
    func money(ofUnits units: Int64) -> Money? {
        try? Money(decimalText: self.text(ofUnits: units), currency: self.currency)
    }
}
