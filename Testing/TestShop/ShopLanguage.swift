//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Clients
public import Money
import Payments
import Redaction
import WalletSimulator

/// How a dialect captures.
public enum CaptureStyle: Sendable {
    case inParts
    case atOnce
    /// The payment is captured with its authorization.
    case withAuthorization
}

/// A merchant's server in one wire language: what it orders, and how the orders' operations are called.
public struct ShopLanguage: Sendable {
    public let client: any WireClient
    public let merchant: ShopMerchant
    public let captures: CaptureStyle
    public let currency: Currency
    /// Pays by a card number instead of a token.
    public let usesCard: Bool
    public let notifyURL: String?

    /// - Parameters:
    ///   - name: of the merchant and his dialect.
    ///   - pair: what the service that the money goes through takes; the simulated acquirer takes everything.
    public init(
        _ name: String, _ merchant: ShopMerchant, usesCard: Bool = false, notifyURL: String? = nil,
        over pair: ServicePair? = nil
    ) throws {
        self.client = try merchant.client(name)
        self.merchant = merchant
        self.usesCard = usesCard
        self.notifyURL = notifyURL
        self.captures = (pair ?? ServicePair(dialect: name, service: "simulator")).captures
        let usual = ["alphapay": "CAD", "payone": "EUR"]
        let code = pair?.currency ?? usual[name] ?? "USD"
        guard let currency = Currency.alphabetic(code) else { throw ShopTrouble("ISO 4217 lacks \(code).") }
        self.currency = currency
    }

    /// What the requests of an order are called on the wire: CommWeb counts transactions from 1.
    private func key(_ order: String, _ number: Int) -> String {
        self.client.name == "commweb" ? String(number + 1) : "\(order)-\(number)"
    }

    private func call(
        _ order: String, _ number: Int, _ kind: Payments.Operation.Kind, _ minorUnits: Int64?,
        _ request: ClientRequest
    ) -> ShopCall {
        let name =
            switch self.client.name {
            case "commweb": String(number + 1)
            case "tappay" where kind == .capture: "capture"
            default: String(number)
            }
        return ShopCall(
            key: "\(self.client.name)/\(order)/\(name)", kind: kind, minorUnits: minorUnits, client: self.client,
            request: request)
    }

    // MARK: - A payment

    /// An order with a new token.
    ///
    /// - Parameters:
    ///   - order: its name, of letters and digits.
    ///   - sells: whether the money is taken at once; `nil` for what is usual (``captures``).
    public func charge(_ order: String, minorUnits: Int64, sells: Bool? = nil) throws -> ChargeFields {
        let amount = Money(minorUnits: minorUnits, currency: self.currency)
        let instrument: WireInstrument
        if self.usesCard {
            instrument = .card(TypedCard(number: Redacted("5123450000000008"), expiryYearMonth: "3901"))
        } else {
            let token = try self.merchant.mint(minorUnits, self.currency.numericText)
            instrument = .sealed(SealedToken(token: token.paymentToken))
        }
        var charge = ChargeFields(
            order: order, key: self.key(order, 0), amount: amount, instrument: instrument)
        charge.capturesAtOnce = sells ?? (self.captures == .withAuthorization)
        charge.description = "Six apples"
        charge.customer.givenName = "John"
        charge.customer.familyName = "Smith"
        charge.customer.email = "customer@sample.com"
        charge.customer.phone = "6101234567"
        charge.customer.ipAddress = "208.247.73.130"
        var address = AddressFields()
        address.lines = ["123 Main St"]
        address.city = "Philadelphia"
        address.region = "PA"
        address.countryCode = self.client.name == "payone" ? "DE" : "US"
        charge.billing = address
        charge.notifyURL = self.notifyURL
        charge.returnURL = "https://shop.example/result"
        return charge
    }

    /// What has to be asked for before the payment; `nil` where nothing has.
    public func preparation(of charge: ChargeFields) throws -> ShopCall? {
        try self.client.preparation(of: charge).map {
            self.call(charge.order, 0, .authorization, charge.amount.minorUnits, $0)
        }
    }

    public func authorize(_ charge: ChargeFields) throws -> ShopCall {
        var call = self.call(
            charge.order, 0, .authorization, charge.amount.minorUnits, try self.client.charge(charge))
        // "Bank timeout": TapPay says so also of what the bank has given up, and its records say which (10006, Record API).
        if self.client.name == "tappay" {
            var query = self.followUp(charge.order, 0, charge.amount.minorUnits, [:])
            query.target = charge.key
            call.inquiry = try self.client.query(query)
        }
        return call
    }

    // MARK: - What follows

    /// - Parameters:
    ///   - number: from 1, counting what succeeded.
    ///   - handle: what the authorization's answers have given.
    private func followUp(
        _ order: String, _ number: Int, _ minorUnits: Int64, _ handle: [String: String]
    ) -> FollowUpFields {
        var fields = FollowUpFields(
            order: order, key: self.key(order, number), ordinal: number,
            amount: Money(minorUnits: minorUnits, currency: self.currency), handle: handle)
        fields.description = "Bruised"
        fields.notifyURL = self.notifyURL
        return fields
    }

    public func capture(
        _ order: String, _ number: Int, minorUnits: Int64, handle: [String: String]
    ) throws -> ShopCall {
        let fields = self.followUp(order, number, minorUnits, handle)
        return self.call(order, number, .capture, minorUnits, try self.client.capture(fields))
    }

    /// - Parameter capture: which capture is refunded, for dialects in which a refund names it; from 1.
    public func refund(
        _ order: String, _ number: Int, ofCapture capture: Int, minorUnits: Int64, handle: [String: String]
    ) throws -> ShopCall {
        var fields = self.followUp(order, number, minorUnits, handle)
        fields.target = self.key(order, capture)
        return self.call(order, number, .refund, minorUnits, try self.client.refund(fields))
    }

    /// - Parameter authorized: the amount of the authorization.
    public func void(_ order: String, _ number: Int, authorized: Int64, handle: [String: String]) throws -> ShopCall {
        let fields = self.followUp(order, number, authorized, handle)
        return self.call(order, number, .void, nil, try self.client.void(fields))
    }
}
