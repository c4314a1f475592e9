//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StrictJSON
import Synchronization
import TestUpstream

/// AlphaPay as its public pages and its own library have it, and none of this gateway's dialect: a server on a socket
/// with a book of its own, which signs what it says. What the pages leave open is a quirk that a test sets.
final class StandInAlphaPay: Sendable {
    struct State: Sendable {
        var orders: [StandInOrder] = []
        var quirks = StandInQuirks()
        /// The body of what is posted to notify URLs.
        var notices: [String] = []
        var nonces: Set<String> = []
        var count = 0

        mutating func next(_ digits: Int) -> String {
            self.count += 1
            let text = String(self.count)
            return String(repeating: "0", count: digits - text.count) + text
        }
    }

    private let state = Mutex(State())
    private let deadline: CallDeadline
    private let server = StandInServer()

    /// - Parameter deadline: of its caller.
    init(_ deadline: CallDeadline) {
        self.deadline = deadline
    }

    func open() async throws -> Int { try await self.server.open(self.answer) }

    func close() async { await self.server.close() }

    var orders: [StandInOrder] { self.state.withLock { $0.orders } }
    var notices: [String] { self.state.withLock { $0.notices } }
    /// The paths that were called.
    var calls: [StandInEndpoint] {
        self.server.requests.compactMap { StandInEndpoint(rawValue: $0.path) }
    }

    func set(_ change: (inout StandInQuirks) -> Void) { self.state.withLock { change(&$0.quirks) } }
    func set(_ fault: StandInFault, of endpoint: StandInEndpoint) { self.set { $0.faults.append(fault, of: endpoint) } }

    /// Somebody changes something in AlphaPay's own pages, or a bank does.
    func change(_ body: (inout StandInOrder) -> Void) {
        self.state.withLock { state in
            for index in state.orders.indices { body(&state.orders[index]) }
        }
    }

    // MARK: - Answers

    private func answer(_ request: StubRequest) -> StubAnswer {
        guard request.method == "POST", let endpoint = StandInEndpoint(rawValue: request.path) else {
            return StubAnswer(status: 404, body: "Not Found")
        }
        return self.state.withLock { state in
            let quirks = state.quirks
            guard let body = try? JSON.parse(request.body), body.object != nil else {
                return Self.written(StandInAnswers.result("F", "BODY_UNREADABLE"), to: request, quirks)
            }
            guard let key = try? quirks.merchantKey ?? Keys.merchant, Signed.isMerchants(request, key: key) else {
                let refusal = StandInAnswers.result("F", "INVALID_SIGNATURE")
                guard quirks.signsKeyRefusals else { return StubAnswer(status: 200, body: refusal.text(pretty: false)) }
                return Self.written(refusal, to: request, quirks)
            }
            guard let nonce = request.header("Nonce"), nonce.count == 32,
                state.nonces.insert(nonce).inserted || !quirks.checksNonces
            else {
                return Self.written(StandInAnswers.result("F", "NONCE_INVALID"), to: request, quirks)
            }
            var faults = quirks.faults
            let answer = faults.answer(
                of: endpoint, deadline: self.deadline, written: { Self.written($0, to: request, quirks) },
                done: { Self.done(endpoint, body, &state) })
            state.quirks.faults = faults
            return answer
        }
    }

    private static func written(_ json: JSON, to request: StubRequest, _ quirks: StandInQuirks) -> StubAnswer {
        let text = quirks.writing.text(json)
        let stranger = quirks.signing == .byAStranger ? try? Keys.stranger : nil
        var answer = Signed.answer(text, to: request, key: stranger) { headers in
            headers += quirks.writing.headers
            Self.change(&headers, quirks.signing)
            guard quirks.signing == .ofAnotherPath else { return }
            let other = Signed.signature(
                path: "/api/v2.0/payments/another", time: headers[0].value, nonce: headers[1].value, Array(text.utf8))
            headers[2].value = other
        }
        if quirks.signing == .ofAnotherBody { answer.body += " " }
        return answer
    }

    private static func change(_ headers: inout [(name: String, value: String)], _ signing: StandInQuirks.Signing) {
        switch signing {
        case .plain, .byAStranger, .ofAnotherPath, .ofAnotherBody: break
        case .withBlanks: headers[2].value = headers[2].value.replacing(",", with: ", ")
        case .lowerCaseEscapes:
            for (upper, lower) in [("%2B", "%2b"), ("%2F", "%2f"), ("%3D", "%3d")] {
                headers[2].value = headers[2].value.replacing(upper, with: lower)
            }
        case .none: headers.removeAll { $0.name == "Signature" }
        case .withoutTime: headers.removeAll { $0.name == "Response-Time" }
        case .withoutNonce: headers.removeAll { $0.name == "Nonce" }
        }
    }

    private static func done(_ endpoint: StandInEndpoint, _ body: JSON, _ state: inout State) -> JSON {
        if endpoint == .preOrder { return self.makeOrder(body, &state) }
        if endpoint == .transactions { return StandInAnswers.parsed(StandInAnswers.transactions) }
        if endpoint == .refundInquiry { return self.inquireRefund(body, &state) }
        if endpoint == .inquiry, state.quirks.hidden > 0 {
            state.quirks.hidden -= 1
            return StandInAnswers.result("F", "NO_SUCH_ORDER")
        }
        guard let index = state.orders.firstIndex(where: { $0.paymentID == body["paymentId"]?.string }) else {
            return StandInAnswers.result("F", "NO_SUCH_ORDER")
        }
        switch endpoint {
        case .pay: return self.pay(index, body, &state)
        case .refund: return self.refund(index, body, &state)
        case .cancel:
            switch state.orders[index].standing {
            case .paid: return StandInAnswers.result("F", "ORDER_PAID")
            case .closed: return StandInAnswers.result("F", "ORDER_IS_CLOSED")
            case .open, .failed: state.orders[index].standing = .closed
            }
            return StandInAnswers.cancellation(state.orders[index])
        case .inquiry, .preOrder, .transactions, .refundInquiry: return StandInAnswers.inquiry(state.orders[index])
        }
    }

    // MARK: - Paying

    private static func makeOrder(_ body: JSON, _ state: inout State) -> JSON {
        let amount = body[path: "order.orderAmount"]
        // Of up to seven digits (AlphaPay, "Order Inquiry", orderAmount.value).
        guard let requestID = body["paymentRequestId"]?.string, body[path: "order.description"]?.string != nil,
            let value = amount?["value"]?.string, value.count <= 7, let cents = Int64(value),
            amount?["currency"]?.string == "CAD"
        else { return StandInAnswers.result("F", "PARAMETER_WRONG") }
        if let first = state.orders.first(where: { $0.requestID == requestID }) {
            switch state.quirks.repeats {
            case .refused: return StandInAnswers.result("F", "ORDER_REQUESTED_BEFORE")
            case .answeredAgain: return StandInAnswers.order(first)
            case .booked: break
            }
        }
        let order = StandInOrder(
            requestID: requestID, paymentID: "2506031505244756" + state.next(9), amount: cents,
            notifyURL: body[path: "order.notifyUrl"]?.string)
        state.orders.append(order)
        return StandInAnswers.order(order)
    }

    private static func pay(_ index: Int, _ body: JSON, _ state: inout State) -> JSON {
        let data = body[path: "token.paymentData"]
        let isWhole = ["version", "data", "signature", "header.publicKeyHash", "header.ephemeralPublicKey"].allSatisfy {
            data?[path: $0]?.string?.isEmpty == false
        }
        guard isWhole else { return StandInAnswers.result("F", "PARAMETER_WRONG") }
        switch (state.orders[index].standing, state.quirks.repeats) {
        case (.open, _), (.failed, _), (.paid, .booked): break
        case (.closed, _): return StandInAnswers.result("F", "ORDER_IS_CLOSED")
        case (.paid, .answeredAgain): return StandInAnswers.payment(state.orders[index])
        case (.paid, .refused): return StandInAnswers.result("F", "ORDER_PAID")
        }
        state.orders[index].standing = .paid
        state.orders[index].paidCount += 1
        if state.orders[index].notifyURL != nil {
            state.notices.append(StandInAnswers.inquiry(state.orders[index]).text(pretty: false))
        }
        return StandInAnswers.payment(state.orders[index])
    }

    // MARK: - Refunds

    private static func refund(_ index: Int, _ body: JSON, _ state: inout State) -> JSON {
        let order = state.orders[index]
        let requestID = body["refundRequestId"]?.string
        if let first = order.refunds.first(where: { $0.requestID == requestID && requestID != nil }) {
            switch state.quirks.repeats {
            case .refused: return StandInAnswers.result("F", "REFUND_REQUESTED_BEFORE")
            case .answeredAgain: return StandInAnswers.refund(order, first)
            case .booked: break
            }
        }
        guard let value = body[path: "refund.refundAmount.value"]?.string, let cents = Int64(value), cents > 0,
            order.standing == .paid, cents <= order.amount - order.refunded
        else { return StandInAnswers.result("F", "REFUND_TOO_HIGH") }
        let refund = StandInOrder.Refund(
            id: "7b46758a-464c-42e8-b8ff-" + state.next(12), requestID: requestID, amount: cents,
            standing: state.quirks.refundsTakeTime ? .inProcess : .done)
        state.orders[index].refunds.append(refund)
        let answer = StandInAnswers.refund(order, refund)
        guard refund.standing == .done else { return StandInAnswers.inProcess(answer, "REFUND_PROCESSING") }
        if body[path: "refund.notifyUrl"] != nil {
            state.notices.append(StandInAnswers.refund(order, refund, status: "SUCCESS").text(pretty: false))
        }
        return answer
    }

    private static func inquireRefund(_ body: JSON, _ state: inout State) -> JSON {
        let (id, requestID) = (body["refundId"]?.string, body["refundRequestId"]?.string)
        guard id != nil || !state.quirks.needsRefundID else { return StandInAnswers.result("F", "PARAMETER_WRONG") }
        guard state.quirks.hidden == 0 else {
            state.quirks.hidden -= 1
            return StandInAnswers.result("F", "NO_SUCH_REFUND")
        }
        for order in state.orders {
            for refund in order.refunds where refund.id == id || id == nil && refund.requestID == requestID {
                return StandInAnswers.refund(order, refund, status: refund.standing.rawValue)
            }
        }
        return StandInAnswers.result("F", "NO_SUCH_REFUND")
    }
}
