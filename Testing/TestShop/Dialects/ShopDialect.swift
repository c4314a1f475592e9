//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Clients
public import Payments

/// What tests have to know of a wire language that its client does not say: how its demo merchant sells, what its requests
/// are called, and what its notifications say of which event.
///
/// A further dialect is one more of these in ``ShopDialects``; what is left out does not compile.
public protocol ShopDialect: Sendable {
    /// Of the dialect, and of its demo merchant.
    static var name: String { get }
    /// How gateways are paid through a service that speaks it.
    static var service: PaidService { get }
    /// What its merchants are paid in, ISO 4217, the usual one first.
    static var currencies: [String] { get }
    /// In which the customers live, ISO 3166-1 alpha-2.
    static var countryCode: String { get }
    static var captures: CaptureStyle { get }
    /// Whether the money can be taken with one request.
    static var sells: Bool { get }
    /// Whether it takes card numbers beside tokens.
    static var takesCards: Bool { get }
    /// Whether a capture or a refund that failed is answered so again when it is repeated.
    static var keepsFailedFollowUps: Bool { get }

    static func client(of merchant: ShopMerchant) throws -> any WireClient

    /// What the request of an order is called on the wire.
    ///
    /// - Parameter number: 0 for what begins the payment, then counting.
    static func key(_ order: String, _ number: Int) -> String
    /// By what a request differs from the others of its order: the same for requests that are one to the dialect.
    static func callName(_ number: Int, _ kind: Operation.Kind) -> String
    /// What is asked for every other time, once the outcome of a payment has to be asked for; `nil` where the request is
    /// sent again.
    static func inquiry(
        about charge: ChargeFields, _ fields: FollowUpFields, by client: any WireClient
    ) throws -> ClientRequest?

    // MARK: What the gateway has booked

    /// Whether the shop's name of a payment is its order's, and not its first request's.
    static var namesOrders: Bool { get }
    /// The ``callName(_:_:)`` of the request that an operation came of.
    static func callName(of operation: Operation, in payment: Payment) -> String

    // MARK: Notifications

    static func sends(_ notification: ClientNotification) -> Bool
    /// The shop's name of the payment, and what the message is called: the same for every attempt to deliver it, another
    /// for any other message. `nil` for what is none.
    static func message(_ notice: Notice, _ notification: ClientNotification) -> (order: String, message: String)?
    /// What messages an event is reported by.
    static func messages(of event: OutboxEvent, _ operation: PaymentOperation, in payment: Payment) -> [String]
}

/// A payment service behind gateways, which speaks a dialect.
public struct PaidService: Sendable {
    /// Whether a person has to decide what the service cannot be asked for.
    public enum Decisions: Sendable {
        case none
        case all
        /// Captures and refunds may still arrive under their own ids, and an authorization without an answer is of no use.
        case authorizations
    }

    /// Of its connector.
    public let name: String
    /// What it pays in; `nil` for anything.
    public let currencies: [String]?
    /// What it can at most.
    public let captures: CaptureStyle
    public let decisions: Decisions

    init(_ name: String, currencies: [String]? = nil, captures: CaptureStyle, decisions: Decisions = .none) {
        self.name = name
        self.currencies = currencies
        self.captures = captures
        self.decisions = decisions
    }

    /// - Throws: ``ShopTrouble`` for a name of none.
    public static func required(_ name: String) throws -> PaidService {
        guard let service = self.all.first(where: { $0.name == name }) else {
            throw ShopTrouble("Nobody is paid through \(name).")
        }
        return service
    }

    public static let all = ShopDialects.all.map { $0.service }
}

/// The dialects that there are, by name.
public enum ShopDialects {
    public static let all: [any ShopDialect.Type] = [
        AlphaPayShop.self, CommWebShop.self, PAYONEShop.self, RadialShop.self, TapPayShop.self,
    ]

    /// - Throws: ``ShopTrouble`` for a name of none.
    public static func required(_ name: String) throws -> any ShopDialect.Type {
        guard let dialect = self.all.first(where: { $0.name == name }) else {
            throw ShopTrouble("Nobody speaks \(name).")
        }
        return dialect
    }

    /// What a notification says, whoever has sent it: the payment as "DIALECT/ORDER". `nil` for what is not the gateway's.
    public static func read(
        _ notification: ClientNotification, clients: [String: any WireClient]
    ) -> (payment: String, message: String, acknowledgement: ClientReply)? {
        guard let dialect = self.all.first(where: { $0.sends(notification) }), let client = clients[dialect.name] else {
            return nil
        }
        let notice = client.read(notification)
        guard notice.isGenuine != false, let (order, message) = dialect.message(notice, notification) else {
            return nil
        }
        return ("\(dialect.name)/\(order)", message, notice.acknowledgement)
    }
}

extension ShopDialect {
    public static var takesCards: Bool { false }
    public static var keepsFailedFollowUps: Bool { true }
    public static var namesOrders: Bool { false }
    public static func key(_ order: String, _ number: Int) -> String { "\(order)-\(number)" }
    public static func callName(_ number: Int, _ kind: Operation.Kind) -> String { String(number) }
    public static func inquiry(
        about charge: ChargeFields, _ fields: FollowUpFields, by client: any WireClient
    ) throws -> ClientRequest? { nil }

    /// The last part of the request's id, as ``key(_:_:)`` makes it.
    public static func callName(of operation: Operation, in payment: Payment) -> String {
        if operation.id == payment.opening?.id { return "0" }
        return operation.labels.reference?.split(separator: "-").last.map(String.init) ?? ""
    }
}

extension Reading.Outcome {
    /// As messages are called.
    var ending: String { self == .approved ? "succeeded" : "failed" }
}
