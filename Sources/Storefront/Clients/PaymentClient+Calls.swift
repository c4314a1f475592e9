//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
public import DialectKit
import HTTPTypes
public import StrictJSON

/// A shop's payment, from its client's requests and readings. Answers that say no are steps too, and so is what was not
/// even sent; only where nobody answers it throws.
extension PaymentClient {
    public func authorize(
        _ purchase: inout Purchase, with instrument: PurchaseInstrument, on wire: ShopWire
    ) async throws(ShopWireError) -> PaymentStep {
        var charge = purchase.charge(with: instrument)
        let preparation: ClientRequest?
        do throws(ClientError) {
            preparation = try self.preparation(of: charge)
        } catch {
            return PaymentStep(.error, error.description)
        }
        if let preparation {
            let reading = self.read(try await wire.call(preparation), to: preparation)
            purchase.take(reading, isFollowUp: false)
            guard reading.isDone else { return self.step(reading) }
            charge.take(reading)
        }
        return try await self.ask(&purchase, isFollowUp: false, on: wire) { [charge] () throws(ClientError) in
            try self.charge(charge)
        }
    }

    /// Captures the whole authorization.
    public func capture(_ purchase: inout Purchase, on wire: ShopWire) async throws(ShopWireError) -> PaymentStep {
        let followUp = purchase.followUp()
        return try await self.ask(&purchase, isFollowUp: true, on: wire) { () throws(ClientError) in
            try self.capture(followUp)
        }
    }

    /// Refunds all that is captured.
    public func refund(_ purchase: inout Purchase, on wire: ShopWire) async throws(ShopWireError) -> PaymentStep {
        let followUp = purchase.followUp()
        return try await self.ask(&purchase, isFollowUp: true, on: wire) { () throws(ClientError) in
            try self.refund(followUp)
        }
    }

    /// Gives the whole authorization back.
    public func void(_ purchase: inout Purchase, on wire: ShopWire) async throws(ShopWireError) -> PaymentStep {
        let followUp = purchase.followUp()
        return try await self.ask(&purchase, isFollowUp: true, on: wire) { () throws(ClientError) in
            try self.void(followUp)
        }
    }

    private func ask(
        _ purchase: inout Purchase, isFollowUp: Bool, on wire: ShopWire,
        _ make: () throws(ClientError) -> ClientRequest
    ) async throws(ShopWireError) -> PaymentStep {
        let request: ClientRequest
        do throws(ClientError) {
            request = try make()
        } catch {
            return PaymentStep(.error, error.description)
        }
        let reading = self.read(try await wire.call(request), to: request)
        purchase.take(reading, isFollowUp: isFollowUp)
        return self.step(reading)
    }

    private func step(_ reading: Reading) -> PaymentStep { PaymentStep(reading, codes: self.notes(reading.body)) }

    /// A merchant session through the service, or `nil` where it has no call for that and the shop asks the simulated
    /// Apple itself, through its gateway.
    public func merchantSession(
        domain: String, validationURL: String, on wire: ShopWire
    ) async throws(ShopWireError) -> JSON? {
        let request: ClientRequest?
        do throws(ClientError) {
            request = try self.merchantSession(domain: domain, validationURL: validationURL)
        } catch {
            throw ShopWireError(error.description)
        }
        guard let request else { return nil }
        let reading = self.read(try await wire.call(request), to: request)
        guard reading.isDone else { throw ShopWireError(reading.text) }
        guard let session = self.merchantSession(in: reading), session.object != nil else {
            throw ShopWireError("The payment service's answer holds no merchant session.")
        }
        return session
    }

    /// What a notification says, and what the service wants to hear.
    public func read(_ notification: WireRequest) -> NotificationReading {
        let notice = self.read(
            ClientNotification(path: notification.path, headers: notification.headers, body: notification.body))
        return NotificationReading(
            title: notice.title, reference: notice.order ?? notice.key.map(Purchase.reference(ofKey:)),
            isGenuine: notice.isGenuine,
            acknowledgement: WireResponse(
                status: HTTPResponse.Status(code: notice.acknowledgement.status),
                headers: notice.acknowledgement.headers, body: notice.acknowledgement.body),
            codes: self.notes(notice.body))
    }
}
