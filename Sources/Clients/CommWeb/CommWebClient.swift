//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import HTTPTypes
public import Money
public import Redaction
public import StrictJSON

/// Speaks CommWeb, which is the Mastercard gateway: REST and JSON, Basic authentication (docs/dialects/commweb.md).
public struct CommWebClient: WireClient {
    public struct Credentials: Sendable {
        public var merchantID: String
        public var password: Redacted<String>
        /// What notifications over https carry.
        public var notificationSecret: Redacted<String>?
        /// Of the API, in every path.
        public var version = 71

        public init(merchantID: String, password: Redacted<String>, notificationSecret: Redacted<String>? = nil) {
            self.merchantID = merchantID
            self.password = password
            self.notificationSecret = notificationSecret
        }
    }

    /// `apiOperation` (Mastercard gateway, API reference).
    public enum Operation: String, Hashable, Sendable, CaseIterable {
        case authorize = "AUTHORIZE"
        case pay = "PAY"
        case verify = "VERIFY"
        case capture = "CAPTURE"
        case refund = "REFUND"
        case updateAuthorization = "UPDATE_AUTHORIZATION"
        case void = "VOID"
    }

    /// The id of the transaction that began the payment: what ``Reading/handle`` has after it.
    public static let transactionID = "transaction.id"

    public let name = "commweb"
    private let credentials: Credentials

    public init(_ credentials: Credentials) {
        self.credentials = credentials
    }

    public var secrets: [Redacted<String>] {
        [self.credentials.password, self.basic] + [self.credentials.notificationSecret].compactMap { $0 }
    }

    private var basic: Redacted<String> {
        self.credentials.password.map { password in
            Base64.encode(Array("merchant.\(self.credentials.merchantID):\(password)".utf8))
        }
    }

    // MARK: - Paths

    private func path(_ order: String, _ transaction: String? = nil) -> String {
        let merchant = PercentCoding.encoded(self.credentials.merchantID)
        let transaction = transaction.map { "/transaction/" + PercentCoding.encoded($0) } ?? ""
        return "/api/rest/version/\(self.credentials.version)/merchant/\(merchant)/order/"
            + PercentCoding.encoded(order) + transaction
    }

    private func request(_ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil) -> ClientRequest {
        let type = body == nil ? [] : [("Content-Type", "application/json")]
        return ClientRequest(
            method, path, headers: type + [("Authorization", "Basic " + self.basic.reveal())],
            body: body?.serialized() ?? [])
    }

    /// Puts a transaction into an order. The URL is its key: the identical request is answered again and done once.
    public func put(_ body: JSON, order: String, transaction: String) -> ClientRequest {
        self.request(.put, self.path(order, transaction), body)
    }

    public func retrieve(order: String, transaction: String? = nil) -> ClientRequest {
        self.request(.get, self.path(order, transaction))
    }

    public func createSession() -> ClientRequest {
        let merchant = PercentCoding.encoded(self.credentials.merchantID)
        return self.request(
            .post, "/api/rest/version/\(self.credentials.version)/merchant/\(merchant)/session",
            ["apiOperation": "CREATE_SESSION"])
    }
}

// MARK: - Bodies

extension CommWebClient {
    /// Of AUTHORIZE, PAY and VERIFY.
    ///
    /// - Throws: `instrumentNotTaken` for a prime.
    public static func body(_ operation: Operation, _ charge: ChargeFields) throws(ClientError) -> JSON {
        var fields = try self.fields(operation, charge.amount, charge.instrument)
        fields.set("order.description", charge.description)
        for field in charge.extra { fields.set(field.name, field.value) }
        return fields.json
    }

    /// What AUTHORIZE, PAY and VERIFY cannot do without.
    ///
    /// - Throws: `instrumentNotTaken` for a prime.
    public static func fields(
        _ operation: Operation, _ amount: Money, _ instrument: WireInstrument
    ) throws(ClientError) -> JSONFields {
        var fields = JSONFields()
        fields.set("apiOperation", operation.rawValue)
        if operation != .verify { fields.set("order.amount", amount.decimalText) }
        fields.set("order.currency", amount.currency.code)
        try self.set(instrument, &fields)
        fields.set("transaction.source", "INTERNET")
        return fields
    }

    private static func set(_ instrument: WireInstrument, _ fields: inout JSONFields) throws(ClientError) {
        let card = "sourceOfFunds.provided.card"
        switch instrument {
        case .sealed(let token):
            fields.set("order.walletProvider", "APPLE_PAY")
            fields.set("sourceOfFunds.type", "CARD")
            // The token's JSON, as a text.
            fields.set("\(card).devicePayment.paymentToken", token.paymentData.reveal().text())
        case .opened(let token):
            fields.set("order.walletProvider", "APPLE_PAY")
            self.set(token.number, token.expiryYearMonth, &fields)
            fields.set("\(card).devicePayment.cryptogramFormat", "3DSECURE")
            fields.set("\(card).devicePayment.onlinePaymentCryptogram", token.cryptogram.reveal())
            fields.set("\(card).devicePayment.eciIndicator", token.eci)
        case .card(let typed):
            self.set(typed.number, typed.expiryYearMonth, &fields)
            fields.set("\(card).securityCode", typed.securityCode?.reveal())
        case .prime:
            throw ClientError(.instrumentNotTaken, "CommWeb takes tokens and cards. A prime is TapPay's.")
        }
    }

    private static func set(_ number: Redacted<String>, _ expiryYearMonth: String, _ fields: inout JSONFields) {
        fields.set("sourceOfFunds.type", "CARD")
        fields.set("sourceOfFunds.provided.card.number", number.reveal())
        fields.set("sourceOfFunds.provided.card.expiry.month", String(expiryYearMonth.suffix(2)))
        fields.set("sourceOfFunds.provided.card.expiry.year", String(expiryYearMonth.prefix(2)))
    }

    /// Of CAPTURE, REFUND and UPDATE_AUTHORIZATION, whose amount is the new total.
    ///
    /// - Parameter target: the transaction that it is about; where it is left out, the order's.
    public static func body(_ operation: Operation, _ amount: Money, target: String? = nil) -> JSON {
        var fields = JSONFields()
        fields.set("apiOperation", operation.rawValue)
        fields.set("transaction.amount", amount.decimalText)
        fields.set("transaction.currency", amount.currency.code)
        fields.set("transaction.targetTransactionId", target)
        return fields.json
    }

    public static func voidBody(of target: String) -> JSON {
        ["apiOperation": .string(Operation.void.rawValue), "transaction": ["targetTransactionId": .string(target)]]
    }
}

// MARK: - A payment

extension CommWebClient {
    public func charge(_ charge: ChargeFields) throws(ClientError) -> ClientRequest {
        self.put(
            try Self.body(charge.capturesAtOnce ? .pay : .authorize, charge), order: charge.order,
            transaction: charge.key)
    }

    /// There is no last capture: what one leaves is given back by lowering the authorization.
    public func capture(_ capture: FollowUpFields) throws(ClientError) -> ClientRequest {
        self.follow(.capture, capture)
    }

    /// - Parameter refund: its target is the capture; where none is named, the only one of which something is left.
    public func refund(_ refund: FollowUpFields) throws(ClientError) -> ClientRequest {
        self.follow(.refund, refund)
    }

    /// To a new total.
    public func updateAuthorization(_ update: FollowUpFields) -> ClientRequest {
        self.follow(.updateAuthorization, update)
    }

    public func void(_ void: FollowUpFields) throws(ClientError) -> ClientRequest {
        let target = if let target = void.target { target } else { try void.known(Self.transactionID) }
        return self.put(Self.voidBody(of: target), order: void.order, transaction: void.key)
    }

    public func query(_ query: FollowUpFields) throws(ClientError) -> ClientRequest {
        self.retrieve(order: query.order, transaction: query.target)
    }

    private func follow(_ operation: Operation, _ fields: FollowUpFields) -> ClientRequest {
        let body = Self.body(operation, fields.amount, target: fields.target)
        guard !fields.extra.isEmpty else { return self.put(body, order: fields.order, transaction: fields.key) }
        var more = JSONFields(body)
        for field in fields.extra { more.set(field.name, field.value) }
        return self.put(more.json, order: fields.order, transaction: fields.key)
    }
}

// MARK: - Answers

extension CommWebClient {
    public func read(_ reply: ClientReply, to request: ClientRequest) -> Reading {
        guard let json = try? JSON.parse(reply.body), json.object != nil else {
            return .unreadable(reply, "CommWeb answered with something that is no JSON (HTTP \(reply.status)).")
        }
        let body = ReplyBody.json(json)
        guard body["result"] != "ERROR" else { return Self.error(body, reply) }
        var reading = Reading(
            Self.outcome(body["result"]), code: body["response.gatewayCode"] ?? "",
            text: Self.summary(body), reply, body)
        let currency = body.currency("transaction.currency", "order.currency", "currency")
        reading.reference = body["transaction.id"]
        reading.amount = body.amount("transaction.amount", currency: currency)
        reading.captured =
            body.amount("order.totalCapturedAmount", currency: currency)
            ?? body.amount("totalCapturedAmount", currency: currency)
        reading.refunded =
            body.amount("order.totalRefundedAmount", currency: currency)
            ?? body.amount("totalRefundedAmount", currency: currency)
        reading.authorizationCode = body["transaction.authorizationCode"]
        reading.issuerCode = body["authorizationResponse.responseCode"] ?? body["response.acquirerCode"]
        reading.addressCheck = body["response.cardholderVerification.avs.acquirerCode"]
        reading.securityCodeCheck = body["response.cardSecurityCode.acquirerCode"]
        let begins = ["AUTHORIZATION", "PAYMENT", "VERIFICATION"].contains(body["transaction.type"])
        if begins, reading.outcome != .declined, let id = reading.reference { reading.handle[Self.transactionID] = id }
        return reading
    }

    /// After `SERVER_BUSY` nothing was done; after `SERVER_FAILED` nobody knows. The identical request may be sent again
    /// after either (API reference).
    private static func error(_ body: ReplyBody, _ reply: ClientReply) -> Reading {
        let cause = body["error.cause"] ?? ""
        let words = [body["error.cause"], body["error.explanation"]].compactMap { $0 }.joined(separator: ": ")
        var reading = Reading(cause == "SERVER_FAILED" ? .unknown : .refused, code: cause, text: words, reply, body)
        reading.isTemporary = cause == "SERVER_BUSY"
        return reading
    }

    private static func outcome(_ result: String?) -> Reading.Outcome {
        switch result {
        case "SUCCESS": .approved
        case "FAILURE": .declined
        case "PENDING", "UNKNOWN": .pending
        default: .unknown
        }
    }

    /// "SUCCESS APPROVED AUTHORIZED".
    private static func summary(_ body: ReplyBody) -> String {
        [body["result"], body["response.gatewayCode"], body["order.status"]].map { $0 ?? "none" }
            .joined(separator: " ")
    }

    public func read(_ notification: ClientNotification) -> Notice {
        let body = (try? JSON.parse(notification.body)).map(ReplyBody.json) ?? .none
        // Over http the gateway sends no secret: whoever listens would know it.
        let isGenuine = notification.header("X-Notification-Secret").map { secret in
            self.credentials.notificationSecret.map { isEqual(secret, $0.reveal()) } ?? false
        }
        return Notice(
            title: [body["transaction.type"], body["result"], body["order.status"]], order: body["order.id"],
            key: body["transaction.id"], outcome: Self.outcome(body["result"]), isGenuine: isGenuine, body: body)
    }
}
