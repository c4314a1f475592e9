//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import HTTPTypes
public import Redaction
public import StrictJSON

/// Speaks CommWeb, which is the Mastercard gateway: REST and JSON, Basic authentication (docs/dialects/commweb.md).
public struct CommWebClient: WireClient {
    public struct Credentials: Sendable {
        public var merchantID: String
        /// `nil` for a merchant who proves himself by a TLS client certificate.
        public var password: Redacted<String>?
        /// What notifications over https carry.
        public var notificationSecret: Redacted<String>?
        /// Of the API, in every path.
        public var version: Int

        public init(
            merchantID: String, password: Redacted<String>?, notificationSecret: Redacted<String>? = nil,
            version: Int = 71
        ) {
            self.merchantID = merchantID
            self.password = password
            self.notificationSecret = notificationSecret
            self.version = version
        }

        /// A demo merchant's.
        public init(_ account: AnnouncedAccount) throws {
            self.init(
                merchantID: try account.value("merchantId"), password: Redacted(try account.value("password")),
                notificationSecret: Redacted(try account.value("notificationSecret")))
        }
    }

    /// The id of the transaction that began the payment: what ``Reading/handle`` has after it.
    public static let transactionID = "transaction.id"

    public let name = "commweb"
    let credentials: Credentials

    public init(_ credentials: Credentials) {
        self.credentials = credentials
    }

    public var secrets: [Redacted<String>] {
        [self.credentials.password, self.basic, self.credentials.notificationSecret].compactMap { $0 }
    }

    /// RFC 7617, with "merchant." before the id (API reference, "Authentication").
    private var basic: Redacted<String>? {
        self.credentials.password?.map { password in
            Base64.encode(Array("merchant.\(self.credentials.merchantID):\(password)".utf8))
        }
    }

    // MARK: - Paths

    private var versionPath: String { "/api/rest/version/\(self.credentials.version)" }

    private var merchantPath: String {
        "\(self.versionPath)/merchant/\(PercentCoding.encoded(self.credentials.merchantID))"
    }

    private func path(_ order: String, _ transaction: String? = nil) -> String {
        let transaction = transaction.map { "/transaction/" + PercentCoding.encoded($0) } ?? ""
        return "\(self.merchantPath)/order/" + PercentCoding.encoded(order) + transaction
    }

    private func request(_ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil) -> ClientRequest {
        // With the charset, or the gateway takes the text for ISO-8859-1.
        var headers = body == nil ? [] : [("Content-Type", "application/json;charset=UTF-8")]
        // At once, without a round that is answered 401.
        if let basic = self.basic { headers.append(("Authorization", "Basic " + basic.reveal())) }
        return ClientRequest(method, path, headers: headers, body: body?.serialized() ?? [])
    }

    /// Puts a transaction into an order. The URL is its key: the identical request is answered again and done once.
    public func put(_ body: JSON, order: String, transaction: String) -> ClientRequest {
        self.request(.put, self.path(order, transaction), body)
    }

    public func retrieve(order: String, transaction: String? = nil) -> ClientRequest {
        self.request(.get, self.path(order, transaction))
    }

    public func createSession() -> ClientRequest {
        self.request(.post, "\(self.merchantPath)/session", ["apiOperation": "CREATE_SESSION"])
    }

    /// Whether the gateway is there. It asks for nobody's credentials, and is given none.
    public func information() -> ClientRequest { ClientRequest(.get, "\(self.versionPath)/information") }
}

// MARK: - A payment

extension CommWebClient {
    public func charge(_ charge: ChargeFields) throws(ClientError) -> ClientRequest {
        var body = ChargeBody(charge.capturesAtOnce ? .pay : .authorize, charge.amount, try Source(charge.instrument))
        body.details.description = charge.description
        body.extra = charge.extra
        return self.put(body.json, order: charge.order, transaction: charge.key)
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
