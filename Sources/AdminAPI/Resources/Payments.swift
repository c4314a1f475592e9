//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import HTTPTypes
import Money
import Payments
import StrictJSON
import Time

extension AdminEndpoints {

    static let payments: [Endpoint] = [
        Endpoint(
            method: .get, path: "/payments", name: "listPayments",
            summary: "Payments, newest first. A page may be short and not be the last: so many were looked at.",
            group: "Payments", scope: .paymentsRead,
            query: Self.paymentFilters + [
                .init(
                    "after",
                    .text(
                        Schema.Text(
                            charactersMax: 50, pattern: #"^[0-9]{1,15}\.pay_[0-7][0-9A-HJKMNP-TV-Z]{25}$"#,
                            isValid: { PaymentQuery.Cursor($0) != nil })), "`next` of the page before."), limit,
            ], answer: AdminSchemas.page(of: "PaymentSummary")
        ) { call in
            var query = try await call.paymentQuery()
            query.limit = call.limit
            query.after = try call.query["after"].map { text in
                guard let cursor = PaymentQuery.Cursor(text) else {
                    throw Problem.parameter("after", "is no page's next")
                }
                return cursor
            }
            let asked = query
            let (views, next) = try await call.administration.search { reader in
                let page = try reader.paymentPage(asked)
                var names = try PaymentNames(of: page.payments, in: reader)
                return (try page.payments.map { JSON.object(try $0.listView(&names, in: reader)) }, page.next)
            }
            return Answer(["data": .array(views), "next": .string(orNull: next?.text)])
        },
        Endpoint(
            method: .get, path: "/payments/{payment}", name: "getPayment",
            summary: "One payment with its operations, its journal, its webhooks and what can be done to it.",
            group: "Payments", scope: .paymentsRead, answer: .named("Payment")
        ) { call in
            let (payment, merchant) = try await call.payment()
            return try await call.answer(payment.id, merchant)
        },
        Self.act("capture", "Capture what is authorized, or a part of it.", .paymentsCapture, hasAmount: true) {
            call, payment, amount, key in
            try await call.administration.capture(
                payment.id, amount: amount, isFinal: call.flag("final"), key: key, reason: call.text("reason"),
                plans: call.house.plans)
        },
        Self.act("void", "Take back the authorization, or a sale.", .paymentsCapture, hasAmount: false) {
            call, payment, _, key in
            // What a sale's void gives back is held to what a refund is held to.
            if let amount = payment.amountGivenBackByVoid, amount.isPositive {
                try await call.check(.paymentsRefund, of: call.payment().1)
                if try await !call.asksAboveOwnLimit(payment.merchantID) { try call.checkRefundLimit(amount) }
            }
            return try await call.administration.void(
                payment.id, key: key, reason: call.text("reason"), plans: call.house.plans)
        },
        Self.act("refund", "Give back what is captured, or a part of it.", .paymentsRefund, hasAmount: true) {
            call, payment, amount, key in
            if try await !call.asksAboveOwnLimit(payment.merchantID) { try call.checkRefundLimit(amount) }
            return try await call.administration.refund(
                payment.id, amount: amount, of: call.text("capture").flatMap(OperationID.init), key: key,
                reason: call.text("reason"), plans: call.house.plans)
        },
        Endpoint(
            method: .post, path: "/payments/{payment}/operations/{operation}/resolve", name: "resolveOperation",
            summary: "Decide how an operation ended whose acquirer does not say. Look it up in its portal first.",
            group: "Payments", scope: .paymentsResolve,
            body: .object(
                .init("outcome", .choice(["approved", "failed"])),
                .optional("reference", .line(255, "With approved: what the acquirer calls it.")),
                .optional("amount", .amount("With approved: how much, where the acquirer has approved a part.")),
                .init("reason", .line(255, "Where that was seen, and by whom; for the audit log."))),
            answer: .named("Payment"), precondition: .idempotencyKey
        ) { call in
            let (payment, merchant) = try await call.payment()
            guard let id = call.path["operation"].flatMap(OperationID.init), payment.operation(id) != nil else {
                throw Problem.notFound("such operation of the payment")
            }
            let isApproved = call.text("outcome") == "approved"
            for name in ["reference", "amount"] where !isApproved && call.text(name) != nil {
                throw Problem.invalid([.init(pointer: "/\(name)", detail: "goes with approved")])
            }
            let decision: OperatorDecision =
                isApproved
                ? .approved(reference: call.text("reference"), amount: try call.amount(of: payment)) : .failed
            _ = try await call.administration.decide(id, decision, reason: call.required("reason"))
            return try await call.answer(payment.id, merchant)
        },
    ]

    private static func act(
        _ verb: String, _ summary: String, _ scope: Scope, hasAmount: Bool,
        _ act: @escaping @Sendable (Call, Payment, Money?, _ key: String) async throws -> OperationOutcome
    ) -> Endpoint {
        var fields: [Schema.Field] = [.optional("reason", .line(255, "For the audit log."))]
        if hasAmount {
            fields.append(.optional("amount", .amount("In the payment's currency; all that is left if left out.")))
        }
        switch verb {
        case "capture": fields.append(.optional("final", .flag("Whether the rest of the authorization is given back.")))
        case "refund": fields.append(.optional("capture", .line(40, "Of several captures, the one to take it from.")))
        default: break
        }
        return Endpoint(
            method: .post, path: "/payments/{payment}/\(verb)", name: "\(verb)Payment", summary: summary,
            group: "Payments", scope: scope, body: .object(Schema.Object(fields)),
            answer: .object(
                .init("operation", .named("Operation")),
                .init("repeated", .flag("Whether the key had done it before.")),
                .init("payment", .named("Payment"))),
            precondition: .actKey
        ) { call in
            let (payment, merchant) = try await call.payment()
            let amount = try call.amount(of: payment)
            if let capture = call.text("capture"), OperationID(capture) == nil {
                throw Problem.invalid([.init(pointer: "/capture", detail: "is no operation's id")])
            }
            let outcome = try await act(call, payment, amount, RepeatedCalls.actKey(of: call))
            let view = try await call.answer(payment.id, merchant)
            return Answer([
                "operation": .object(outcome.operation.view), "repeated": .bool(outcome.isRepeat), "payment": view.body,
            ])
        }
    }
}

extension Call {
    /// The body's amount, in the payment's currency.
    ///
    /// - Throws: ``Problem`` for what is no amount of it.
    fileprivate func amount(of payment: Payment) throws -> Money? {
        try self.text("amount").map { try AdminEndpoints.money($0, payment.amount.currency.code, at: "/amount") }
    }

    /// How many a page has.
    var limit: Int { self.query["limit"].flatMap { Int($0) } ?? 50 }

    func moment(_ name: String) throws(Problem) -> Timestamp? {
        guard let text = self.query[name] else { return nil }
        guard let moment = Timestamp(rfc3339: text) else {
            throw Problem.parameter(name, "must be a moment such as 2026-11-23T14:00:00Z")
        }
        return moment
    }

    /// The merchant that a list is of: the one that is named, else the only one that the caller sees; `nil` for all.
    ///
    /// - Throws: ``Problem`` for a caller that sees some merchants and names none.
    func merchantFilter() async throws -> MerchantID? {
        if let name = self.query["merchant"] {
            let found = try await self.administration.read { try $0.merchant(named: name) }
            guard let merchant = found, self.sees(merchant) else { throw Problem.notFound("merchant \(name)") }
            return merchant.id
        }
        guard let own = self.caller.access.merchants else { return nil }
        guard own.count == 1, let only = own.first else {
            throw Problem.parameter("merchant", "is required: the token is for some merchants alone")
        }
        return only
    }

    /// The payment that the path names, and its merchant.
    ///
    /// - Throws: ``Problem``, as ``merchant()``.
    func payment() async throws -> (Payment, Merchant) {
        let id = self.path["payment"].flatMap(PaymentID.init)
        let found = try await self.administration.read { reader -> (Payment, Merchant)? in
            guard let payment = try id.flatMap({ try reader.payment($0) }),
                let merchant = try reader.merchant(payment.merchantID)
            else { return nil }
            return (payment, merchant)
        }
        guard let (payment, merchant) = found, self.sees(merchant) else { throw Problem.notFound("such payment") }
        try self.check(self.endpoint.scope, of: merchant)
        return (payment, merchant)
    }

    /// The payment as it is now.
    fileprivate func answer(_ id: PaymentID, _ merchant: Merchant) async throws -> Answer {
        let possible = try await self.administration.possibleActs(of: id, plans: self.house.plans)
        let now = self.administration.now()
        let view = try await self.administration.read { reader -> JSONObject in
            guard let payment = try reader.payment(id) else { throw Problem.notFound("such payment") }
            var names = try PaymentNames(of: [payment], in: reader)
            var view = payment.view(merchant: merchant.name, recovery: try reader.job(.recover, of: id))
            for (name, value) in try payment.listView(&names, in: reader).members { view[name] = value }
            view["timeline"] = .array(try payment.timeline(in: reader))
            view["proof"] = try payment.proofView(in: reader)
            view["journal"] = .array(try reader.journal(of: id).map { .object($0.view) })
            let events = try reader.events(of: id).withWaits(in: reader)
            view["notifications"] = .array(events.map { .object($0.view(merchant: merchant.name)) })
            view["possible"] = .object(possible.view)
            let approvals = try PaymentApprovals(of: payment, at: now, in: reader)
            for (name, value) in approvals.members { view[name] = value }
            return view
        }
        return .resource(view)
    }
}

extension PaymentQuery.Cursor {
    /// As pages name it.
    var text: String { "\(self.key).\(self.id)" }

    init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let key = Int64(parts[0]), let id = PaymentID(String(parts[1])) else { return nil }
        self.init(key: key, id: id)
    }
}
