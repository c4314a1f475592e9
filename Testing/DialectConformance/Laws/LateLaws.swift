//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import Gateway
import Money
import Payments
import StrictJSON
import TestGateway

extension DialectProbe {
    /// What an acquirer takes back after it had approved it is seen by who asks, and sent to whom the dialect has a word
    /// for; answers that were given stay what they were.
    func shows(_ late: LateResult) async throws {
        var (subject, first) = try await self.approved(before: late)
        _ = try await self.shop.deliverAll()
        try await self.report(late)
        let standing = self.call(.query, &subject)
        let view = try self.driver.view(of: late, standing, in: self.shop)

        try await self.expectSent(view.sent)
        try await self.expectQuery(&subject, late.truth.verdict, captured: late.truth.captured, refunded: 0)
        for question in view.asked { try await self.expect(question) }
        try await self.expectFirstAnswer(first)

        // A report that comes again changes nothing.
        try await self.report(late, isRepeat: true)
        try await self.expectSent([])
        try await self.expectRefundable(late, &subject)
    }

    /// The payment as it stood before the report, and how it began.
    private func approved(before late: LateResult) async throws -> (Subject, Sent) {
        let amount = self.shop.money(1000)
        var subject = Subject(name: "p1")
        let token = try self.shop.token(amount)
        let isSale: Bool
        switch late {
        case .authorizationFails, .captureFails: isSale = false
        case .saleFails, .refundFails, .wholeChargeback, .partialChargeback, .chargebackReversed:
            isSale = self.driver.has(.sale)
        }
        let first = try await self.make(isSale ? .pay(amount, token) : .authorize(amount, token), &subject)
        try self.expect(first, .approved, "a payment", amount)
        if !isSale, late != .authorizationFails {
            try self.expect(
                await self.make(.capture(amount, isFinal: true), &subject), .approved, "the capture of all", amount)
        }
        if late == .refundFails {
            try self.expect(await self.make(.refund(self.shop.money(400)), &subject), .approved, "a refund")
        }
        return (subject, first)
    }

    private func report(_ late: LateResult, isRepeat: Bool = false) async throws {
        guard let payment = try await self.test.payments().first, let authorization = payment.authorization else {
            throw self.broken("a payment", "none")
        }
        func last(_ kind: PaymentOperation.Kind) throws -> OperationID {
            guard let operation = payment.operations.last(where: { $0.kind == kind }) else {
                throw self.broken("an operation of the kind \(kind.rawValue)", "none")
            }
            return operation.id
        }
        let (event, id): (AcquirerNotice.Event, OperationID) =
            switch late {
            case .saleFails, .authorizationFails: (.failedLate(.doNotHonor, AcquirerAnswer()), authorization.id)
            case .captureFails: (.failedLate(.doNotHonor, AcquirerAnswer()), try last(.capture))
            case .refundFails: (.failedLate(.suspectedFraud, AcquirerAnswer()), try last(.refund))
            case .wholeChargeback: (.chargedBack(self.shop.money(1000), fee: nil), try last(.capture))
            case .partialChargeback, .chargebackReversed:
                (.chargedBack(self.shop.money(400), fee: nil), try last(.capture))
            }
        try self.expect(
            await self.test.report(event, of: id, reference: "report-1") == .booked, "a report that is booked")
        guard late == .chargebackReversed else { return }
        // What is sent of the chargeback is another result's.
        let sent = try await self.shop.deliverAll()
        try self.expect(!isRepeat || sent.isEmpty, "no message about a chargeback again", found: "\(sent.count)")
        try self.expect(
            await self.test.report(.chargebackReversed(of: "report-1"), of: id, reference: "report-2") == .booked,
            "a report that is booked")
    }

    private func expectSent(_ wanted: [[String: String?]]) async throws {
        let sent = try await self.shop.deliverAll()
        let client = try self.driver.client(in: self.shop)
        let bodies = sent.map { client.read(ClientNotification($0)).body }
        try self.expect(
            bodies.count == wanted.count, "\(wanted.count) messages about it", found: "\(bodies.count)")
        for (index, (body, wanted)) in zip(bodies, wanted).enumerated() {
            try self.expect(body, says: wanted, "message \(index + 1)")
        }
    }

    private func expect(_ question: LateView.Question) async throws {
        let request = question.request
        let response = await self.shop.send(request.request)
        try self.expect(self.shop.read(response, to: request.request).body, says: question.says, request.name)
    }

    private func expect(_ body: ReplyBody, says wanted: [String: String?], _ what: String) throws {
        for (name, value) in wanted.sorted(by: { $0.key < $1.key }) {
            let found = body.value(at: name)
            try self.expect(
                found == value, "\(what): \(name) \(value ?? "not there")", found: found ?? "nothing of that name")
        }
    }

    private func expectFirstAnswer(_ first: Sent) async throws {
        guard self.driver.has(.paymentRepeats) else { return }
        let (response, _) = try await self.send(self.driver.renewed(first.request, in: self.shop), of: first.call)
        try self.expect(
            self.driver.stablePart(of: response) == self.driver.stablePart(of: first.response),
            "the answer that was given, for ever", found: "another one")
    }

    private func expectRefundable(_ late: LateResult, _ subject: inout Subject) async throws {
        guard self.driver.has(.refund) else { return }
        let minorUnits = late.truth.refundable
        try await self.bookingNothing("a refund of more than is left") {
            let beyond = self.shop.money(minorUnits + 1)
            try self.expect(await self.make(.refund(beyond), &subject), .refused, "a refund of more than is left")
        }
        guard minorUnits > 0 else { return }
        // The simulator's own book has a refund still that failed late.
        let rest = self.shop.money(late == .refundFails ? 600 : minorUnits)
        try self.expect(await self.make(.refund(rest), &subject), .approved, "a refund of what is left", rest)
    }

    /// What a law ends with that is about an acquirer's reports: its book has none of them.
    func expectSoundLedger() async throws {
        let problems = try await LedgerAudit.run(store: self.test.store).problems
        try self.expect(problems.isEmpty, "a sound ledger", found: problems.joined(separator: "; "))
    }
}

extension ReplyBody {
    /// - Parameter path: in JSON dotted, with the places in lists as numbers; else a name.
    fileprivate func value(at path: String) -> String? {
        guard let json = self.json else { return self[path] }
        let found = path.split(separator: ".").reduce(Optional(json)) { json, name in
            guard let list = json?.array, let index = Int(name) else { return json?[String(name)] }
            return list.indices.contains(index) ? list[index] : nil
        }
        return found.flatMap { $0.string ?? $0.numberText ?? $0.bool.map { "\($0)" } }
    }
}
