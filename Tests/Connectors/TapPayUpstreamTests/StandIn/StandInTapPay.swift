//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StrictJSON
import Synchronization
import TestUpstream

/// TapPay as its public pages and its clients' tests have it, and none of this gateway's own dialect: a server on a
/// socket with a book of its own. What the pages leave open is a quirk that a test sets.
final class StandInTapPay: Sendable {
    struct State: Sendable {
        var trades: [StandInTrade] = []
        /// Those that have not paid yet.
        var primes: Set<String> = []
        var quirks = StandInQuirks()
        var notices: [String] = []
        var count = 0

        /// Numbers of its own, as texts of one length.
        mutating func next() -> String {
            self.count += 1
            let digits = String(self.count)
            return String(repeating: "0", count: 6 - digits.count) + digits
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

    var trades: [StandInTrade] { self.state.withLock { $0.trades } }
    var notices: [String] { self.state.withLock { $0.notices } }
    /// The paths that were called.
    var calls: [StandInEndpoint] {
        self.server.requests.compactMap { StandInEndpoint(rawValue: $0.path) }
    }

    func set(_ change: (inout StandInQuirks) -> Void) { self.state.withLock { change(&$0.quirks) } }

    func set(_ fault: StandInFault, of endpoint: StandInEndpoint) {
        self.set { $0.faults.append(fault, of: endpoint) }
    }

    /// Somebody changes something in the Portal, or a bank does.
    func change(_ body: (inout StandInTrade) -> Void) {
        self.state.withLock { state in
            for index in state.trades.indices { body(&state.trades[index]) }
        }
    }

    /// What is planned is captured.
    func evening() { self.change { if $0.capture == .planned { $0.capture = .done } } }

    // MARK: - Answers

    private func answer(_ request: StubRequest) -> StubAnswer {
        guard request.method == "POST", let endpoint = StandInEndpoint(rawValue: request.path) else {
            return StubAnswer(status: 404, body: "Not Found")
        }
        guard let body = try? JSON.parse(request.body), body.object != nil else {
            return self.written(StandInAnswers.status(5))
        }
        return self.state.withLock { state in
            if let refusal = Self.keyRefusal(endpoint, request, body, state.quirks) { return refusal }
            let quirks = state.quirks
            var faults = quirks.faults
            defer { state.quirks.faults = faults }
            return faults.answer(of: endpoint, deadline: self.deadline, written: { self.written($0, quirks) }) {
                Self.done(endpoint, body, &state)
            }
        }
    }

    private func written(_ json: JSON, _ quirks: StandInQuirks = StandInQuirks()) -> StubAnswer {
        StubAnswer(status: 200, body: quirks.writing.text(json), headers: quirks.writing.headers)
    }

    private static func keyRefusal(
        _ endpoint: StandInEndpoint, _ request: StubRequest, _ body: JSON, _ quirks: StandInQuirks
    ) -> StubAnswer? {
        let isOfAnApp = endpoint == .getPrime
        let inBody = body[isOfAnApp ? "app_key" : "partner_key"]?.string
        let keys = isOfAnApp ? quirks.appKeys : quirks.partnerKeys
        if let header = request.header("x-api-key"), header == inBody, keys.contains(header) { return nil }
        switch quirks.keyRefusal {
        case .http401: return StubAnswer(status: 401, body: "", headers: [("Content-Type", "text/plain")])
        case .status80: return StubAnswer(status: 200, body: #"{"status":80,"msg":"Invaild x-api-key or app key"}"#)
        case .status81: return StubAnswer(status: 200, body: #"{"status":81,"msg":"Partner not found"}"#)
        }
    }

    private static func done(_ endpoint: StandInEndpoint, _ body: JSON, _ state: inout State) -> JSON {
        switch endpoint {
        case .getPrime: self.makePrime(body, &state)
        case .pay: self.pay(body, &state)
        case .query: self.query(body, &state)
        case .capture, .cancelCapture, .refund, .cancelRefund, .history: self.followUp(endpoint, body, &state)
        }
    }

    // MARK: - Paying

    private static func makePrime(_ body: JSON, _ state: inout State) -> JSON {
        guard body["app_id"]?.integer == 12345 else { return StandInAnswers.status(11) }
        guard body["apple_merchant_id"]?.string == Bench.appleMerchantID else { return StandInAnswers.status(13002) }
        let parts = [
            ("version", 606), ("data", 605), ("signature", 607), ("header.ephemeralPublicKey", 608),
            ("header.publicKeyHash", 609), ("header.transactionId", 610),
        ]
        for (name, status) in parts where body[path: "pay_token_data." + name]?.string?.isEmpty ?? true {
            return StandInAnswers.status(Int64(status))
        }
        let prime = "test_" + String(repeating: "3a2fb2b7e892b914", count: 3) + "5a7" + state.next()
        state.primes.insert(prime)
        return StandInAnswers.prime(prime)
    }

    private static func pay(_ body: JSON, _ state: inout State) -> JSON {
        let holder = body["cardholder"]
        let isWhole = ["phone_number", "name", "email"].allSatisfy { holder?[$0]?.string != nil }
        guard isWhole, body["details"]?.string != nil else { return StandInAnswers.status(501) }
        guard body["merchant_id"]?.string == Bench.merchantID else { return StandInAnswers.status(61) }
        guard let amount = body["amount"]?.integer, amount > 0 else { return StandInAnswers.status(510) }
        guard body["currency"]?.string == "TWD" else { return StandInAnswers.status(89) }
        guard let prime = body["prime"]?.string, state.primes.contains(prime) else { return StandInAnswers.status(121) }
        if state.quirks.primesPayOnce { state.primes.remove(prime) }
        let name = body["bank_transaction_id"]?.string ?? "TP" + state.next()
        if let first = state.trades.first(where: { $0.name == name }) {
            switch state.quirks.repeats {
            case .refused(let status): return StandInAnswers.status(status)
            case .answeredAgain: return StandInAnswers.payment(first)
            case .booked: break
            }
        }
        let trade = StandInTrade(
            id: "D20190723" + state.next(), name: name, order: body["order_number"]?.string ?? "", amount: amount,
            standing: state.quirks.paymentsTakeTime ? .pending : .alive,
            capture: body["delay_capture_in_days"]?.integer == -1 ? .none : .planned)
        state.trades.append(trade)
        if body[path: "result_url.backend_notify_url"] != nil { state.notices.append(StandInAnswers.notice(trade)) }
        return trade.standing == .pending ? StandInAnswers.status(10001) : StandInAnswers.payment(trade)
    }

    // MARK: - Questions

    private static func query(_ body: JSON, _ state: inout State) -> JSON {
        if state.quirks.hiddenFromQuery > 0 {
            state.quirks.hiddenFromQuery -= 1
            return StandInAnswers.list([])
        }
        guard !state.quirks.ignoresFilters else { return StandInAnswers.list(state.trades) }
        let filters = body["filters"]
        let (name, id) = (filters?["bank_transaction_id"]?.string, filters?["rec_trade_id"]?.string)
        return StandInAnswers.list(
            state.trades.filter { (name == nil || $0.name == name) && (id == nil || $0.id == id) })
    }

    // MARK: - What follows

    private static func followUp(_ endpoint: StandInEndpoint, _ body: JSON, _ state: inout State) -> JSON {
        guard let index = state.trades.firstIndex(where: { $0.id == body["rec_trade_id"]?.string }),
            state.trades[index].standing != .declined
        else { return StandInAnswers.status(endpoint == .refund ? 11000 : 4002) }
        switch endpoint {
        case .capture:
            guard state.trades[index].standing == .alive, state.trades[index].capture != .done else {
                return StandInAnswers.status(4002)
            }
            state.trades[index].capture = .planned
            return StandInAnswers.capture(state.trades[index])
        case .cancelCapture:
            guard state.trades[index].capture == .planned else {
                return StandInAnswers.status(state.trades[index].capture == .done ? 934 : 935)
            }
            state.trades[index].capture = .none
            return StandInAnswers.captureCanceled(state.trades[index])
        case .refund: return self.refund(index, body, &state)
        case .cancelRefund: return self.cancelRefund(index, body, &state)
        case .history:
            let isEmpty = state.quirks.hiddenFromHistory > 0
            if isEmpty { state.quirks.hiddenFromHistory -= 1 }
            return StandInAnswers.history(state.trades[index], isEmpty: isEmpty, state.quirks)
        case .getPrime, .pay, .query: return StandInAnswers.status(4002)
        }
    }

    /// Before the capture only all of it, which takes the authorization back.
    private static func refund(_ index: Int, _ body: JSON, _ state: inout State) -> JSON {
        let name = body["bank_refund_id"]?.string
        if let name, let first = state.trades[index].refunds.first(where: { $0.name == name }) {
            switch state.quirks.repeats {
            case .refused(let status): return StandInAnswers.status(status)
            case .answeredAgain: return StandInAnswers.refund(first)
            case .booked: break
            }
        }
        let trade = state.trades[index]
        guard trade.standing == .alive, trade.left > 0 else { return StandInAnswers.status(4014) }
        let amount = body["amount"]?.integer ?? trade.left
        guard amount > 0, amount <= trade.left else { return StandInAnswers.status(10051) }
        guard trade.capture == .done || amount == trade.amount else { return StandInAnswers.status(10024) }
        let refund = StandInTrade.Refund(
            id: "RF" + state.next(), name: name, amount: amount,
            standing: state.quirks.refundsTakeTime ? .pending : .done, isOfACapture: trade.capture == .done)
        state.trades[index].refunds.append(refund)
        return refund.standing == .pending ? StandInAnswers.status(10001) : StandInAnswers.refund(refund)
    }

    private static func cancelRefund(_ index: Int, _ body: JSON, _ state: inout State) -> JSON {
        let refunds = state.trades[index].refunds
        // Without an id the newest, as the vendor's clients leave it out.
        let id = body["refund_id"]?.string ?? refunds.last?.id
        guard let place = refunds.firstIndex(where: { $0.id == id && $0.standing == .done }) else {
            return StandInAnswers.status(670)
        }
        state.trades[index].refunds[place].standing = .canceled
        return StandInAnswers.refundCanceled(state.trades[index], state.trades[index].refunds[place])
    }
}
