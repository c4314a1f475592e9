//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization
import TestGateway
import TestUpstream

// What the stand-in does with a request, and what it answers.

extension RadialStandIn.Book {
    func answer(_ request: StubRequest) -> StubAnswer {
        let path = request.path.split(separator: "/").map(String.init)
        guard request.method == "POST", path.count == 7,
            Array(path[0...3]) == ["v1.0", "stores", Bench.storeID, "payments"],
            let call = RadialStandIn.Call(rawValue: path[4...5].joined(separator: "/")), path[6].hasSuffix(".xml")
        else { return StubAnswer(status: 404, body: StandInTexts.fault("UnknownResource")) }
        guard request.header("apikey") == Bench.apiKey else { return StubAnswer(status: 403, body: "") }
        let tender = String(path[6].dropLast(4))
        let (answer, ending) = self.state.withLock { state -> (StubAnswer, RadialStandIn.Ending) in
            state.calls.append(call)
            guard request.header("content-type")?.hasPrefix("text/xml") == true,
                let document = SentDocument(request.body)
            else {
                state.problems.append("\(call) is no XML")
                return (StubAnswer(status: 400, body: StandInTexts.fault("InvalidPayload")), .answered)
            }
            if let problem = document.problem { state.problems.append("\(document.root): \(problem)") }
            let ending = state.takeEnding(call)
            switch ending {
            case .refused(let status, let code):
                return (StubAnswer(status: status, body: StandInTexts.fault(code)), .answered)
            case .status(let status):
                return (StubAnswer(status: status, body: "<html><body>No.</body></html>"), .answered)
            case .answered, .lost, .late, .held: break
            }
            let (status, body) = state.answer(call, document, tender, isSeen: ending == .answered || ending == .held)
            if ending == .lost {
                return (StubAnswer(status: 502, body: "<html><body>Bad gateway</body></html>"), .answered)
            }
            return (
                StubAnswer(status: status, body: body, headers: [("content-type", state.habits.contentType)]),
                ending
            )
        }
        var waiting = answer
        waiting.waits = { await self.released.wait() }
        switch ending {
        case .late:
            self.deadline.pass()
            return waiting
        case .held:
            self.arrived.open()
            return waiting
        case .answered, .lost, .refused, .status: return answer
        }
    }
}

extension RadialStandIn.State {
    fileprivate mutating func takeEnding(_ call: RadialStandIn.Call) -> RadialStandIn.Ending {
        guard let ending = self.endings[call]?.first else { return .answered }
        self.endings[call]?.removeFirst()
        return ending
    }

    /// "requestId … used for duplicate request protection".
    fileprivate mutating func answer(
        _ call: RadialStandIn.Call, _ document: SentDocument, _ tender: String, isSeen: Bool
    ) -> (status: Int, body: String) {
        let id = document.requestID
        if let before = self.answers[id] {
            if call == .settle, self.acknowledged.contains(id) {
                // "Never resubmit a settlement after the ACK."
                self.problems.append("a settlement was sent again after its acknowledgement")
            }
            switch self.habits.repeats {
            case .answeredAgain:
                if isSeen { self.acknowledged.insert(id) }
                return (200, before)
            case .refused(let status, let code): return (status, StandInTexts.fault(code))
            case .bookedAgain: break
            }
        }
        let (status, body) = self.work(call, document, tender)
        if status == 200 {
            self.answers[id] = body
            if isSeen { self.acknowledged.insert(id) }
        }
        return (status, body)
    }

    private mutating func work(
        _ call: RadialStandIn.Call, _ document: SentDocument, _ tender: String
    ) -> (status: Int, body: String) {
        guard call != .authorize else {
            guard tender == "DW" else { return (400, StandInTexts.fault("InvalidTenderTypeException")) }
            return (200, self.authorize(document))
        }
        let account = document["PaymentContext/PaymentAccountUniqueId"]
        let index = self.orders.firstIndex { $0.id == document.orderID && $0.account == account }
        guard let index else { return (400, StandInTexts.fault("NoAuthFoundException")) }
        guard self.orders[index].tender == tender else {
            return (400, StandInTexts.fault("InvalidTenderTypeException"))
        }
        switch call {
        case .authorize, .confirm: return (200, self.confirm(document, index))
        case .settle: return self.settle(document, index)
        case .cancel:
            self.orders[index].cancellationsCount += 1
            return (200, self.acknowledgement(document, index))
        }
    }

    private mutating func takeIssuer() -> RadialStandIn.Issuer {
        self.issuer.isEmpty ? .approves : self.issuer.removeFirst()
    }

    private mutating func authorize(_ document: SentDocument) -> String {
        let cents = document.cents("Amount") ?? 0
        var order = StandInOrder(
            id: document.orderID, cents: cents, account: "4054131Imp\(1000 + self.orders.count)6965",
            standing: .held)
        let (code, issuer, amount, namesAccount): (String, String, Int64, Bool)
        switch self.takeIssuer() {
        case .approves: (code, issuer, amount, namesAccount) = ("APPROVED", "AP01", cents, true)
        case .declines:
            order.standing = .declined
            (code, issuer, amount, namesAccount) = ("DECL", "ND01", 0, true)
        case .isSilent(let names):
            order.standing = .unanswered
            (code, issuer, amount, namesAccount) = ("TIMEOUT", "TO01", 0, names)
        case .isOverruled:
            order.standing = .unanswered
            (code, issuer, amount, namesAccount) = ("AcceptOrderWithException", "ND01", cents, true)
        }
        self.orders.append(order)
        return StandInTexts.authorization(
            order, code: code, issuer: issuer, amount: StandInTexts.decimal(amount), hasAccount: namesAccount,
            self.habits.style)
    }

    /// "Use the original authorization amount"; the issuer is asked again where nothing is held.
    private mutating func confirm(_ document: SentDocument, _ index: Int) -> String {
        let reauthorizes = ["true", "1"].contains(document["PerformReauthorization"])
        if document.cents("Amount") != self.orders[index].cents { self.problems.append("not the original amount") }
        var word = self.orders[index].available > 0 ? "Success" : "Fail"
        var isAsked = false
        if self.orders[index].standing == .unanswered, reauthorizes {
            isAsked = true
            switch self.takeIssuer() {
            case .approves: (self.orders[index].standing, word) = (.held, "Success")
            case .declines, .isOverruled: (self.orders[index].standing, word) = (.declined, "Fail")
            case .isSilent: word = "Timeout"
            }
        }
        return StandInTexts.funds(self.orders[index], word, reauthorized: isAsked, self.habits.style)
    }

    private mutating func settle(_ document: SentDocument, _ index: Int) -> (status: Int, body: String) {
        let isDebit = document["SettlementType"] == "Debit"
        let cents = document.cents("Amount") ?? 0
        let order = self.orders[index]
        guard isDebit ? order.standing == .held : order.captured > 0 else {
            return (400, StandInTexts.fault("NoAuthFoundException"))
        }
        if cents > (isDebit ? order.available : order.creditable), self.habits.repeats != .bookedAgain {
            self.problems.append("more than is left")
        }
        self.orders[index].settlements.append(
            StandInOrder.Settlement(
                isDebit: isDebit, cents: cents, isFinal: ["true", "1"].contains(document["FinalDebit"]),
                context: document["ClientContext"] ?? ""))
        return (200, self.acknowledgement(document, index))
    }

    private func acknowledgement(_ document: SentDocument, _ index: Int) -> String {
        self.habits.acknowledgement
            ?? StandInTexts.acknowledgement(of: document.root, self.orders[index], self.habits.style)
    }
}
