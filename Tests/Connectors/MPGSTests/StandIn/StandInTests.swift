//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import StrictJSON
import TestGateway
import TestUpstream
import Testing

@testable import MPGS

/// Answers with the vendor's quirks: after each of them the gateway's books are the stand-in's.
@Suite struct StandInTests {
    @Test(arguments: AnswerForm.allCases) func readsAnswersInEveryForm(_ form: AnswerForm) async throws {
        try await AtStandIn.with { at in
            at.standIn.set { $0.form = form }
            let paid = try await at.authorize(3010)
            #expect(paid.operation.state == .succeeded)
            let id = paid.payment.id
            #expect(try await at.capture(1000, of: id).operation.state == .succeeded)
            #expect(try await at.refund(250, of: id).operation.state == .succeeded)
            #expect(try await at.capture(500, isFinal: true, of: id).operation.state == .succeeded)
            // What the last capture left is given back.
            #expect(at.standIn.orders.map(\.authorized) == [1500])
            #expect(try await at.authorize(700, sale: true, card: 2).operation.state == .succeeded)
            at.standIn.next(.declined(gatewayCode: "INSUFFICIENT_FUNDS", acquirerCode: "51"))
            let declined = try await at.authorize(800, card: 3)
            #expect(declined.operation.state == .failed(.declined(.insufficientFunds)))
            try await at.expectAgreement()
        }
    }

    /// An answer without what says whose it is, how it ended or how much is none: the record is asked for.
    @Test(
        arguments: [
            ("order.id", "pay_1"), ("transaction.id", "1"), ("merchant", "TESTOTHER"), ("transaction.type", "REFUND"),
            ("transaction.currency", "EUR"), ("transaction.amount", 9), ("transaction.amount", .number("10.01")),
            ("result", "MAYBE"), ("result", nil), ("response.gatewayCode", "LATER"), ("response", nil),
            ("order", nil), ("transaction", nil),
        ] as [(String, JSON?)])
    func anAnswerWithoutItsFieldsIsNoOutcome(_ path: String, _ value: JSON?) async throws {
        try await AtStandIn.with { at in
            for step in StandInStep.allCases.prefix(2) {
                at.standIn.next(.changed(path: path, value))
                let paid = try await at.authorize(1000, sale: step == .sale, card: step == .sale ? 1 : 2)
                #expect(paid.operation.state == .unknown)
            }
            await at.front.test.recover()
            #expect(at.standIn.requestsCount == 2)
            try await at.expectAgreement()
            #expect(try await at.front.test.payments().allSatisfy { $0.authorizedAmount.minorUnits == 1000 })
        }
    }

    @Test(
        arguments: [
            "authorizationResponse", "gatewayEntryPoint", "risk", "sourceOfFunds", "version", "merchant",
            "order.status", "order.totalAuthorizedAmount", "response.acquirerCode", "response.acquirerMessage",
            "transaction.acquirer", "transaction.authorizationCode", "transaction.receipt", "transaction.stan",
        ])
    func whatSaysNothingAboutTheOutcomeMayBeMissing(_ path: String) async throws {
        try await AtStandIn.with { at in
            at.standIn.next(.changed(path: path, nil))
            #expect(try await at.authorize(1000).operation.state == .succeeded)
            try await at.expectAgreement()
        }
    }

    // MARK: - Open

    /// "If the gateway subsequently finds out about the success of the payment it will update the response code."
    @Test(
        arguments: [
            ("UNKNOWN", "ACQUIRER_SYSTEM_ERROR"), ("PENDING", "PENDING"), ("PENDING", "SUBMITTED"),
            ("SUCCESS", "SUBMITTED"), ("FAILURE", "TIMED_OUT"),
        ], [true, false])
    func whatIsOpenEndsAsTheGatewayFindsOut(_ shown: (String, String), _ approves: Bool) async throws {
        try await AtStandIn.with { at in
            for step in StandInStep.allCases {
                let id = try await step.begin(at)
                at.standIn.next(.open(result: shown.0, gatewayCode: shown.1, approves: approves))
                #expect(try await step.run(at, id).operation.state == .unknown)
                at.standIn.findOut()
                await at.front.test.recover()
                try await at.expectAgreement()
                if id == nil { return }
            }
        }
    }

    /// What nobody ever finds out is taken back.
    @Test(arguments: [false, true]) func whatStaysOpenIsTakenBack(_ sale: Bool) async throws {
        try await AtStandIn.with { at in
            at.standIn.next(.open(result: "UNKNOWN", gatewayCode: "ACQUIRER_SYSTEM_ERROR", approves: true))
            try await at.authorize(1000, sale: sale)
            await at.front.test.recover()
            #expect(at.standIn.orders.map(\.status) == ["CANCELLED"])
            try await at.expectAgreement()
        }
    }

    // MARK: - Errors

    private static let failures: [MPGSStandIn.Ending] =
        ["SERVER_BUSY", "SERVER_FAILED"].map(MPGSStandIn.Ending.errorAfterBooking)
        + [408, 409, 500, 502, 503, 504].map(MPGSStandIn.Ending.statusAfterBooking)

    @Test(arguments: Self.failures) func aFailureAfterTheBookingIsNoDecline(_ ending: MPGSStandIn.Ending) async throws {
        try await AtStandIn.with { at in
            let id = try await at.authorize(2000).payment.id
            for call in [at.capture, at.capture]
                as [@Sendable (Int64, Bool, PaymentID) async throws -> OperationOutcome]
            {
                at.standIn.next(ending)
                #expect(try await call(400, false, id).operation.state == .unknown)
                await at.front.test.recover()
            }
            at.standIn.next(ending)
            #expect(try await at.refund(100, of: id).operation.state == .unknown)
            await at.front.test.recover()
            #expect(at.standIn.requestsCount == 4)
            try await at.expectAgreement()
            #expect(at.standIn.orders.map(\.captured) == [800])
        }
    }

    @Test(arguments: ["SERVER_BUSY", "SERVER_FAILED", "REQUEST_REJECTED"], [400, 404])
    func anErrorBeforeTheBookingLeavesNothing(_ cause: String, _ notFoundStatus: Int) async throws {
        try await AtStandIn.with { at in
            at.standIn.set { $0.notFoundStatus = notFoundStatus }
            at.standIn.next(.error(cause: cause))
            try await at.authorize(1000)
            await at.front.test.recover()
            #expect(at.standIn.orders.isEmpty)
            try await at.expectAgreement()
        }
    }

    @Test func aLockedOrderIsAskedAgainUnderAnotherID() async throws {
        try await AtStandIn.with { at in
            let id = try await at.authorize(1000).payment.id
            at.standIn.next(.declined(gatewayCode: "LOCK_FAILURE", acquirerCode: "00"))
            #expect(try await at.capture(1000, of: id).operation.state == .failed(.notProcessed(.busy)))
            #expect(try await at.capture(1000, of: id).operation.state == .succeeded)
            try await at.expectAgreement()
        }
    }

    @Test func aPasswordChangedBetweenTwoRequestsLosesNothing() async throws {
        try await AtStandIn.with(secrets: ["password2": Bench.secondPassword]) { at in
            let id = try await at.authorize(1000).payment.id
            at.standIn.set { $0.passwords = [Bench.secondPassword] }
            #expect(try await at.capture(1000, of: id).operation.state == .succeeded)
            #expect(at.standIn.requestsCount == 2)
            at.standIn.set { $0.passwords = [] }
            #expect(try await at.refund(100, of: id).operation.state == .failed(.notProcessed(.notAuthorized)))
            try await at.expectAgreement()
        }
    }
}
