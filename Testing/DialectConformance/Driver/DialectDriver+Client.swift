//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Clients
public import DialectKit
public import Money
import WalletSimulator

// What every driver does through its client.

extension DialectDriver {
    public func complete(_ charge: inout ChargeFields) {}

    public func take(_ preparation: Reading, into charge: inout ChargeFields, in shop: DialectShop) {
        charge.take(preparation)
    }

    public func request(_ call: DialectCall, in shop: DialectShop) async throws -> WireRequest {
        try await self.clientRequest(call, in: shop)
    }

    /// The request for a call as the client makes it.
    ///
    /// - Parameter complete: says more of a payment that begins.
    public func clientRequest(
        _ call: DialectCall, in shop: DialectShop, complete: (inout ChargeFields) -> Void = { _ in }
    ) async throws -> WireRequest {
        let client = try self.client(in: shop)
        switch call.action {
        case .pay(let amount, let token), .authorize(let amount, let token):
            var charge = shop.charge(call, amount, .sealed(SealedToken(token: token.paymentToken)))
            complete(&charge)
            if let preparation = try client.preparation(of: charge) {
                self.take(try await shop.send(preparation), into: &charge, in: shop)
            }
            return WireRequest(try client.charge(charge))
        case .capture(let amount, let isFinal):
            var capture = call.followUp(amount)
            capture.isFinal = isFinal
            return WireRequest(try client.capture(capture))
        case .refund(let amount): return WireRequest(try client.refund(call.followUp(amount)))
        case .void: return WireRequest(try client.void(call.followUp(call.authorized(self.currency))))
        case .query: return WireRequest(try client.query(call.followUp(call.authorized(self.currency))))
        }
    }

    public func renewed(_ request: WireRequest, in shop: DialectShop) throws -> WireRequest {
        var renewed = request
        renewed.headers = WireRequest(try self.client(in: shop).renewed(ClientRequest(request))).headers
        return renewed
    }

    public func conflicting(
        with request: WireRequest, of call: DialectCall, in shop: DialectShop
    ) async throws -> [NamedRequest] {
        try await self.withLessAmount(call, in: shop)
    }

    /// The same call for a minor unit less, where it says an amount.
    public func withLessAmount(_ call: DialectCall, in shop: DialectShop) async throws -> [NamedRequest] {
        guard let other = call.withLessAmount else { return [] }
        return [NamedRequest("another amount", try await self.clientRequest(other, in: shop))]
    }

    public func read(_ delivered: Delivered, in shop: DialectShop) throws -> DialectNotice {
        let notice = try self.client(in: shop).read(ClientNotification(delivered))
        guard notice.isGenuine ?? !self.has(.notificationProof) else {
            throw ShapeBroken("the notification does not prove that it is the gateway's")
        }
        guard notice.outcome != .unknown else { throw ShapeBroken("the notification names no outcome") }
        return DialectNotice(notice.subject, DialectVerdict(notice.outcome), amount: notice.amount)
    }
}

extension DialectShop {
    /// What is asked for when a payment begins, as the driver's language wants it.
    public func charge(_ call: DialectCall, _ amount: Money, _ instrument: WireInstrument) -> ChargeFields {
        var charge = ChargeFields(order: call.payment, key: call.key, amount: amount, instrument: instrument)
        if case .pay = call.action { charge.capturesAtOnce = true }
        charge.notifyURL = "https://shop.example/notify"
        charge.returnURL = "https://shop.example/result"
        self.driver.complete(&charge)
        return charge
    }

    /// Sends a client's request, keeps the exchange, and reads the answer as the shop's client does.
    @discardableResult
    public func send(_ request: ClientRequest) async throws -> Reading {
        let request = WireRequest(request)
        return try self.read(await self.send(request), to: request)
    }

    /// An answer, as the shop's client reads it.
    public func read(_ response: WireResponse, to request: WireRequest) throws -> Reading {
        try self.driver.client(in: self).read(ClientReply(response), to: ClientRequest(request))
    }
}

extension DialectCall {
    /// What is asked for when a payment goes on.
    public func followUp(_ amount: Money) -> FollowUpFields {
        var fields = FollowUpFields(
            order: self.payment, key: self.key, ordinal: self.ordinal, amount: amount, handle: self.handle)
        fields.description = "Bruised"
        fields.notifyURL = "https://shop.example/refund"
        return fields
    }

    /// The how-many-th operation of the payment it is, from 1, the authorization and what was refused not counted.
    var ordinal: Int { self.handle["ordinal"].flatMap { Int($0) } ?? 1 }

    /// What was authorized, as far as answers have said.
    public func authorized(_ currency: Currency) -> Money {
        Money(minorUnits: self.handle["authorized"].flatMap { Int64($0) } ?? 0, currency: currency)
    }

    /// The same call for a minor unit less; `nil` for one that says no amount.
    public var withLessAmount: DialectCall? {
        func less(_ amount: Money) -> Money { Money(minorUnits: amount.minorUnits - 1, currency: amount.currency) }
        var call = self
        switch self.action {
        case .pay(let amount, let token): call.action = .pay(less(amount), token)
        case .authorize(let amount, let token): call.action = .authorize(less(amount), token)
        case .capture(let amount, let isFinal): call.action = .capture(less(amount), isFinal: isFinal)
        case .refund(let amount): call.action = .refund(less(amount))
        case .void, .query: return nil
        }
        return call
    }
}
