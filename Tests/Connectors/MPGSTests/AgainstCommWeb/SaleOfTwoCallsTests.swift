//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import TestUpstream
import Testing

@testable import MPGS

/// Sales of two calls against another gateway, over networks and acquirers that fail: however one ends, it ends, as one
/// thing, and the other gateway's book says the same.
@Suite struct SaleOfTwoCallsTests {
    private static let settings = ["pay": "false"]

    private static func original(_ request: AcquirerRequest) -> OriginalOperation {
        Bench.original(.authorization, request.amount, isSale: true, id: request.operationID)
    }

    /// How recovery ends a sale: it asks, and takes back what the answer leaves open (`Gateway/UseCases/Recovery`).
    ///
    /// - Parameters:
    ///   - asksAgain: whether it is asked also after it has been taken back.
    ///   - settle: has the other gateway end what it does not know itself.
    /// - Returns: whether the sale stands; `nil` where it does not end.
    private static func recover(
        _ request: AcquirerRequest, _ outcome: AcquirerOutcome, _ acquirer: any Acquirer, asksAgain: Bool = true,
        settle: () async -> Void = {}
    ) async -> Bool? {
        await settle()
        let original = Self.original(request)
        let query = AcquirerQuery(
            paymentID: request.paymentID, merchantID: request.merchantID, original: original, at: Bench.at)
        let found = await acquirer.query(query)
        switch (outcome, found) {
        case (.approved(let approval), .approved(let again)): return approval == again ? true : nil
        // The authorization alone was declined, or the capture was and the authorization is taken back.
        case (.declined(let decline), .declined(let again)): return decline == again ? false : nil
        // An error leaves no transaction to be found.
        case (.declined, .reversed): return false
        case (.notProcessed, .notFound), (.unknown, .notFound): return false
        case (.unknown, .approved): return true
        case (.unknown, .declined): return false
        case (.unknown, .unknown), (.unknown, .reversed): break
        default: return nil
        }
        for attempt in UInt8(1)...3 {
            // Each a new operation, as after a reversal that was declined.
            let random = Array(request.operationID.text.utf8.suffix(9)) + [attempt]
            let reversal = AcquirerRequest(
                operationID: OperationID(at: Bench.at, random: random), paymentID: request.paymentID,
                merchantID: request.merchantID, amount: request.amount, begunAt: Bench.at, action: .reverse(original))
            guard case .approved = await acquirer.perform(reversal) else {
                await settle()
                continue
            }
            guard asksAgain else { return false }
            switch await acquirer.query(query) {
            case .reversed, .declined: return false
            case .approved, .accepted, .notFound, .unknown: return nil
            }
        }
        return nil
    }

    private static func agrees(_ stands: Bool?, _ booked: SimulatorPosition?, _ amount: Money) -> Bool {
        guard let stands else { return false }
        let zero = Money.zero(amount.currency)
        return (booked?.captured ?? zero) == (stands ? amount : zero) && (booked?.held ?? zero) == zero
    }

    // MARK: - What goes wrong behind the other gateway

    static let faults: [SimulatorFault] = [
        .dropBeforeBooking, .dropAfterBooking, .decline(.insufficientFunds), .duplicate, .garbage, .refuse(.busy),
        .refuse(.requestRefused), .refuse(.notAuthorized), .refuse(.notSent),
    ]

    @Test(arguments: [SimulatorCall.authorize, .capture], faults)
    func endsAsOneThing(_ call: SimulatorCall, _ fault: SimulatorFault) async throws {
        try await Self.check([SimulatorScript.Rule(call, .nth(1), fault: fault)])
    }

    /// The authorization of a declined capture can't be taken back at first.
    @Test(arguments: faults)
    func endsAlsoWhereTheVoidFails(_ fault: SimulatorFault) async throws {
        try await Self.check([
            SimulatorScript.Rule(.capture, .nth(1), fault: .decline(.doNotHonor)),
            SimulatorScript.Rule(.reverse, .nth(1), fault: fault),
        ])
    }

    private static func check(_ rules: [SimulatorScript.Rule]) async throws {
        let amount = try Bench.money(5000)
        let other = try await OtherGateway.open()
        for rule in rules { other.test.script.append(rule) }
        let request = FaultTests.request(1, amount, captures: true)
        let stands = try await other.withAcquirer(settings: Self.settings) { acquirer in
            let outcome = await acquirer.perform(request)
            return await Self.recover(request, outcome, acquirer) { await other.test.recover() }
        }
        let booked = try await other.positions()[request.operationID.text]
        #expect(Self.agrees(stands, booked, amount), "\(String(describing: stands)) \(String(describing: booked))")
        #expect(try await other.test.bookProblems().isEmpty)
    }

    // MARK: - What goes wrong on the way

    /// Both calls go over one connection, so that a count of bytes is a place in one of them.
    static func attempt(_ request: AcquirerRequest, _ port: Int) async throws -> AcquirerOutcome {
        let client = Bench.client(limits: UpstreamLimits(connectionsPerHostMax: 1))
        let acquirer = try MPGSConnector(client: client).open(
            Bench.account(host: "http://127.0.0.1:\(port)", settings: Self.settings))
        let outcome = await acquirer.perform(request)
        await client.shutdown()
        return outcome
    }

    private static func cut(
        _ faults: (_ counts: (request: Int, answer: Int)) -> [FaultyProxy.Fault]
    ) async throws {
        let amount = try Bench.money(3010)
        let other = try await OtherGateway.open()
        let attempts = try await other.serving { port in
            let proxy = try await FaultyProxy(to: port)
            // The first shows how much both calls are, there and back.
            var attempts = [
                (FaultyProxy.Fault.none, FaultTests.request(0, amount, captures: true), AcquirerOutcome?.none)
            ]
            attempts[0].2 = try await Self.attempt(attempts[0].1, proxy.port)
            for fault in faults(proxy.counts) {
                proxy.set(fault)
                let request = FaultTests.request(attempts.count, amount, captures: true)
                attempts.append((fault, request, try await Self.attempt(request, proxy.port)))
            }
            await proxy.close()
            return attempts
        }
        let ends = try await other.withAcquirer(settings: Self.settings) { acquirer in
            var ends: [Bool?] = []
            for (number, (_, request, outcome)) in attempts.enumerated() {
                // One in sixteen is enough of what takes long.
                ends.append(
                    await Self.recover(
                        request, outcome ?? .unclear("none"), acquirer, asksAgain: number.isMultiple(of: 16)))
            }
            return ends
        }
        let positions = try await other.positions()
        for ((fault, request, outcome), stands) in zip(attempts, ends) {
            let booked = positions[request.operationID.text]
            #expect(Self.agrees(stands, booked, amount), "\(fault): \(String(describing: outcome))")
        }
        // Cuts between the two calls leave authorizations without a capture, which were taken back.
        #expect(ends.contains(true) && ends.contains(false))
        #expect(try await other.test.bookedCount(.reversal) > 0)
        #expect(try await other.test.bookProblems().isEmpty)
    }

    /// In four parts, which run at the same time.
    @Test(arguments: 0..<4) func requestsCutAtEveryByte(_ part: Int) async throws {
        try await Self.cut { counts in
            stride(from: part, through: counts.request, by: 4).map { .cutRequest(after: $0) }
        }
    }

    @Test(arguments: 0..<4) func answersCutAtEveryByte(_ part: Int) async throws {
        try await Self.cut { counts in
            stride(from: part, through: counts.answer, by: 4).map { .cutAnswer(after: $0) }
        }
    }
}
