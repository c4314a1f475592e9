//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Payments
import Redaction

/// Finds payments by whatever name somebody has in hand: an id of the gateway's, or a reference that a dialect or the
/// acquirer has given out. Names that the store has an index for are looked up; for the others all payments are read.
struct PaymentSearch: Sendable {
    /// Payments that a message names, when there are several.
    static let shownMax = 10
    private static let pageCount = 500

    let text: String
    /// Only this merchant's.
    let merchant: Merchant?

    func payments(in reader: any StoreReader) throws -> [Payment] {
        if let payment = try self.byID(in: reader) { return self.fits(payment) ? [payment] : [] }
        let named = try self.byName(in: reader)
        return named.isEmpty ? try self.byReading(reader) : named
    }

    /// The one payment that has the name.
    ///
    /// - Throws: ``CommandFailure`` `payment_unknown`; `payment_ambiguous`, which lists those that have it; `StoreError`.
    func payment(in reader: any StoreReader) throws -> Payment {
        let found = try self.payments(in: reader)
        guard let payment = found.first else {
            throw CommandFailure(
                .paymentUnknown, stage: .store, "The store has no payment with the id or reference \(self.text).")
        }
        guard found.count == 1 else {
            let shown = found.prefix(Self.shownMax).map(\.id.text).joined(separator: ", ")
            let more = found.count > Self.shownMax ? ", and others" : ""
            throw CommandFailure(
                .paymentAmbiguous, stage: .store,
                "Several payments have this reference: \(shown)\(more). Name one by its id.")
        }
        return payment
    }

    private func fits(_ payment: Payment) -> Bool { self.merchant.map { $0.id == payment.merchantID } ?? true }

    /// AlphaPay's paymentId is an order's id, and its refundId an operation's.
    private func byID(in reader: any StoreReader) throws -> Payment? {
        if let id = PaymentID(self.text) { return try reader.payment(id) }
        if let id = OperationID(self.text) {
            return try reader.paymentID(ofOperation: id).flatMap { try reader.payment($0) }
        }
        if let id = OrderID(self.text) { return try reader.payments(PaymentQuery(orderID: id, limit: 1)).first }
        if let id = EventID(self.text) { return try reader.event(id).flatMap { try reader.payment($0.paymentID) } }
        return nil
    }

    private func byName(in reader: any StoreReader) throws -> [Payment] {
        let query = PaymentQuery(merchantID: self.merchant?.id, limit: Self.shownMax + 1)
        var (ofOrder, ofOperation) = (query, query)
        ofOrder.orderReference = self.text
        ofOperation.operationName = .dialects(DialectModule.all.map(\.plan), calling: self.text)
        return self.distinct(try [ofOrder, ofOperation].flatMap { try reader.payments($0) })
    }

    private func byReading(_ reader: any StoreReader) throws -> [Payment] {
        var found: [Payment] = []
        var last: PaymentID?
        while found.count <= Self.shownMax {
            let page = try reader.paymentIDs(after: last, limit: Self.pageCount)
            guard let end = page.last else { break }
            for id in page {
                guard let payment = try reader.payment(id), self.fits(payment) else { continue }
                let order = try payment.orderID.flatMap { try reader.order($0) }
                if self.names(of: payment, order).contains(self.text) { found.append(payment) }
            }
            last = end
        }
        return self.distinct(found)
    }

    private func distinct(_ payments: [Payment]) -> [Payment] {
        var seen: Set<PaymentID> = []
        return payments.filter { seen.insert($0.id).inserted }
    }

    /// Everything by which a dialect or the acquirer calls a payment and what was done with it.
    private func names(of payment: Payment, _ order: Order?) -> Set<String> {
        var names: Set<String> = []
        let card = payment.instrument.maskedPAN
        for operation in payment.operations {
            let labels = operation.labels
            let answer = operation.answer
            names.formUnion(labels.fields.values)
            // Radial's PaymentAccountUniqueId has a name of ours between the digits that may be shown.
            names.formUnion(labels.fields.values.map { card.prefix + $0 + card.suffix })
            // CommWeb's transactions are numbered within their order.
            names.formUnion(labels.fields.values.map { "\(order?.reference ?? "")/\($0)" })
            names.formUnion(
                [
                    labels.reference, labels.memo, answer.reference, answer.authorizationCode, answer.stan,
                    answer.networkReference, answer.paymentAccountReference, answer.acquirerReferenceNumber,
                ].compactMap { $0 })
        }
        if let order { names.insert(order.reference) }
        return names
    }
}
