//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import DialectKit
public import Payments
import Redaction
import Time

/// Looks a text up in every way in which something may be called so.
struct SearchFinder {
    private let search: Search
    private let reader: any StoreReader
    private let merchants: [MerchantID: Merchant]
    private(set) var hits: [SearchHit] = []
    private var seen: Set<String> = []

    /// One more than is wanted of each kind says that there are more.
    private var limit: Int { self.search.limit + 1 }

    init(_ search: Search, _ reader: any StoreReader) throws {
        self.search = search
        self.reader = reader
        self.merchants = Dictionary(
            try reader.merchants().filter { merchant in search.merchants?.contains(merchant.id) ?? true }
                .map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func find(_ text: String) throws {
        guard !text.isEmpty else { return }
        if self.may(.paymentsRead) {
            try self.findPayments(text)
            try self.findRefusals(text)
        }
        if self.may(.webhooksRead), let id = EventID(text), let event = try self.reader.event(id) {
            try self.add(event)
        }
        if self.may(.reportsRead), let id = SettlementFileID(text), let file = try self.reader.settlementFile(id) {
            self.add(file)
        }
        if self.may(.applePayRead) { try self.findCertificates(text) }
        if self.may(.merchantsRead) {
            let name = text.lowercased()
            for merchant in self.merchants.values.sorted(by: { $0.name < $1.name })
            where merchant.name == name || merchant.id.text == text || merchant.displayName.lowercased() == name {
                self.add(merchant)
            }
        }
    }

    private func may(_ scope: Scope) -> Bool { self.search.scopes.contains(scope) }

    // MARK: - Payments

    private mutating func findPayments(_ text: String) throws {
        if let id = PaymentID(text) { return try self.add(self.reader.payment(id), .id) }
        if let id = OperationID(text) {
            return try self.add(
                try self.reader.paymentID(ofOperation: id).flatMap { try self.reader.payment($0) }, .operation)
        }
        if let id = OrderID(text) { return try self.add(PaymentQuery(orderID: id, limit: self.limit), .id) }
        if let id = EventID(text) {
            return try self.add(
                try self.reader.event(id).flatMap { try self.reader.payment($0.paymentID) }, .id)
        }
        for query in self.scoped(PaymentQuery(orderReference: text, limit: self.limit)) {
            try self.add(query, .orderReference)
        }
        for (name, match) in [
            (PaymentQuery.OperationName.merchant(text), SearchHit.Match.reference),
            (.acquirer(text), .acquirerReference), (.authorizationCode(text), .authorizationCode),
            (.dialects(self.search.plans, calling: text), .dialectReference),
        ] {
            var query = PaymentQuery(limit: self.limit)
            query.operationName = name
            for query in self.scoped(query) { try self.add(query, match) }
        }
        if ASCII.isDigits(text, 4...4) {
            for query in self.scoped(PaymentQuery(cardSuffix: text, limit: self.limit)) { try self.add(query, .last4) }
        }
    }

    /// The same query for all merchants at once, or for each that may be seen.
    private func scoped(_ query: PaymentQuery) -> [PaymentQuery] {
        guard self.search.merchants != nil else { return [query] }
        return self.merchants.keys.sorted().map { id in
            var query = query
            query.merchantID = id
            return query
        }
    }

    private mutating func add(_ query: PaymentQuery, _ match: SearchHit.Match) throws {
        for payment in try self.reader.payments(query) { try self.add(payment, match) }
    }

    private mutating func add(_ payment: Payment?, _ match: SearchHit.Match) throws {
        guard let payment, let merchant = self.merchants[payment.merchantID] else { return }
        let order = try payment.orderID.flatMap { try self.reader.order($0) }?.reference ?? payment.ownReference
        let card = payment.instrument
        let parts = [
            "\(card.network.rawValue) \(card.maskedPAN.suffix)",
            // By which of the card's numbers it was found is seen.
            match == .last4 ? card.displayName : nil, order.map { "order \($0)" }, payment.dialect.text,
        ]
        self.add(
            .payment, payment.id.text, match, merchant, "\(payment.amount) \(payment.state.rawValue)",
            parts.compactMap(\.self).joined(separator: ", "), payment.createdAt, "payments/\(payment.id.text)")
    }

    // MARK: - Others

    private mutating func findRefusals(_ text: String) throws {
        if let id = RefusedCallID(text) {
            var query = RefusedCallQuery(limit: 1)
            query.id = id
            for call in try self.reader.refusedCalls(query) { self.add(call, .id) }
            return
        }
        for call in try self.reader.refusedCalls(RefusedCallQuery(requestID: text, limit: self.limit)) {
            self.add(call, .requestId)
        }
        if text.utf8.count == 64 {
            let query = RefusedCallQuery(publicKeyHash: text.lowercased(), limit: self.limit)
            for call in try self.reader.refusedCalls(query) { self.add(call, .publicKeyHash) }
        }
    }

    private mutating func add(_ call: RefusedCall, _ match: SearchHit.Match) {
        // Of nobody's account only whoever sees all may know.
        let merchant = call.merchantID.flatMap { self.merchants[$0] }
        guard merchant != nil || call.merchantID == nil && self.search.merchants == nil else { return }
        self.add(
            .refusal, call.id.text, match, merchant, call.code, "\(call.dialect.text) \(call.operation)", call.at,
            "refused/\(call.id.text)")
    }

    private mutating func add(_ event: OutboxEvent) throws {
        guard let merchant = self.merchants[event.merchantID] else { return }
        self.add(
            .event, event.id.text, .id, merchant, event.kind.rawValue, event.state.rawValue, event.createdAt,
            "webhooks/\(event.id.text)")
    }

    private mutating func add(_ file: SettlementFile) {
        guard let merchant = self.merchants[file.merchantID] else { return }
        self.add(
            .settlementFile, file.id.text, .id, merchant, file.name, file.mapping, file.importedAt,
            "reports/settlements/\(file.id.text)")
    }

    private mutating func findCertificates(_ text: String) throws {
        let hash = text.lowercased()
        guard hash.utf8.count == 64 || hash.hasPrefix("merchant.") else { return }
        for merchant in self.merchants.values.sorted(by: { $0.name < $1.name }) {
            for credential in try self.reader.appleCredentials(of: merchant.id)
            where credential.id == hash || credential.merchantIdentifier == text {
                self.add(
                    .certificate, credential.id, credential.id == hash ? .publicKeyHash : .name, merchant,
                    credential.merchantIdentifier, credential.purpose.name, credential.createdAt,
                    "apple-pay/\(credential.id)")
            }
        }
    }

    private mutating func add(_ merchant: Merchant) {
        self.add(
            .merchant, merchant.name, .name, merchant, merchant.displayName, merchant.mode.rawValue, nil,
            "merchants/\(merchant.name)")
    }

    private mutating func add(
        _ kind: SearchHit.Kind, _ id: String, _ match: SearchHit.Match, _ merchant: Merchant?, _ title: String,
        _ detail: String, _ at: Timestamp?, _ link: String
    ) {
        guard self.seen.insert("\(kind.rawValue) \(id)").inserted else { return }
        self.hits.append(
            SearchHit(
                kind: kind, id: id, match: match, merchant: merchant?.name, title: title, detail: detail, at: at,
                link: link))
    }
}

extension Payment {
    /// What the merchant called the payment where he has no orders.
    public var ownReference: String? { self.opening?.labels.reference }
}
