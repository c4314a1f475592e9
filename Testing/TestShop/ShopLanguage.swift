//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Clients
public import Money
import Payments
import Redaction
public import WalletSimulator

/// How a dialect captures, from what can do most to what can do least.
public enum CaptureStyle: Int, Sendable, Comparable {
    case inParts
    case atOnce
    /// The payment is captured with its authorization.
    case withAuthorization

    public static func < (left: CaptureStyle, right: CaptureStyle) -> Bool { left.rawValue < right.rawValue }
}

/// A merchant's server in one wire language: what it orders, and how the orders' operations are called.
public struct ShopLanguage: Sendable {
    public let dialect: any ShopDialect.Type
    public let client: any WireClient
    public let merchant: ShopMerchant
    public let captures: CaptureStyle
    public let currency: Currency
    /// Pays by a card number instead of a token.
    public let usesCard: Bool
    public let notifyURL: String?

    /// - Parameters:
    ///   - pair: the dialect, and what the service that the money goes through takes.
    ///   - merchant: who speaks it.
    /// - Throws: ``ShopTrouble`` for a pair that cannot be paid in anything.
    public init(
        _ pair: ServicePair, _ merchant: ShopMerchant, usesCard: Bool = false, notifyURL: String? = nil
    ) throws {
        self.dialect = pair.shop
        self.client = try pair.shop.client(of: merchant)
        self.merchant = merchant
        self.usesCard = usesCard
        self.notifyURL = notifyURL
        self.captures = pair.captures
        guard let currency = pair.currency.flatMap({ Currency.alphabetic($0) }) else {
            throw ShopTrouble(pair.obstacle ?? "\(pair.shop.name) names no currency of ISO 4217.")
        }
        self.currency = currency
    }

    private func call(
        _ order: String, _ number: Int, _ kind: PaymentOperation.Kind, _ minorUnits: Int64?,
        _ request: ClientRequest
    ) -> ShopCall {
        ShopCall(
            key: "\(self.dialect.name)/\(order)/\(self.dialect.callName(number, kind))", kind: kind,
            minorUnits: minorUnits, client: self.client, request: request,
            keepsItsFailure: kind == .authorization || self.dialect.keepsFailedFollowUps)
    }

    // MARK: - A payment

    /// An order with a new token.
    ///
    /// - Parameters:
    ///   - order: its name, of letters and digits.
    ///   - sells: whether the money is taken at once; `nil` for what is usual (``captures``).
    ///   - card: of the customer's wallet.
    public func charge(
        _ order: String, minorUnits: Int64, sells: Bool? = nil, card: SimulatedCard = .visa
    ) throws -> ChargeFields {
        let amount = Money(minorUnits: minorUnits, currency: self.currency)
        let instrument: WireInstrument
        if self.usesCard {
            instrument = .card(TypedCard(number: Redacted("5123450000000008"), expiryYearMonth: "3901"))
        } else {
            let token = try self.merchant.mint(minorUnits, self.currency.numericText, card)
            instrument = .sealed(SealedToken(token: token.paymentToken))
        }
        var charge = ChargeFields(
            order: order, key: self.dialect.key(order, 0), amount: amount, instrument: instrument)
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
        address.countryCode = self.dialect.countryCode
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
        call.inquiry = try self.dialect.inquiry(
            about: charge, self.followUp(charge.order, 0, charge.amount.minorUnits, [:]), by: self.client)
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
            order: order, key: self.dialect.key(order, number), ordinal: number,
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
        fields.target = self.dialect.key(order, capture)
        return self.call(order, number, .refund, minorUnits, try self.client.refund(fields))
    }

    /// - Parameter authorized: the amount of the authorization.
    public func void(_ order: String, _ number: Int, authorized: Int64, handle: [String: String]) throws -> ShopCall {
        let fields = self.followUp(order, number, authorized, handle)
        return self.call(order, number, .void, nil, try self.client.void(fields))
    }

    /// - Returns: what asks how a payment stands; `nil` for a dialect that has no such request.
    public func inquire(_ order: String, minorUnits: Int64, handle: [String: String]) throws -> ShopCall? {
        let fields = self.followUp(order, 0, minorUnits, handle)
        do {
            return self.call(order, 0, .authorization, minorUnits, try self.client.query(fields))
        } catch  where error.code == .operationNotOffered {
            return nil
        }
    }
}
