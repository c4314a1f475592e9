//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import WalletSimulator

/// A shop under judgement: makes calls, and throws what they should not have been answered.
struct DialectProbe {
    let law: DialectLaw
    let driver: any DialectDriver
    let shop: DialectShop

    /// A call with everything about it.
    struct Sent {
        let call: DialectCall
        let request: WireRequest
        let response: WireResponse
        let answer: DialectAnswer
    }

    /// A payment, and what is known of it from the answers.
    struct Subject {
        let name: String
        var handle: [String: String] = [:]
        var callsCount = 0
    }

    var test: TestGateway { self.shop.test }

    // MARK: - Calls

    func call(_ action: DialectCall.Action, _ subject: inout Subject, key: String? = nil) -> DialectCall {
        subject.callsCount += 1
        return DialectCall(
            action, payment: subject.name, key: key ?? "\(subject.name)-\(subject.callsCount)", handle: subject.handle)
    }

    func send(_ request: WireRequest, of call: DialectCall?) async throws -> (WireResponse, DialectAnswer) {
        let response = await self.shop.send(request)
        let answer = try self.driver.read(response, to: request, of: call, in: self.shop)
        // A query that finds nothing has been answered.
        if case .query = call?.action { return (response, answer) }
        try self.expectRefusalNamed(response, answer)
        return (response, answer)
    }

    /// What is counted and logged of a call: its refusal, under the code that the answer has, and nothing else.
    func expectRefusalNamed(_ response: WireResponse, _ answer: DialectAnswer) throws {
        switch answer.verdict {
        case .refused:
            let found = response.refusal?.code
            try self.expect(found == answer.code, "a refusal \(answer.code) to count", found: found ?? "none")
        // A call may be refused because another of the same payment is under way.
        case .pending: break
        case .approved, .declined:
            try self.expect(response.refusal == nil, "no refusal to count", found: response.refusal?.code ?? "")
        }
    }

    @discardableResult
    func make(_ call: DialectCall, _ subject: inout Subject) async throws -> Sent {
        let request = try await self.driver.request(call, in: self.shop)
        let (response, answer) = try await self.send(request, of: call)
        subject.handle.merge(answer.handle) { $1 }
        return Sent(call: call, request: request, response: response, answer: answer)
    }

    @discardableResult
    func make(_ action: DialectCall.Action, _ subject: inout Subject, key: String? = nil) async throws -> Sent {
        let call = self.call(action, &subject, key: key)
        return try await self.make(call, &subject)
    }

    /// The request that begins a payment: a sale where there is one, else an authorization.
    func charge(_ amount: Money, _ token: MintedToken) -> DialectCall.Action {
        self.driver.has(.sale) ? .pay(amount, token) : .authorize(amount, token)
    }

    func charge(_ amount: Money) throws -> DialectCall.Action {
        self.charge(amount, try self.shop.token(amount))
    }

    /// A payment of which all is captured.
    func paid(_ minorUnits: Int64, _ name: String = "p1") async throws -> Subject {
        var subject = Subject(name: name)
        let amount = self.shop.money(minorUnits)
        try self.expect(await self.make(self.charge(amount), &subject), .approved, "a payment", amount)
        if !self.driver.has(.sale) {
            try self.expect(
                await self.make(.capture(amount, isFinal: true), &subject), .approved, "the capture of all", amount)
        }
        return subject
    }

    /// A payment that is authorized and nothing more.
    func authorized(_ minorUnits: Int64, _ name: String = "p1") async throws -> Subject {
        var subject = Subject(name: name)
        let amount = self.shop.money(minorUnits)
        let token = try self.shop.token(amount)
        try self.expect(await self.make(.authorize(amount, token), &subject), .approved, "an authorization", amount)
        return subject
    }

    // MARK: - Expectations

    @discardableResult
    func expect(
        _ sent: Sent, _ verdict: DialectVerdict, _ what: String, _ amount: Money? = nil
    ) throws -> DialectAnswer {
        try self.expect(sent.answer, sent.response, verdict, what, amount)
    }

    @discardableResult
    func expect(
        _ answer: DialectAnswer, _ response: WireResponse, _ verdict: DialectVerdict, _ what: String,
        _ amount: Money? = nil
    ) throws -> DialectAnswer {
        guard answer.verdict == verdict else {
            throw self.broken("\(what): \(verdict)", "\(answer.verdict) (\(answer.code), \(response.status.code))")
        }
        // What was not even asked is the caller's fault, not the server's.
        if verdict == .refused, response.status.code >= 500 {
            throw self.broken("\(what): a status below 500", "\(response.status.code)")
        }
        if let amount, let returned = answer.amount, returned != amount {
            throw self.broken("\(what): an answer about \(amount)", "one about \(returned)")
        }
        return answer
    }

    func expect(_ condition: Bool, _ wanted: String, found: String = "something else") throws {
        guard condition else { throw self.broken(wanted, found) }
    }

    func broken(_ wanted: String, _ found: String) -> DialectLawBroken {
        DialectLawBroken(law: self.law, wanted: wanted, found: found)
    }

    /// Runs a body during which the acquirer must book nothing.
    func bookingNothing(_ what: String, _ body: () async throws -> Void) async throws {
        let before = try await self.test.book.entries().count
        try await body()
        let after = try await self.test.book.entries().count
        try self.expect(before == after, "\(what): nothing booked", found: "\(after - before) more in the book")
    }

    func expectBooked(_ kind: SimulatorEntry.Kind, _ count: Int) async throws {
        let booked = try await self.test.bookedCount(kind)
        try self.expect(booked == count, "\(count) \(kind.rawValue) booked", found: "\(booked)")
    }

    /// What a query says, if the dialect has queries.
    func expectQuery(
        _ subject: inout Subject, _ verdict: DialectVerdict, captured: Int64? = nil, refunded: Int64? = nil
    ) async throws {
        guard self.driver.has(.query) else { return }
        let answer = try self.expect(await self.make(.query, &subject), verdict, "a query")
        guard self.driver.has(.queryTotals) else { return }
        for (what, wanted, found) in [
            ("captured", captured, answer.captured), ("refunded", refunded, answer.refunded),
        ] {
            guard let wanted else { continue }
            try self.expect(
                found == self.shop.money(wanted), "a query says that \(self.shop.money(wanted)) is \(what)",
                found: found.map { "\($0)" } ?? "nothing about it")
        }
    }

    /// What every law ends with: when nothing is open any more, the gateway, its ledger and the acquirer's book say the
    /// same.
    func expectSoundBooks() async throws {
        await self.test.recover()
        let problems = try await self.test.bookProblems()
        try self.expect(problems.isEmpty, "books that agree", found: problems.joined(separator: "; "))
        let open = try await self.test.payments().flatMap(\.operations).count { !$0.state.isResolved }
        try self.expect(open == 0, "nothing open after recovery", found: "\(open) open")
    }
}
