//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Synchronization
import TestGateway
import TestUpstream

// How requests are judged, in the terms of PAYONE's public pages.

extension PAYONEStandIn.Book {
    func answer(_ request: StubRequest) -> StubAnswer {
        let (answer, isHeld) = self.state.withLock { state in state.answer(request) }
        guard isHeld else { return answer }
        self.arrived.open()
        var held = answer
        held.waits = { [released] in await released.wait() }
        return held
    }
}

/// What a request comes to: a booking, or an error's number.
private enum Judgement {
    case booked(process: Int, booking: Int)
    case error(Int)
}

extension PAYONEStandIn.State {
    fileprivate mutating func answer(_ request: StubRequest) -> (StubAnswer, isHeld: Bool) {
        self.requestsCount += 1
        guard request.method == "POST", request.path == "/post-gateway/",
            request.header("Content-Type")?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true,
            let form = Self.form(request.text)
        else { return (Self.page(404), false) }
        // Who is not known has asked for nothing.
        if let code = self.problemOfTheAccount(form) { return (self.answer(.error(code)), false) }
        let ending = self.endings.isEmpty ? .answered : self.endings.removeFirst()
        switch ending {
        case .answered:
            let judgement = self.judge(form)
            return (self.answer(judgement), false)
        case .refused(let code):
            if self.habits.booksWhatItRefuses { _ = self.judge(form) } else { self.noteRefusal(form) }
            return (self.answer(.error(code)), false)
        case .pending:
            let judgement = self.judge(form, .open)
            return (self.pending(judgement), false)
        case .held:
            let judgement = self.judge(form)
            return (self.answer(judgement), true)
        case .errorAfterBooking(let code):
            _ = self.judge(form)
            return (self.answer(.error(code)), false)
        case .statusBeforeBooking(let status): return (Self.page(status), false)
        case .statusAfterBooking(let status):
            _ = self.judge(form)
            return (Self.page(status), false)
        case .textAfterBooking(let text):
            guard case .booked(let process, _) = self.judge(form) else { return (Self.page(500), false) }
            return (Self.plain(text.replacing("{txid}", with: self.processes[process].txid)), false)
        case .text(let text): return (Self.plain(text), false)
        case .repeated(let answersFirst):
            let first = self.judge(form)
            let second = self.judge(form)
            return (self.answer(answersFirst ? first : second), false)
        }
    }

    private static func page(_ status: Int) -> StubAnswer {
        StubAnswer(status: status, body: "<html></html>", headers: [("Content-Type", "text/html")])
    }

    private static func plain(_ text: String) -> StubAnswer {
        StubAnswer(status: 200, body: text, headers: [("Content-Type", "Text/Plain")])
    }

    private func answer(_ judgement: Judgement) -> StubAnswer {
        switch judgement {
        case .error(let code): self.habits.form.error(code)
        case .booked(let process, let booking):
            self.habits.form.approval(
                self.processes[process].txid, settles: self.processes[process].bookings[booking].number > 0)
        }
    }

    private func pending(_ judgement: Judgement) -> StubAnswer {
        guard case .booked(let process, _) = judgement else { return self.answer(judgement) }
        return self.habits.form.answer([
            ("status", "PENDING"), ("txid", self.processes[process].txid), ("userid", "86057923"),
        ])
    }

    // MARK: - Accounts

    private func problemOfTheAccount(_ form: [String: String]) -> Int? {
        if form["mid"] != Bench.mid { return 2003 }
        if let aid = form["aid"], aid != Bench.aid { return 2004 }
        if form["portalid"] != Bench.portalID { return 2005 }
        guard let key = form["key"], self.habits.keyDigests.contains(key) else { return 2006 }
        // A portal that has not been set live.
        switch form["mode"] {
        case "test": return nil
        case "live": return 925
        default: return 1010
        }
    }

    // MARK: - Requests

    private mutating func judge(
        _ form: [String: String], _ state: StandInProcess.Booking.State = .booked
    ) -> Judgement {
        switch form["request"] {
        case "preauthorization": return self.opened(form, .authorization, state)
        case "authorization": return self.opened(form, .sale, state)
        case "capture", "debit": return self.followed(form, state)
        default: return .error(2002)
        }
    }

    private static let tokenParts = [
        "version", "data", "signature", "ephemeral_publickey", "publickey_hash", "transaction_id",
    ]

    private mutating func opened(
        _ form: [String: String], _ kind: StandInProcess.Booking.Kind, _ state: StandInProcess.Booking.State
    ) -> Judgement {
        // "aid: required" of what opens a payment process.
        guard form["aid"] != nil else { return .error(1204) }
        guard form["clearingtype"] == "wlt", form["wallettype"] == "APL" else { return .error(1001) }
        guard let amount = form["amount"].flatMap(Int64.init), (1...1_999_999_999).contains(amount) else {
            return .error(1016)
        }
        guard let currency = form["currency"], currency.count == 3 else { return .error(1005) }
        let symbols = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-_/"
        guard let reference = form["reference"], (1...20).contains(reference.count),
            reference.allSatisfy(symbols.contains)
        else { return .error(1003) }
        guard let lastName = form["lastname"], (2...50).contains(lastName.count) else { return .error(1302) }
        guard form["country"]?.count == 2 else { return .error(1340) }
        let parts = Self.tokenParts.map { form["add_paydata[paymentdata_token_\($0)]"] ?? "" }
        guard !parts.contains("") else { return .error(2704) }
        let isKnown = self.processes.contains { $0.reference == reference }
        if isKnown, !self.habits.booksRepeats { return .error(911) }
        var process = StandInProcess(
            txid: String(196_570_000 + self.processes.count), reference: reference, currency: currency,
            param: form["param"] ?? "")
        process.bookings = [StandInProcess.Booking(number: 0, kind: kind, amount: amount, state: state)]
        self.processes.append(process)
        self.report(state == .open ? .pending : .completed, of: self.processes.count - 1, 0)
        return .booked(process: self.processes.count - 1, booking: 0)
    }

    private mutating func followed(_ form: [String: String], _ state: StandInProcess.Booking.State) -> Judgement {
        guard let txid = form["txid"], (9...12).contains(txid.count) else { return .error(1008) }
        guard let index = self.processes.firstIndex(where: { $0.txid == txid }) else { return .error(913) }
        let process = self.processes[index]
        guard form["currency"] == process.currency else { return .error(910) }
        guard let amount = form["amount"].flatMap(Int64.init) else { return .error(1016) }
        guard let number = form["sequencenumber"].flatMap(Int.init), (0...127).contains(number) else {
            return .error(1009)
        }
        guard number == process.lastNumber + 1 || self.habits.booksRepeats && number == process.lastNumber else {
            return .error(907)
        }
        if let code = self.problem(form, amount, process) {
            self.noteRefusal(form)
            return .error(code)
        }
        let isRefund = form["request"] == "debit"
        let kind: StandInProcess.Booking.Kind = isRefund ? .refund : amount == 0 ? .release : .capture
        self.processes[index].bookings.append(
            StandInProcess.Booking(number: number, kind: kind, amount: abs(amount), state: state))
        self.processes[index].lastNumber = number
        if !isRefund, form["capturemode"] == "completed" { self.processes[index].isCompleted = true }
        let booking = self.processes[index].bookings.count - 1
        self.report(state == .open ? .pending : .completed, of: index, booking)
        return .booked(process: index, booking: booking)
    }

    private func problem(_ form: [String: String], _ amount: Int64, _ process: StandInProcess) -> Int? {
        guard form["request"] == "capture" else {
            // A debit above zero would charge the card again.
            if amount >= 0 { return 916 }
            return -amount > process.refundable && !self.habits.booksRepeats ? 906 : nil
        }
        switch (form["capturemode"], amount) {
        case ("completed", 0) where process.captured == 0:
            if process.isCompleted { return 952 }
            return self.habits.releasesByCapture ? nil : 935
        case ("completed", 0), ("notcompleted", 0): return 935
        case ("completed", 1...), ("notcompleted", 1...):
            if process.isCompleted { return 952 }
            return amount > process.capturable && !self.habits.booksRepeats ? 908 : nil
        case (_, ..<0): return 1016
        default: return 1032
        }
    }

    private mutating func noteRefusal(_ form: [String: String]) {
        guard self.habits.refusedRequestsUseNumbers,
            let index = self.processes.firstIndex(where: { $0.txid == form["txid"] })
        else { return }
        self.processes[index].lastNumber += 1
    }

    // MARK: - Forms

    /// `nil` where a name stands there twice.
    private static func form(_ text: String) -> [String: String]? {
        var form: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                $0.replacing("+", with: " ").removingPercentEncoding
            }
            // "Do not send empty parameters."
            guard halves.count == 2, let name = halves[0], let value = halves[1], !value.isEmpty,
                form.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        return form
    }
}
