//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import DialectKit
import HTTPTypes
import Payments
import Redaction
import StrictJSON
import Synchronization
import Time

extension Shop {
    /// Pays an order with a token or with TapPay's prime: authorizes, and captures nothing where the service can.
    func pay(_ id: String, _ body: JSON) async throws(APIError) -> JSON {
        let instrument = try Self.instrument(of: body)
        let contact = Contact(body["contact"])
        let now = self.parts.clock()
        var order = try self.orders.withLock { book throws(APIError) in try book.begin(.pay, of: id, now: now) }
        order.secrets += instrument.secrets
        if case .prime = instrument { order.isPaidByPrime = true }
        self.orders.withLock { [secrets = order.secrets, isPaidByPrime = order.isPaidByPrime] in
            $0.change(id) { order in
                order.secrets = secrets
                order.isPaidByPrime = isPaidByPrime
                order.showsStages = false
            }
        }
        order.purchase.contact = contact
        switch instrument {
        case .token(let token):
            for entry in await self.parts.view.tokenStages(order.account.name, token) { self.append(entry, to: id) }
        case .prime:
            self.append(
                ExchangeEntry(
                    .note, "A prime came from the page",
                    "The SDK sent the token to the gateway, which verified and opened it; the shop sees neither."),
                to: id)
        }
        return await self.perform(.pay, on: order) { client, purchase, wire throws(ShopWireError) in
            try await client.authorize(&purchase, with: instrument, on: wire)
        }
    }

    func follow(_ operation: ShopOperation, _ id: String) async throws(APIError) -> JSON {
        let now = self.parts.clock()
        let order = try self.orders.withLock { book throws(APIError) in try book.begin(operation, of: id, now: now) }
        return await self.perform(operation, on: order) { client, purchase, wire throws(ShopWireError) in
            switch operation {
            case .capture: try await client.capture(&purchase, on: wire)
            case .refund: try await client.refund(&purchase, on: wire)
            case .void, .pay: try await client.void(&purchase, on: wire)
            }
        }
    }

    /// Runs a call of a client with everything recorded, and notes what came of it.
    private func perform(
        _ operation: ShopOperation, on order: ShopOrder,
        _ call: (any PaymentClient, inout Purchase, ShopWire) async throws(ShopWireError) -> PaymentStep
    ) async -> JSON {
        var purchase = order.purchase
        let wire = self.recordingWire(order, baseURL: await self.parts.shopURL() ?? Self.usualURL)
        let step: PaymentStep
        do throws(ShopWireError) {
            step = try await call(order.account.client, &purchase, wire)
        } catch {
            // The request may have arrived. What became of it the gateway knows.
            step = PaymentStep(operation == .pay ? .unknown : .error, error.description)
        }
        let message = Scrubber(order.secrets).scrub(step.message)
        let status = Self.status(after: operation, step.status, order)
        var entry = ExchangeEntry(
            .outcome, "\(operation.title): \(step.status.rawValue)", message, isOK: step.status == .approved)
        entry.outcome = step.status
        entry.codes = step.codes
        self.append(entry, to: order.id)
        self.orders.withLock { [purchase] in
            $0.change(order.id) { order in
                order.purchase = purchase
                order.status = status
                order.last = (operation, step)
            }
        }
        await self.refresh(order)
        self.orders.withLock { $0.change(order.id) { $0.isBusy = false } }
        return [
            "status": .string(step.status.rawValue), "message": .string(message),
            "reference": step.reference.map { .string($0) } ?? .null,
            "order": self.orders.withLock { $0[order.id]?.json } ?? .null,
        ]
    }

    static func status(
        after operation: ShopOperation, _ outcome: PaymentStep.Status, _ order: ShopOrder
    ) -> ShopOrderStatus {
        switch (operation, outcome) {
        case (.pay, .approved): order.account.client.capturesAtOnce ? .captured : .authorized
        case (.pay, .declined): .declined
        case (_, .unknown): .unknown
        case (.capture, .approved): .captured
        case (.refund, .approved): .refunded
        case (.void, .approved): .voided
        case (_, .declined), (_, .error): order.status
        }
    }

    private static func instrument(of body: JSON) throws(APIError) -> PurchaseInstrument {
        switch (body["token"], body["prime"]) {
        case (let token?, nil):
            guard token["paymentData"]?.object != nil else {
                throw .malformed("token must be an ApplePayPaymentToken, with its paymentData.")
            }
            return .token(token)
        case (nil, let prime?):
            guard let text = prime.string, (1...100).contains(text.utf8.count) else {
                throw .malformed("prime must be the text that TapPay's SDK gave.")
            }
            return .prime(Redacted(text))
        case (nil, nil), (_?, _?): throw .malformed("The body must hold either token or prime.")
        }
    }

    /// Stands in commands where the shop's address is not to be named.
    private static let usualURL = "http://127.0.0.1:8080"

    /// The way to the payment service, with everything written down that goes over it.
    private func recordingWire(_ order: ShopOrder, baseURL: String) -> ShopWire {
        let transcript = Transcript(scrubber: Scrubber(order.secrets))
        let commands = CommandLine(baseURL: baseURL, scrubber: transcript.scrubber)
        return self.parts.wire.watched { [self] event in
            switch event {
            case .sent(let request):
                var entry = ExchangeEntry(
                    .request, transcript.scrubber.scrub("\(request.method.rawValue) \(request.path)"),
                    transcript.text(request))
                entry.format = Transcript.format(of: request.body.reveal())
                entry.command = commands.text(request)
                self.append(entry, to: order.id)
            case .answered(let reply):
                var entry = ExchangeEntry(
                    .response, "HTTP \(reply.status)", transcript.text(reply), isOK: reply.status / 100 == 2)
                entry.format = Transcript.format(of: reply.body)
                self.append(entry, to: order.id)
            case .failed(let error):
                self.append(ExchangeEntry(.response, "No answer", error.description, isOK: false), to: order.id)
            }
        }
    }

    // MARK: - The gateway's own view

    /// Shows what the ledger has booked since, and takes over how the payment stands where the shop does not know.
    func refresh(_ order: ShopOrder) async {
        guard let payment = await self.parts.view.payment(order.account.name, order.id, order.createdAt) else { return }
        let now = self.parts.clock()
        self.orders.withLock { book in
            book.change(order.id) { order in
                if order.isPaidByPrime, !order.showsStages {
                    for entry in TokenStages.behindPrime(payment.instrument) { order.log.append(entry, at: now) }
                    order.showsStages = true
                }
                if order.shownJournal.isEmpty, !payment.journal.isEmpty {
                    order.log.append(
                        ExchangeEntry(.ledger, "Payment \(payment.id)", "device account \(payment.instrument)"), at: now
                    )
                }
                for entry in payment.journal where order.shownJournal.insert(entry.id).inserted {
                    order.log.append(ExchangeEntry(.ledger, "Ledger: \(entry.title)", entry.text), at: now)
                }
                guard order.status == .unknown, let known = Self.status(of: payment.state) else { return }
                order.status = known
                order.log.append(
                    ExchangeEntry(
                        .note, "The gateway has found out: \(known.rawValue)",
                        "It asked the acquirer again, or took back what nobody knew.", isOK: known != .declined),
                    at: now)
            }
        }
    }

    /// `nil` while the gateway does not know either.
    private static func status(of state: PaymentState) -> ShopOrderStatus? {
        switch state {
        case .authorizing, .authorizationUnknown: nil
        case .declined, .notProcessed, .reversed: .declined
        case .authorized, .verified: .authorized
        case .voided: .voided
        case .partiallyCaptured, .captured: .captured
        case .partiallyRefunded, .refunded: .refunded
        }
    }
}
