//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
public import Money
public import Redaction
public import StrictJSON

/// Speaks TapPay: JSON, with a partner key in a header and in the body; and what its SDKs do, with an app key
/// (docs/dialects/tappay.md).
public struct TapPayClient: WireClient {
    public struct Credentials: Sendable {
        public var appID: Int
        public var appKey: Redacted<String>
        public var partnerKey: Redacted<String>
        /// What pay-by-prime calls the merchant: "GlobalTesting_CTBC".
        public var merchantID: String
        /// Apple's: "merchant.dev.pomona.tappay".
        public var merchantIdentifier: String
        /// What the app calls itself.
        public var appName = "Pomona demo shop"

        public init(
            appID: Int, appKey: Redacted<String>, partnerKey: Redacted<String>, merchantID: String,
            merchantIdentifier: String
        ) {
            self.appID = appID
            self.appKey = appKey
            self.partnerKey = partnerKey
            self.merchantID = merchantID
            self.merchantIdentifier = merchantIdentifier
        }

        /// A demo merchant's.
        public init(_ account: AnnouncedAccount) throws {
            self.init(
                appID: try account.number("appId"), appKey: Redacted(try account.value("appKey")),
                partnerKey: Redacted(try account.value("partnerKey")), merchantID: try account.value("merchantId"),
                merchantIdentifier: try account.value("merchantIdentifier"))
        }
    }

    /// Of the trade: what ``Reading/handle`` has after the payment.
    public static let recTradeID = "rec_trade_id"

    public let name = "tappay"
    let credentials: Credentials

    public init(_ credentials: Credentials) {
        self.credentials = credentials
    }

    /// What a shop's page is set up with.
    public var app: (id: Int, key: Redacted<String>) { (self.credentials.appID, self.credentials.appKey) }

    /// The app key stands in the shop's page, for everybody to read.
    public var secrets: [Redacted<String>] { [self.credentials.partnerKey] }

    /// How many decimals TapPay counts a currency in: Taiwan's dollars are whole (TapPay, "Pay by Prime API").
    public static func decimals(of currency: Currency) -> Int { currency.code == "TWD" ? 0 : currency.exponent }

    public func decimals(of currency: Currency) -> Int { Self.decimals(of: currency) }

    /// The amount as TapPay counts it.
    ///
    /// - Throws: `fieldMissing` for a part of its unit.
    public static func units(_ money: Money) throws(ClientError) -> Int64 {
        var units = money.minorUnits
        for _ in 0..<max(0, money.currency.exponent - self.decimals(of: money.currency)) {
            guard units.isMultiple(of: 10) else {
                throw ClientError(.fieldMissing, "TapPay takes no part of a dollar in this currency.")
            }
            units /= 10
        }
        return units
    }

    /// The amount that TapPay counts so; `nil` for none, and for one beyond `Int64`.
    public static func money(_ units: Int64?, _ currency: Currency?) -> Money? {
        guard var units, let currency else { return nil }
        for _ in 0..<max(0, currency.exponent - self.decimals(of: currency)) {
            let (product, isTooLarge) = units.multipliedReportingOverflow(by: 10)
            guard !isTooLarge else { return nil }
            units = product
        }
        return Money(minorUnits: units, currency: currency)
    }

    /// A request of the server's: "/tpc/transaction/query" and its fields.
    ///
    /// - Parameter key: the same one is the same request.
    public func call(_ path: String, _ fields: JSONFields, key: String? = nil) -> ClientRequest {
        var fields = fields
        fields.set("partner_key", self.credentials.partnerKey.reveal())
        return Self.request(path, self.credentials.partnerKey, fields, key)
    }

    private static func request(
        _ path: String, _ apiKey: Redacted<String>, _ fields: JSONFields, _ key: String?
    ) -> ClientRequest {
        ClientRequest(
            .post, path,
            headers: [("Content-Type", "application/json"), ("x-api-key", apiKey.reveal())]
                + (key.map { [("Idempotency-Key", $0)] } ?? []), body: fields.json.serialized())
    }
}

// MARK: - The front end

extension TapPayClient {
    private func appCall(_ path: String, _ fields: JSONFields) -> ClientRequest {
        var all = JSONFields([
            "app_id": JSON(self.credentials.appID), "app_key": .string(self.credentials.appKey.reveal()),
            "app_name": .string(self.credentials.appName),
            "apple_merchant_id": .string(self.credentials.merchantIdentifier),
        ])
        for member in fields.object.members { all.set(member.name, member.value) }
        return Self.request(path, self.credentials.appKey, all, nil)
    }

    /// What the SDK does with a token. Answers `prime` and `card_info`.
    public func getPrime(_ token: SealedToken, isAmountPending: Bool = false) -> ClientRequest {
        self.appCall(
            "/tpc/applepay/getprime",
            JSONFields([
                "platform_type": "2", "pay_token_data": token.paymentData.reveal(),
                "is_amount_pending": .bool(isAmountPending),
            ]))
    }

    public func merchantSession(domain: String, validationURL: String) throws(ClientError) -> ClientRequest? {
        self.appCall(
            "/tpc/applepay/getsession",
            JSONFields(["merchant_domain": .string(domain), "validation_url": .string(validationURL)]))
    }

    public func merchantSession(in reading: Reading) -> JSON? {
        reading.outcome == .approved ? reading.body.json?["merchant_session"] : nil
    }
}

// MARK: - A payment

extension TapPayClient {
    public func preparation(of charge: ChargeFields) throws(ClientError) -> ClientRequest? {
        switch charge.instrument {
        case .sealed(let token): self.getPrime(token)
        case .prime: nil
        case .opened, .card:
            throw ClientError(.instrumentNotTaken, "TapPay takes an Apple Pay token as the wallet made it, alone.")
        }
    }

    /// Pays with a prime: takes the money in the evening of the day, or not by itself.
    public func charge(_ charge: ChargeFields) throws(ClientError) -> ClientRequest {
        guard case .prime(let prime) = charge.instrument else {
            throw ClientError(.instrumentNotTaken, "TapPay pays with a prime, which has to be made of the token first.")
        }
        var fields = JSONFields()
        fields.set("prime", prime.reveal())
        fields.set("merchant_id", self.credentials.merchantID)
        fields.set("amount", JSON(try Self.units(charge.amount)))
        fields.set("currency", charge.amount.currency.code)
        fields.set("details", String((charge.description ?? "").prefix(100)))
        fields.set("order_number", charge.order)
        fields.set("bank_transaction_id", charge.key)
        fields.set("cardholder.phone_number", charge.customer.phone ?? "")
        fields.set("cardholder.name", charge.customer.fullName ?? "")
        fields.set("cardholder.email", charge.customer.email ?? "")
        fields.set("delay_capture_in_days", charge.capturesAtOnce ? 0 : -1)
        if let notifyURL = charge.notifyURL {
            fields.set("result_url.frontend_redirect_url", charge.returnURL ?? notifyURL)
            fields.set("result_url.backend_notify_url", notifyURL)
        }
        for field in charge.extra { fields.set(field.name, field.value) }
        return self.call("/tpc/payment/pay-by-prime", fields, key: charge.key)
    }

    /// All of it: cap takes no amount.
    public func capture(_ capture: FollowUpFields) throws(ClientError) -> ClientRequest {
        try self.follow("cap", capture, JSONFields())
    }

    /// Takes a planned capture back, or on its day the capture itself.
    public func cancelCapture(_ capture: FollowUpFields) throws(ClientError) -> ClientRequest {
        try self.follow("cap/cancel", capture, JSONFields())
    }

    public func refund(_ refund: FollowUpFields) throws(ClientError) -> ClientRequest {
        var fields = JSONFields(["bank_refund_id": .string(refund.key)])
        if !refund.isWhole { fields.set("amount", JSON(try Self.units(refund.amount))) }
        return try self.follow("refund", refund, fields)
    }

    /// A refund before the capture takes the authorization back.
    public func void(_ void: FollowUpFields) throws(ClientError) -> ClientRequest {
        try self.follow("refund", void, JSONFields(["bank_refund_id": .string(void.key)]))
    }

    /// Takes a refund back, on its day. Its target is the `refund_id`; without it, the newest.
    public func cancelRefund(_ refund: FollowUpFields) throws(ClientError) -> ClientRequest {
        var fields = JSONFields()
        fields.set("refund_id", refund.target)
        return try self.follow("refund/cancel", refund, fields)
    }

    /// By the trade's id where it is known; else its target is the `bank_transaction_id`, which is the key that it was
    /// paid with.
    public func query(_ query: FollowUpFields) throws(ClientError) -> ClientRequest {
        if let id = query.handle[Self.recTradeID] { return self.query(trade: id) }
        guard let key = query.target else {
            throw ClientError(.handleMissing, "Neither the trade's id nor the key that it was paid with is known.")
        }
        return self.query(named: key)
    }

    /// The trade of an id of TapPay's.
    public func query(trade id: String) -> ClientRequest {
        self.call("/tpc/transaction/query", JSONFields(["filters": ["rec_trade_id": .string(id)]]))
    }

    /// The trade of a `bank_transaction_id`, the payer's server's own name for it.
    ///
    /// - Parameter merchantID: among this merchant's trades alone; `nil` for all of the partner's.
    public func query(named name: String, of merchantID: String? = nil) -> ClientRequest {
        var fields = JSONFields(["filters": ["bank_transaction_id": .string(name)]])
        fields.set("filters.merchant_id", merchantID.map { [.string($0)] })
        return self.call("/tpc/transaction/query", fields)
    }

    /// All that was asked of the bank for a trade, each with the name that a refund was given (`bank_refund_id`).
    public func tradeHistory(_ recTradeID: String) -> ClientRequest {
        self.call("/tpc/transaction/trade-history", JSONFields([Self.recTradeID: .string(recTradeID)]))
    }

    private func follow(
        _ path: String, _ follow: FollowUpFields, _ fields: JSONFields
    ) throws(ClientError) -> ClientRequest {
        var fields = fields
        fields.set(Self.recTradeID, try follow.known(Self.recTradeID))
        for field in follow.extra { fields.set(field.name, field.value) }
        return self.call("/tpc/transaction/" + path, fields, key: follow.key)
    }
}
