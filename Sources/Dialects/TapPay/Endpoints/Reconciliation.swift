//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import StrictJSON
import Time

/// What reconciliation distinguishes. The vendor names its transaction_actions nowhere in public; these are ours.
enum ReconciliationAction: String, Hashable, Sendable, CaseIterable {
    case authorization = "AUTH"
    case capture = "CAPTURE"
    case captureCancel = "CAPTURE_CANCEL"
    case refund = "REFUND"
    case refundCancel = "REFUND_CANCEL"

    init?(_ operation: Operation, of payment: Payment) {
        switch TradeAction(operation, of: payment) {
        case .authorization: self = .authorization
        case .capture: self = .capture
        case .cancel: self = .captureCancel
        case .refund: self = .refund
        case .refundCancel: self = .refundCancel
        case nil: return nil
        }
    }
}

/// What reconciliation asks: what moved between two moments.
struct ReconciliationRequest: Sendable {
    /// Today, in Taipei, where the request says nothing. The end belongs to it.
    let times: ClosedRange<Timestamp>
    let actions: Set<ReconciliationAction>
    let merchantIDs: [String]
    let acquirers: [String]
    let recordsPerPage: Int
    let page: Int

    init(reading body: BackEndBody, at now: Timestamp) throws(TapPayFailure) {
        let start =
            try TradeFilters.time(body, "start_time_millis", .invalidFilterStartTime, .filterStartTimeOutOfRange)
            ?? TaipeiTime.startOfDay(now)
        let end =
            try TradeFilters.time(body, "end_time_millis", .invalidFilterEndTime, .filterEndTimeOutOfRange)
            ?? TaipeiTime.endOfDay(start).adding(milliseconds: -1)
        guard start <= end else { throw TapPayFailure(.filterTimesReversed) }
        guard end.milliseconds(since: start) <= 31 * 86_400_000 else {
            throw TapPayFailure(.filterEndTimeOutOfRange, "At most 31 days can be asked for at once.")
        }
        self.times = start...end
        self.actions = try Self.actions(body)
        self.merchantIDs = try Self.texts(body, "merchant_ids", .invalidFilterMerchantID)
        self.acquirers = try Self.texts(body, "acquirers", .wrongJSONFormat)
        let none = BackEndBody(JSONObject())
        self.recordsPerPage = Int(
            try QueryRequest.bounded(
                body, none, "records_per_page", 1...QueryRequest.recordsPerPageMax, .invalidRecordsPerPage,
                .recordsPerPageOutOfRange) ?? 50)
        self.page = Int(
            try QueryRequest.bounded(body, none, "page", 0...QueryRequest.pageMax, .invalidPage, .pageOutOfRange) ?? 0)
    }

    /// Captures and refunds, and what took them back, where the request names none.
    private static func actions(_ body: BackEndBody) throws(TapPayFailure) -> Set<ReconciliationAction> {
        let names = try self.texts(body, "transaction_actions", .wrongJSONFormat)
        var actions: Set<ReconciliationAction> = []
        for name in names {
            guard let action = ReconciliationAction(rawValue: name.uppercased()) else {
                let known = ReconciliationAction.allCases.map(\.rawValue).joined(separator: ", ")
                throw TapPayFailure(.wrongJSONFormat, "transaction_actions may be \(known).")
            }
            actions.insert(action)
        }
        return actions.isEmpty ? Set(ReconciliationAction.allCases).subtracting([.authorization]) : actions
    }

    private static func texts(
        _ body: BackEndBody, _ name: String, _ invalid: TapPayCode
    ) throws(TapPayFailure) -> [String] {
        guard let value = body.value(name) else { return [] }
        if let text = value.string { return text.isEmpty ? [] : [text] }
        guard let list = value.array, list.allSatisfy({ $0.string != nil }) else {
            throw TapPayFailure(invalid, "\(name) must be a list of strings.")
        }
        return list.compactMap(\.string)
    }
}

extension TapPay {
    /// What moved, oldest first, with its sums by currency.
    func reconciliation(_ call: BackEndCall) async throws(TapPayFailure) -> JSONObject {
        let request = try ReconciliationRequest(reading: call.body, at: self.gateway.now())
        for id in request.merchantIDs { try await self.check(merchantID: id, of: call.merchant) }
        let movements = try await self.movements(request, call.merchant)
        let pagesCount = movements.page.pagesCount
        var answer = TapPayFailure(request.page + 1 >= pagesCount ? .endOfList : .success).members
        answer["records_per_page"] = JSON(request.recordsPerPage)
        answer["page"] = JSON(request.page)
        answer["total_page_count"] = JSON(pagesCount)
        answer["number_of_transactions"] = JSON(movements.page.totalCount)
        answer["start_time_millis"] = request.times.lowerBound.millisJSON
        answer["end_time_millis"] = request.times.upperBound.millisJSON
        answer["summary"] = .array(movements.summary)
        answer["reconciliation_datas"] = .array(movements.page.elements.map { self.line($0, call.merchant) })
        return answer
    }

    /// Adds up all of the window: the answer says how many there are, and their sums.
    private func movements(
        _ request: ReconciliationRequest, _ merchant: MerchantContext
    ) async throws(TapPayFailure) -> TradeMovements {
        let end = min(request.times.upperBound, self.gateway.now()).adding(milliseconds: 1)
        let query = MovementQuery(
            dialect: self.name, kinds: Self.kinds(of: request.actions), from: request.times.lowerBound, to: end)
        do throws(GatewayRefusal) {
            return try await self.gateway.sum(of: query, merchant: merchant, from: TradeMovements(request)) {
                if let movement = TradeMovement($1, of: request) { $0.add(movement) }
            }
        } catch {
            throw TapPayFailure(backEnd: error)
        }
    }

    /// The kinds of operations that may be one of the actions.
    private static func kinds(of actions: Set<ReconciliationAction>) -> Set<Operation.Kind> {
        actions.reduce(into: []) { kinds, action in
            switch action {
            case .authorization: kinds.insert(.authorization)
            case .capture: kinds.insert(.capture)
            // Before the capture, what the wire calls a refund is a void.
            case .refund: kinds.formUnion([.refund, .void])
            case .captureCancel, .refundCancel: kinds.insert(.void)
            }
        }
    }

    private func line(_ movement: TradeMovement, _ merchant: MerchantContext) -> JSON {
        let (operation, payment) = (movement.operation, movement.payment)
        var line = JSONObject()
        line["merchant_id"] = .string(payment.label(LabelField.merchantID) ?? "")
        line["merchant_description"] = .string(merchant.merchant.displayName)
        line["acquirer"] = .string(payment.acquirer.text)
        line["payment_method"] = .string(payment.paymentMethod)
        line["rec_trade_id"] = .string(payment.recTradeID)
        line["bank_transaction_id"] = .string(payment.label(LabelField.bankTransactionID) ?? "")
        line["bank_order_number"] = .string(payment.authorization?.answer.reference ?? "")
        if movement.action == .refund {
            line["bank_refund_order_number"] = operation.answer.reference.map(JSON.string)
            line["is_captured"] = .bool(movement.movesMoney)
        }
        line["order_number"] = .string(payment.label(LabelField.orderNumber) ?? "")
        line["millis"] = operation.begunAt.millisJSON
        line["bank_transaction_millis"] = operation.occurredAt.millisJSON
        line["transaction_action"] = .string(movement.action.rawValue)
        line["transaction_result"] = true
        line["trade_amount"] = operation.movedAmount.wireJSON
        line["auth_millis"] = payment.createdAt.millisJSON
        line["auth_amount"] = payment.amount.wireJSON
        line["currency"] = .string(operation.amount.currency.code)
        line["partial_card_number"] = .string(payment.partialCardNumber)
        line["card_type"] = JSON(CardInfo(of: payment.instrument, in: self.cards).type)
        line["auth_code"] = .string(payment.authorization?.answer.authorizationCode ?? "")
        line["is_kyc_verified"] = false
        return .object(line)
    }
}

/// What moved, and what reconciliation calls it.
private struct TradeMovement: Sendable {
    let action: ReconciliationAction
    let operation: Operation
    let payment: Payment

    /// What the wire calls a refund before the capture gives back what was held and never paid: no capture stands against
    /// it.
    var movesMoney: Bool {
        guard self.action == .refund, self.operation.kind == .void else { return true }
        return self.payment.voidable(by: self.operation.target) == .sale
    }

    /// - Returns: `nil` for what the request does not ask for.
    init?(_ movement: Movement, of request: ReconciliationRequest) {
        let (operation, payment) = (movement.operation, movement.payment)
        guard
            request.merchantIDs.isEmpty
                || request.merchantIDs.contains(payment.label(LabelField.merchantID) ?? ""),
            request.acquirers.isEmpty || request.acquirers.contains(payment.acquirer.text),
            let action = ReconciliationAction(operation, of: payment), request.actions.contains(action)
        else { return nil }
        self.action = action
        self.operation = operation
        self.payment = payment
    }
}

/// A page of them, and what all come to.
private struct TradeMovements: Sendable {
    private(set) var page: CountedPage<TradeMovement>
    private var sums: [Currency: [ReconciliationAction: (count: Int, amount: Money)]] = [:]

    init(_ request: ReconciliationRequest) {
        self.page = CountedPage(offset: request.page * request.recordsPerPage, limit: request.recordsPerPage)
    }

    mutating func add(_ movement: TradeMovement) {
        self.page.add(movement)
        // Captures less refunds are what the bank owes.
        guard movement.movesMoney else { return }
        let currency = movement.operation.amount.currency
        let sum = self.sums[currency]?[movement.action] ?? (0, Money.zero(currency))
        self.sums[currency, default: [:]][movement.action] = (
            sum.count + 1, sum.amount + movement.operation.movedAmount
        )
    }

    /// By currency: count and amount of each action that there is.
    var summary: [JSON] {
        self.sums.sorted { $0.key.code < $1.key.code }.map { currency, sums in
            var summary = JSONObject()
            summary["currency"] = .string(currency.code)
            for action in ReconciliationAction.allCases {
                guard let sum = sums[action] else { continue }
                summary[action.rawValue.lowercased()] = ["count": JSON(sum.count), "amount": sum.amount.wireJSON]
            }
            return .object(summary)
        }
    }
}
