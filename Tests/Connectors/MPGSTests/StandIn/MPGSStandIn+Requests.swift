//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON
import Synchronization
import TestGateway
import TestUpstream

// How requests are judged, in the terms of the API reference.

extension MPGSStandIn.Book {
    func answer(_ request: StubRequest) -> StubAnswer {
        let (answer, isHeld) = self.state.withLock { state in state.answer(request) }
        guard isHeld else { return answer }
        self.arrived.open()
        var held = answer
        held.waits = { [released] in await released.wait() }
        return held
    }
}

/// What a request is about.
private struct Address {
    let order: String
    let transaction: String?

    /// `/api/rest/version/{version}/merchant/{merchantId}/order/{orderid}/transaction/{transactionid}`
    init?(_ path: String) {
        let parts = path.split(separator: "/").map { String($0) }
        guard parts.count >= 8, Array(parts[0...2]) == ["api", "rest", "version"], Int(parts[3]) != nil,
            parts[4] == "merchant", parts[5] == Bench.merchantID, parts[6] == "order", parts[7].count <= 40
        else { return nil }
        guard parts.count == 8 || parts.count == 10 && parts[8] == "transaction" && parts[9].count <= 40 else {
            return nil
        }
        self.order = parts[7]
        self.transaction = parts.count == 10 ? parts[9] : nil
    }
}

extension MPGSStandIn.State {
    fileprivate mutating func answer(_ request: StubRequest) -> (StubAnswer, isHeld: Bool) {
        let words = (request.header("Authorization") ?? "").split(separator: " ")
        let isKnown = self.habits.passwords.contains {
            words == ["Basic", Base64Text.encode("merchant.\(Bench.merchantID):\($0)")[...]]
        }
        guard isKnown else {
            return (self.habits.form.error("INVALID_REQUEST", "Invalid credentials.", status: 401), false)
        }
        guard request.method == "PUT" else { return (self.query(request), false) }
        self.requestsCount += 1
        let ending = self.endings.isEmpty ? .answered : self.endings.removeFirst()
        switch ending {
        case .answered: return (self.work(on: request), false)
        case .held: return (self.work(on: request), true)
        case .onItsWay:
            self.onItsWay.append(request)
            return (StubAnswer(status: 504, body: ""), true)
        case .error(let cause): return (self.failure(cause), false)
        case .errorAfterBooking(let cause):
            _ = self.work(on: request)
            return (self.failure(cause), false)
        case .statusAfterBooking(let status):
            _ = self.work(on: request)
            return (Self.page(status), false)
        case .statusBeforeBooking(let status): return (Self.page(status), false)
        case .repeated(let answersFirst):
            let first = self.work(on: request)
            let second = self.work(on: request)
            return (answersFirst ? first : second, false)
        case .hidden:
            _ = self.work(on: request, ending)
            return (Self.page(504), false)
        case .declined, .open, .changed: return (self.work(on: request, ending), false)
        }
    }

    private static func page(_ status: Int) -> StubAnswer {
        StubAnswer(status: status, body: "<html></html>", headers: [("Content-Type", "text/html")])
    }

    private func failure(_ cause: String) -> StubAnswer {
        self.habits.form.error(
            cause, cause == "SERVER_BUSY" ? "Try again later." : nil, status: cause == "REQUEST_REJECTED" ? 403 : 500)
    }

    // MARK: - Queries

    private mutating func query(_ request: StubRequest) -> StubAnswer {
        self.queriesCount += 1
        guard request.method == "GET", let address = Address(request.path) else {
            return Self.page(404)
        }
        guard let order = self.orders.firstIndex(where: { $0.id == address.order }) else {
            return self.notFound("order = \(address.order) for merchant \(Bench.merchantID)")
        }
        guard let id = address.transaction else {
            return self.habits.form.answer(self.orders[order].json, status: 200)
        }
        guard let index = self.orders[order].transactions.firstIndex(where: { $0.id == id }) else {
            return self.notFound("transaction = \(id) for order = \(address.order)")
        }
        if self.orders[order].transactions[index].hiddenFromQueries > 0 {
            self.orders[order].transactions[index].hiddenFromQueries -= 1
            return self.notFound("transaction = \(id) for order = \(address.order)")
        }
        return self.habits.form.answer(self.orders[order].json(of: index), status: 200)
    }

    private func notFound(_ what: String) -> StubAnswer {
        self.habits.form.error("INVALID_REQUEST", "Unable to find \(what).", status: self.habits.notFoundStatus)
    }

    // MARK: - Transactions

    /// Judges a request, books it and answers.
    mutating func work(
        on request: StubRequest, _ ending: MPGSStandIn.Ending = .answered
    ) -> StubAnswer {
        guard let address = Address(request.path), let id = address.transaction,
            let json = try? JSON.parse(request.body)
        else { return self.habits.form.error("INVALID_REQUEST", "Json encoded payload error", status: 400) }
        if let found = self.repeated(address.order, id, request.text) { return found }
        let made: StandInOrder.Transaction
        switch self.transaction(json, address, id, request.text) {
        case .success(let transaction): made = transaction
        case .failure(let problem):
            return self.habits.form.error(
                "INVALID_REQUEST", problem.explanation, field: problem.field, status: 400)
        }
        let order = self.order(address.order, json)
        self.orders[order].transactions.append(self.ended(made, ending))
        let index = self.orders[order].transactions.count - 1
        self.report(order, index)
        var body = self.orders[order].json(of: index)
        if case .changed(let path, let value) = ending { body = body.setting(path, value) }
        return self.habits.form.answer(body, status: 201)
    }

    private func repeated(_ orderID: String, _ id: String, _ text: String) -> StubAnswer? {
        guard let order = self.orders.first(where: { $0.id == orderID }),
            let index = order.transactions.firstIndex(where: { $0.id == id }), !self.habits.booksRepeats
        else { return nil }
        if self.habits.replays, order.transactions[index].request == text {
            return self.habits.form.answer(order.json(of: index), status: 200)
        }
        return self.habits.form.error(
            "INVALID_REQUEST", "Value '\(id)' is invalid. Transaction ID already used.", field: "transaction.id",
            status: 400)
    }

    private mutating func order(_ id: String, _ json: JSON) -> Int {
        if let index = self.orders.firstIndex(where: { $0.id == id }) { return index }
        self.orders.append(
            StandInOrder(
                id: id, currency: json[path: "order.currency"]?.string ?? "",
                amount: json[path: "order.amount"]?.string.flatMap(Self.cents) ?? 0))
        return self.orders.count - 1
    }

    private func ended(
        _ transaction: StandInOrder.Transaction, _ ending: MPGSStandIn.Ending
    ) -> StandInOrder.Transaction {
        var transaction = transaction
        switch ending {
        case .declined(let gatewayCode, let acquirerCode):
            if self.habits.booksWhatItDeclines {
                transaction.shown = ("FAILURE", gatewayCode)
            } else {
                (transaction.result, transaction.gatewayCode) = ("FAILURE", gatewayCode)
            }
            transaction.acquirerCode = acquirerCode
        case .open(let result, let gatewayCode, let approves):
            if !approves { (transaction.result, transaction.gatewayCode) = ("FAILURE", "TIMED_OUT") }
            transaction.shown = (result, gatewayCode)
        case .hidden(let count): transaction.hiddenFromQueries = count
        default: break
        }
        return transaction
    }

    private mutating func report(_ order: Int, _ index: Int) {
        self.notices.append(
            (
                self.orders[order].transactions[index].id,
                Array(self.orders[order].json(of: index).text(pretty: false).utf8)
            ))
    }

    // MARK: - The operations

    private struct Problem: Error {
        let explanation: String
        var field: String?
    }

    private func transaction(
        _ json: JSON, _ address: Address, _ id: String, _ text: String
    ) -> Result<StandInOrder.Transaction, Problem> {
        let order = self.orders.first { $0.id == address.order }
        let amount = json[path: "transaction.amount"]?.string.flatMap(Self.cents)
        func made(_ kind: StandInOrder.Transaction.Kind, _ amount: Int64, _ target: String? = nil)
            -> Result<StandInOrder.Transaction, Problem>
        {
            .success(.init(id: id, kind: kind, amount: amount, target: target, request: text))
        }
        switch json["apiOperation"]?.string {
        case "AUTHORIZE", "PAY":
            guard let asked = json[path: "order.amount"]?.string.flatMap(Self.cents), asked > 0 else {
                return .failure(Problem(explanation: "Value is invalid.", field: "order.amount"))
            }
            guard json[path: "sourceOfFunds.provided.card.devicePayment"] != nil else {
                return .failure(Problem(explanation: "Missing parameter", field: "sourceOfFunds"))
            }
            if order?.transactions.contains(where: { $0.stands }) == true, !self.habits.booksRepeats {
                return .failure(Problem(explanation: "Order already has a payment.", field: "apiOperation"))
            }
            return made(json["apiOperation"]?.string == "PAY" ? .payment : .authorization, asked)
        case "CAPTURE":
            guard let order, let amount, order.captured + amount <= order.authorized || self.habits.booksRepeats else {
                return .failure(
                    Problem(
                        explanation: "Requested capture amount exceeds outstanding authorized amount",
                        field: "transaction.amount"))
            }
            return made(.capture, amount)
        case "REFUND":
            guard json["sourceOfFunds"] == nil, let order, let amount,
                order.refunded + amount <= order.captured || self.habits.booksRepeats
            else {
                return .failure(
                    Problem(explanation: "Requested refund amount exceeds captured amount", field: "transaction.amount")
                )
            }
            return made(.refund, amount)
        case "UPDATE_AUTHORIZATION":
            guard let order, let amount, order.authorized > 0, amount >= order.captured else {
                return .failure(Problem(explanation: "Value is invalid.", field: "transaction.amount"))
            }
            return made(.update, amount)
        case "VOID":
            let target = json[path: "transaction.targetTransactionId"]?.string
            guard let order, let found = order.transactions.first(where: { $0.id == target }), found.stands,
                let kind = found.kind.void, !order.isVoided(found.id),
                found.kind != .authorization || order.captured == 0,
                found.kind != .payment && found.kind != .capture || order.refunded == 0
            else {
                return .failure(
                    Problem(
                        explanation: "Value 'VOID' is invalid. There is no transaction to void.", field: "apiOperation")
                )
            }
            return made(kind, found.amount, found.id)
        default: return .failure(Problem(explanation: "Value is invalid.", field: "apiOperation"))
        }
    }

    /// "30.10"; two decimals are what the currencies of these tests have.
    private static func cents(_ text: String) -> Int64? {
        let halves = text.split(separator: ".", omittingEmptySubsequences: false)
        guard halves.count == 2, halves[1].count == 2, let whole = Int64(halves[0]), let part = Int64(halves[1]) else {
            return nil
        }
        return whole * 100 + part
    }
}
