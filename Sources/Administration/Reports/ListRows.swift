//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Money
public import Payments
import Redaction
public import StrictJSON
import Time

/// A payment as a row.
public struct PaymentRow: ReportRow {
    public let payment: Payment
    public let merchant: String
    public let zone: ReportZone
    public let account: String
    /// What the merchant calls the order, or the payment where he has no orders.
    public let reference: String

    public static let columns = [
        "moment", "momentUTC", "merchant", "mode", "payment", "reference", "state", "amount", "currency", "authorized",
        "captured", "refunded", "dialect", "account", "connector", "network", "card", "eci", "acquirerReference",
        "authorizationCode", "responseCode", "chargedBack",
    ]

    public var cells: [JSON] {
        let payment = self.payment
        let answer = payment.opening?.answer
        return [
            .string(self.zone.text(of: payment.createdAt)), .string(payment.createdAt.rfc3339Milliseconds),
            .string(self.merchant), .string(payment.mode.rawValue), .string(payment.id.text), .string(self.reference),
            .string(payment.state.rawValue), .string(payment.amount.decimalText),
            .string(payment.amount.currency.code), .string(payment.authorizedAmount.decimalText),
            .string(payment.capturedAmount.decimalText), .string(payment.refundedAmount.decimalText),
            .string(payment.dialect.text), .string(self.account), .string(payment.acquirer.text),
            .string(payment.instrument.network.rawValue), .string(payment.instrument.maskedPAN.suffix),
            .string(payment.instrument.eci ?? ""), .string(answer?.reference ?? ""),
            .string(answer?.authorizationCode ?? ""), .string(answer?.responseCode ?? ""),
            // Last, since scripts may know the others by their places.
            .string(payment.chargedBackAmount.decimalText),
        ]
    }
}

/// A refused call as a row.
public struct RefusalRow: ReportRow {
    public let call: RefusedCall
    /// Whose account it named.
    public let merchant: String

    public static let columns = [
        "at", "merchant", "refusal", "dialect", "operation", "stage", "code", "wireCode", "text", "requestId",
        "publicKeyHash", "merchantIdentifier", "amount", "currency",
    ]

    public var cells: [JSON] {
        let call = self.call
        return [
            .string(call.at.rfc3339Milliseconds), .string(self.merchant), .string(call.id.text),
            .string(call.dialect.text), .string(call.operation), .string(call.stage.rawValue), .string(call.code),
            .string(call.wireCode), .string(call.text), .string(call.requestID), .string(call.publicKeyHash ?? ""),
            .string(call.merchantIdentifier ?? ""), .string(call.amount?.decimalText ?? ""),
            .string(call.amount?.currency.code ?? ""),
        ]
    }
}

/// An entry of the audit log as a row.
public struct AuditRow: ReportRow {
    public let entry: AuditEntry

    public init(_ entry: AuditEntry) {
        self.entry = entry
    }

    public static let columns = ["number", "at", "actor", "act", "subject", "details", "digest"]

    public var cells: [JSON] {
        [
            JSON(self.entry.number), .string(self.entry.at.rfc3339Milliseconds), .string(self.entry.actor),
            .string(self.entry.act.name), .string(self.entry.subject),
            .string(JSON.object(JSONObject(texts: self.entry.details)).text()), .string(Hex.encode(self.entry.digest)),
        ]
    }
}

/// A page of rows, and where the next begins; `nil` after the last.
public struct RowPage<Row: ReportRow, Place: Sendable>: Sendable {
    public let rows: [Row]
    public let next: Place?
}

extension Administration {
    /// A page of payments as rows.
    ///
    /// - Parameter query: how many at once is decided here.
    /// - Throws: `StoreError`.
    public func paymentRows(_ query: PaymentQuery) async throws -> RowPage<PaymentRow, PaymentQuery> {
        var query = query
        query.limit = Self.reportPageCount
        let asked = query
        let (rows, next) = try await self.search { reader in
            let page = try reader.paymentPage(asked)
            var names = try PaymentNames(of: page.payments, in: reader)
            let rows = try page.payments.map { payment in
                let merchant = try names.merchant(of: payment, in: reader)
                return PaymentRow(
                    payment: payment, merchant: merchant?.name ?? payment.merchantID.text,
                    zone: merchant?.reportZone ?? .utc, account: try names.account(of: payment, in: reader),
                    reference: names.reference(of: payment) ?? "")
            }
            return (rows, page.next)
        }
        query.after = next
        return RowPage(rows: rows, next: next == nil ? nil : query)
    }

    /// A page of refused calls as rows.
    public func refusalRows(_ query: RefusedCallQuery) async throws -> RowPage<RefusalRow, RefusedCallQuery> {
        var query = query
        query.limit = Self.reportPageCount
        let asked = query
        let rows = try await self.search { reader in
            let names = try Self.merchantNames(in: reader)
            return try reader.refusedCalls(asked).map { call in
                RefusalRow(call: call, merchant: call.merchantID.map { names[$0] ?? $0.text } ?? "")
            }
        }
        query.before = rows.last?.call.id
        return RowPage(rows: rows, next: rows.count == Self.reportPageCount ? query : nil)
    }
}

/// What payments' merchants, accounts and orders are called, each looked up once, and the orders all at once.
public struct PaymentNames {
    private var merchants: [MerchantID: Merchant?] = [:]
    private var accounts: [AcquirerAccountID: String] = [:]
    private let orders: [OrderID: Order]

    /// - Parameter payments: those that will be asked about.
    public init(of payments: [Payment], in reader: any StoreReader) throws {
        self.orders = try reader.orders(of: payments)
    }

    public mutating func merchant(of payment: Payment, in reader: any StoreReader) throws -> Merchant? {
        if let known = self.merchants[payment.merchantID] { return known }
        let merchant = try reader.merchant(payment.merchantID)
        self.merchants[payment.merchantID] = .some(merchant)
        return merchant
    }

    public mutating func account(of payment: Payment, in reader: any StoreReader) throws -> String {
        if let known = self.accounts[payment.accountID] { return known }
        let name = try reader.acquirerAccount(payment.accountID)?.name ?? payment.accountID.text
        self.accounts[payment.accountID] = name
        return name
    }

    /// What the merchant calls the order, where the payment has one.
    func orderReference(of payment: Payment) -> String? { payment.orderID.flatMap { self.orders[$0] }?.reference }

    /// What the merchant calls the order, or the payment where he has no orders.
    public func reference(of payment: Payment) -> String? {
        self.orderReference(of: payment) ?? payment.ownReference
    }
}
