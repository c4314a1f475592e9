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

    /// How recovery ends a sale: it asks, and takes back what the answer leaves open (`Gateway/UseCases/Recovery`).
    ///
    /// - Parameter settle: has the other gateway end what it does not know itself.
    /// - Returns: whether the sale stands; `nil` where it does not end.
    private static func recover(
        _ request: AcquirerRequest, _ outcome: AcquirerOutcome, _ acquirer: any Acquirer,
        settle: () async -> Void = {}
    ) async -> Bool? {
        await settle()
        let query = request.asQuery
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
                merchantID: request.merchantID, amount: request.amount, begunAt: Bench.at,
                action: .reverse(query.original))
            guard case .approved = await acquirer.perform(reversal) else {
                await settle()
                continue
            }
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
        let request = Bench.authorization(1, amount, captures: true)
        let stands = try await other.withAcquirer(settings: Self.settings) { acquirer in
            let outcome = await acquirer.perform(request)
            return await Self.recover(request, outcome, acquirer) { await other.test.recover() }
        }
        let booked = try await other.positions()[request.operationID.text]
        #expect(Self.agrees(stands, booked, amount), "\(String(describing: stands)) \(String(describing: booked))")
        #expect(try await other.test.bookProblems().isEmpty)
    }

    // MARK: - What goes wrong on the way

    private struct Sales: FaultSubject {
        let other: OtherGateway
        /// What is in the messages is the same as in other payments' (``FaultTests``).
        var placesStride: Int { 5 }

        func acquirer(_ client: UpstreamClient, port: Int) throws -> any Acquirer {
            try MPGSConnector(client: client).open(
                Bench.account(host: "http://127.0.0.1:\(port)", settings: SaleOfTwoCallsTests.settings))
        }

        func operation(_ number: Int, _ sound: any Acquirer) async throws -> AcquirerRequest {
            Bench.authorization(number, try Bench.money(3010), captures: true)
        }

        func positions() async throws -> [String: SimulatorPosition] { try await self.other.positions() }

        /// What is taken, and what is still held, which nothing may be.
        func booked(of request: AcquirerRequest, in positions: [String: SimulatorPosition]) -> Money? {
            positions[request.operationID.text].map { $0.captured + $0.held }
        }

        func find(
            _ request: AcquirerRequest, after outcome: AcquirerOutcome, _ sound: any Acquirer
        ) async -> AcquirerQueryOutcome? {
            // What is approved is not recovered.
            if case .approved = outcome { return await sound.query(request.asQuery) }
            return switch await SaleOfTwoCallsTests.recover(request, outcome, sound) {
            case true: await sound.query(request.asQuery)
            case false: .notFound
            case nil: .unknown(.unclear("without_an_end"))
            }
        }

        /// An authorization whose answer says something else is taken back.
        func allows(_ finding: FaultFinding) -> Bool {
            switch (finding.fault, finding.outcome) {
            case (.garbleAnswer, .declined): finding.isNothingBooked
            default: finding.isOfAnotherOrder
            }
        }
    }

    /// Cuts between the two calls leave authorizations without a capture, which are taken back.
    @Test(arguments: FaultLaw.allCases) func keeps(_ law: FaultLaw) async throws {
        let sales = Sales(other: try await OtherGateway.openWithoutPay())
        try await law.check(sales)
        #expect(try await sales.other.test.bookedCount(.reversal) > 0 || law == .repeatedRequestIsBookedOnce)
    }
}
