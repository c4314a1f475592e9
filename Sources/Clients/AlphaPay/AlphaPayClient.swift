//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
public import Money
public import Redaction
public import StrictJSON
public import Time

/// Speaks AlphaPay: signs what it asks and checks what comes back (docs/dialects/alphapay.md).
public struct AlphaPayClient: WireClient {
    public struct Credentials: Sendable {
        public var merchantCode: String
        public var keyVersion: String
        public var privateKeyPEM: Redacted<String>
        /// Without it no answer and no notification is proven to be the gateway's, and none is held to be forged.
        public var gatewayPublicKeyPEM: String?
        /// Another key of the gateway's, so that one can follow the other. Counts only beside the first.
        public var secondGatewayPublicKeyPEM: String?

        public init(
            merchantCode: String, keyVersion: String, privateKeyPEM: Redacted<String>, gatewayPublicKeyPEM: String?,
            secondGatewayPublicKeyPEM: String? = nil
        ) {
            self.merchantCode = merchantCode
            self.keyVersion = keyVersion
            self.privateKeyPEM = privateKeyPEM
            self.gatewayPublicKeyPEM = gatewayPublicKeyPEM
            self.secondGatewayPublicKeyPEM = secondGatewayPublicKeyPEM
        }

        /// A demo merchant's.
        public init(_ account: AnnouncedAccount) throws {
            self.init(
                merchantCode: try account.value("merchantCode"), keyVersion: try account.value("keyVersion"),
                privateKeyPEM: Redacted(try account.secretFile("privateKey")),
                gatewayPublicKeyPEM: try account.file("gatewayPublicKey"))
        }
    }

    /// Of the order: what ``Reading/handle`` has after a `preOrder`.
    public static let paymentID = "paymentId"
    private static let pathPrefix = "/api/v2.0/payments/"

    public let name = "alphapay"
    public let capturesAtOnce = true
    private let signature: AlphaPaySignature
    private let clock: @Sendable () -> Timestamp
    private let random: @Sendable (Int) -> [UInt8]

    /// - Parameter random: that many bytes of a cryptographically secure source.
    /// - Throws: when a key cannot be read.
    public init(
        _ credentials: Credentials, clock: @escaping @Sendable () -> Timestamp,
        random: @escaping @Sendable (Int) -> [UInt8]
    ) throws(ClientError) {
        self.signature = try AlphaPaySignature(credentials)
        self.clock = clock
        self.random = random
    }

    /// Its key never leaves it: what is signed with it is all that is sent.
    public var secrets: [Redacted<String>] { [] }

    /// Whether a PEM is that of an RSA public key, by which answers can be verified.
    public static func isPublicKey(_ pem: String) -> Bool { AlphaPaySignature.publicKey(pem) != nil }

    /// A signed request to an endpoint: "apple-pay/preOrder".
    public func call(_ endpoint: String, _ body: JSON) throws(ClientError) -> ClientRequest {
        try self.signed(ClientRequest(.post, Self.pathPrefix + endpoint, body: body.serialized()))
    }

    public func renewed(_ request: ClientRequest) throws(ClientError) -> ClientRequest { try self.signed(request) }

    private func signed(_ request: ClientRequest) throws(ClientError) -> ClientRequest {
        let body = request.body.reveal()
        let proof = try self.signature.headers(
            path: request.path, body: body, time: self.clock(), nonce: self.random(16))
        return ClientRequest(
            request.method, request.path, headers: [("Content-Type", "application/json; charset=UTF-8")] + proof,
            body: body)
    }

    func isGateways(_ reply: ClientReply, to path: String) -> Bool? {
        self.signature.isGateways(
            reply.header("Signature"), path: path, time: reply.header("Response-Time"), nonce: reply.header("Nonce"),
            body: reply.body)
    }

    func isGateways(_ notification: ClientNotification) -> Bool? {
        self.signature.isGateways(
            notification.header("Signature"), path: notification.path, time: notification.header("Request-Time"),
            nonce: notification.header("Nonce"), body: notification.body)
    }
}

// MARK: - Its calls

extension AlphaPayClient {
    /// Asks for an order. Answers `paymentId`.
    public func preOrder(_ charge: ChargeFields) throws(ClientError) -> ClientRequest {
        try self.preOrder(
            charge.order, charge.amount, description: charge.description ?? charge.order, notifyURL: charge.notifyURL,
            extra: charge.extra)
    }

    /// - Parameter reference: `paymentRequestId`: the same one with the same fields is the same order.
    public func preOrder(
        _ reference: String, _ amount: Money, description: String, notifyURL: String? = nil, extra: [ExtraField] = []
    ) throws(ClientError) -> ClientRequest {
        var body = JSONFields()
        body.set("paymentRequestId", reference)
        body.set("order.orderAmount", Self.json(amount))
        body.set("order.description", description)
        body.set("order.notifyUrl", notifyURL)
        for field in extra { body.set(field.name, field.value) }
        return try self.call("apple-pay/preOrder", body.json)
    }

    /// Pays an order.
    public func pay(
        _ paymentID: String, _ token: SealedToken, customerID: String? = nil
    ) throws(ClientError) -> ClientRequest {
        var body = JSONObject()
        body["paymentId"] = .string(paymentID)
        body["customerId"] = customerID.map { .string($0) }
        body["token"] = token.json
        return try self.call("apple-pay/pay", .object(body))
    }

    /// `result` is about the inquiry, `paymentStatus` about the payment; the reading is of the payment.
    public func inquire(_ paymentID: String) throws(ClientError) -> ClientRequest {
        try self.call("inquiryPayment", [Self.paymentID: .string(paymentID)])
    }

    /// - Parameter requestID: the same one with the same fields is the same refund.
    public func refund(
        _ paymentID: String, _ amount: Money, requestID: String, description: String? = nil, notifyURL: String? = nil
    ) throws(ClientError) -> ClientRequest {
        var body = JSONFields()
        body.set("paymentId", paymentID)
        body.set("refundRequestId", requestID)
        body.set("refund.refundAmount", Self.json(amount))
        body.set("refund.description", description)
        body.set("refund.notifyUrl", notifyURL)
        return try self.call("refund", body.json)
    }

    /// - Parameter refundID: AlphaPay's own id, which it calls required ("Refund Inquiry"); `nil` where its answer to the
    ///   refund was lost.
    public func inquireRefund(requestID: String, refundID: String? = nil) throws(ClientError) -> ClientRequest {
        var body = JSONObject()
        body["refundId"] = refundID.map { .string($0) }
        body["refundRequestId"] = .string(requestID)
        return try self.call("inquiryRefund", .object(body))
    }

    /// Closes an order that is not paid.
    public func cancel(_ paymentID: String) throws(ClientError) -> ClientRequest {
        try self.call("cancel", [Self.paymentID: .string(paymentID)])
    }

    /// What has succeeded on a day: "20260131".
    public func transactions(day: String) throws(ClientError) -> ClientRequest {
        try self.call("transactions", ["date": .string(day)])
    }

    private static func json(_ money: Money) -> JSON {
        ["value": .string(String(money.minorUnits)), "currency": .string(money.currency.code)]
    }
}

extension AlphaPayClient {
    private static func sealed(_ instrument: WireInstrument) throws(ClientError) -> SealedToken {
        guard case .sealed(let token) = instrument else {
            throw ClientError(.instrumentNotTaken, "AlphaPay takes an Apple Pay token as the wallet made it, alone.")
        }
        return token
    }

    public func preparation(of charge: ChargeFields) throws(ClientError) -> ClientRequest? {
        _ = try Self.sealed(charge.instrument)
        return charge.handle[Self.paymentID] == nil ? try self.preOrder(charge) : nil
    }

    public func charge(_ charge: ChargeFields) throws(ClientError) -> ClientRequest {
        let token = try Self.sealed(charge.instrument)
        guard let paymentID = charge.handle[Self.paymentID] else {
            throw ClientError(.handleMissing, "An order has to be asked for before it is paid.")
        }
        return try self.pay(paymentID, token, customerID: charge.customer.id)
    }

    public func capture(_ capture: FollowUpFields) throws(ClientError) -> ClientRequest {
        throw ClientError(.operationNotOffered, "AlphaPay has no capture: it takes the money with the payment.")
    }

    public func void(_ void: FollowUpFields) throws(ClientError) -> ClientRequest {
        throw ClientError(.operationNotOffered, "AlphaPay cancels unpaid orders only. Refund the payment.")
    }

    public func refund(_ refund: FollowUpFields) throws(ClientError) -> ClientRequest {
        try self.refund(
            try refund.known(Self.paymentID), refund.amount, requestID: refund.key, description: refund.description,
            notifyURL: refund.notifyURL)
    }

    public func query(_ query: FollowUpFields) throws(ClientError) -> ClientRequest {
        try self.inquire(try query.known(Self.paymentID))
    }
}
