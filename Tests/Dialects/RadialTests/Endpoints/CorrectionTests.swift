//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import Payments
import SimulatorAcquirer
import Synchronization
import TestGateway
import Testing
import WalletSimulator

@testable import Radial

/// An order is authorized once more: after a check of the customer's address or security code has failed, and after it was
/// canceled.
@Suite struct CorrectionTests {
    private static let flag = "<isRequestToCorrectCVVOrAVSError>true</isRequestToCorrectCVVOrAVSError>"
    private static let wrongAddress = { @Sendable (body: String) in
        body.replacing("<PostalCode>19019", with: "<PostalCode>00000")
    }
    private static let corrected = { @Sendable (body: String) in
        body.replacing("<Features>", with: Self.flag + "<Features>")
    }

    /// A corrected request with a token of its own.
    private func correction(_ shop: RadialShop, request: String = "2", minorUnits: Int64 = 1499) throws -> String {
        Self.corrected(Sample.walletAuthorization(try shop.token(minorUnits), request: request))
    }

    private func send(_ shop: RadialShop, _ body: String) async throws -> Reply {
        try await shop.send("creditcard/auth/DW.xml", body)
    }

    /// Those that the acquirer has approved, also where they are taken back by now.
    private func authorizationsCount(_ shop: RadialShop) async throws -> Int {
        try await shop.test.book.entries().count { $0.kind == .authorization }
    }

    private func states(_ shop: RadialShop) async throws -> [PaymentState: Int] {
        try await shop.test.payments().reduce(into: [:]) { $0[$1.state, default: 0] += 1 }
    }

    @Test func aCorrectedAddressTakesTheFirstOnesPlace() async throws {
        let shop = try await RadialShop.open()
        let first = Self.wrongAddress(Sample.walletAuthorization(try shop.token(1499), request: "1"))
        let failed = try await self.send(shop, first)
        #expect(failed["ResponseCode"] == "APPROVED" && failed["AVSResponseCode"] == "N")
        let body = try self.correction(shop)
        let reply = try await self.send(shop, body)
        #expect(reply["ResponseCode"] == "APPROVED" && reply["AVSResponseCode"] == "Y")
        #expect(reply.accountToken != failed.accountToken && reply["PaymentContext/OrderId"] == "1")
        // Both are answered as they were, and nothing is done again.
        #expect(try await self.send(shop, body).response.body == reply.response.body)
        #expect(try await self.send(shop, first).response.body == failed.response.body)
        #expect(try await self.authorizationsCount(shop) == 2)
        #expect(try await shop.test.payments().filter { $0.state == .authorized }.count == 1)
        #expect(try await shop.events().isEmpty, "a cancellation that nobody asked for is not reported")
        #expect(try await shop.confirm(failed.accountToken, "14.99")["FundsAvailable"] == "Fail")
        #expect(
            try await shop.settle(failed.accountToken, "14.99", request: "s0").fault
                == "409 AuthorizationCanceledException")
        #expect(try await shop.cancel(failed.accountToken, "14.99", request: "c0")["ResponseCode"] == "Success")
        #expect(try await shop.settle(reply.accountToken, "14.99", request: "s1")["ResponseCode"] == "Success")
        #expect(try await self.send(shop, body).response.body == reply.response.body)
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    @Test func aCorrectedSecurityCodeTakesTheFirstOnesPlace() async throws {
        let shop = try await RadialShop.open()
        let pan = "4111111111111111"
        let path = "creditcard/auth/VC.xml"
        let failed = try await shop.send(path, Sample.cardAuthorization(pan, code: "000", request: "1"))
        #expect(failed["ResponseCode"] == "APPROVED" && failed["CVV2ResponseCode"] == "N")
        let again = Sample.cardAuthorization(pan, request: "2")
        #expect(try await shop.send(path, again).fault == "409 OrderAlreadyAuthorizedException")
        let body = again.replacing("AVSError>false<", with: "AVSError>1<")
        #expect(try await shop.send(path, body)["CVV2ResponseCode"] == "M")
        #expect(try await self.states(shop) == [.authorized: 1, .voided: 1])
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// It can be wrong more than once.
    @Test func aCorrectionIsCorrected() async throws {
        let shop = try await RadialShop.open()
        _ = try await shop.authorize(1499, request: "1", change: Self.wrongAddress)
        for request in ["2", "3"] {
            let reply = try await self.send(shop, Self.wrongAddress(try self.correction(shop, request: request)))
            #expect(reply["AVSResponseCode"] == "N")
        }
        #expect(try await self.send(shop, try self.correction(shop, request: "4"))["AVSResponseCode"] == "Y")
        #expect(try await self.states(shop) == [.authorized: 1, .voided: 3])
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// The flag alone gives nothing back.
    @Test func onlyAFailedCheckOfWhatIsHeldIsCorrected() async throws {
        let shop = try await RadialShop.open()
        _ = try await shop.authorize(1499, request: "1")
        #expect(try await self.send(shop, try self.correction(shop)).fault == "409 OrderAlreadyAuthorizedException")
        let settled = try await shop.authorize(2000, order: "2", request: "3", change: Self.wrongAddress)
        let debit = try await shop.settle(settled.accountToken, "5.00", order: "2", request: "s")
        #expect(debit["ResponseCode"] == "Success")
        let late = try self.correction(shop, request: "4").replacing("<OrderId>1<", with: "<OrderId>2<")
        #expect(try await self.send(shop, late).fault == "409 OrderAlreadyAuthorizedException")
        let unknown = try await shop.authorize(5858, order: "3", request: "5", change: Self.wrongAddress)
        #expect(unknown["ResponseCode"] == "TIMEOUT")
        let early = try self.correction(shop, request: "6").replacing("<OrderId>1<", with: "<OrderId>3<")
        #expect(try await self.send(shop, early).fault == "409 AuthorizationInProcessException")
        #expect(try await shop.test.payments().allSatisfy { $0.state != .voided })
    }

    /// Nothing is given back for a request that is refused.
    @Test func aRefusedCorrectionLeavesTheFirstOne() async throws {
        let shop = try await RadialShop.open()
        let token = try shop.token(1499)
        _ = try await self.send(shop, Self.wrongAddress(Sample.walletAuthorization(token, request: "1")))
        let forged = try shop.token(1499, options: .forged(.messageDigestWrong))
        for (used, fault) in [
            (token, "409 ApplePayTokenReplayedException"), (forged, "400 ApplePayTokenNotTrustedException"),
        ] {
            let reply = try await self.send(shop, Self.corrected(Sample.walletAuthorization(used, request: "2")))
            #expect(reply.fault == fault)
        }
        #expect(try await shop.test.payments().map(\.state) == [.authorized])
        #expect(shop.test.script.count(of: .reverse) == 0)
        #expect(try await self.send(shop, try self.correction(shop, request: "2"))["ResponseCode"] == "APPROVED")
    }

    /// An order whose first authorization may still hold its money gets no second one.
    @Test(arguments: [SimulatorFault.dropAfterBooking, .accept, .garbage])
    func whileTheVoidIsUnknownNothingIsAuthorized(fault: SimulatorFault) async throws {
        let shop = try await RadialShop.open()
        _ = try await shop.authorize(1499, request: "1", change: Self.wrongAddress)
        shop.test.script.append(.init(.reverse, .nth(1), fault: fault))
        let body = try self.correction(shop)
        for _ in 1...2 { #expect(try await self.send(shop, body).fault == "409 OperationInProcessException") }
        #expect(try await self.authorizationsCount(shop) == 1)
        // Nor does one that says nothing of a correction.
        #expect(try await shop.authorize(1499, request: "3").fault == "409 OperationInProcessException")
        await shop.test.recover()
        #expect(try await self.send(shop, body)["ResponseCode"] == "APPROVED")
        #expect(try await self.states(shop) == [.authorized: 1, .voided: 1])
        let voided = try await shop.test.payments().first { $0.state == .voided }
        #expect(voided?.operations.filter { $0.kind == .void }.count == 1)
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    @Test func aDeclinedVoidLeavesTheFirstOne() async throws {
        let shop = try await RadialShop.open()
        _ = try await shop.authorize(1499, request: "1", change: Self.wrongAddress)
        shop.test.script.append(.init(.reverse, .nth(1), fault: .decline(.unspecified)))
        let body = try self.correction(shop)
        #expect(try await self.send(shop, body).fault == "409 OrderAlreadyAuthorizedException")
        #expect(try await shop.test.payments().map(\.state) == [.authorized])
        // Sent again, it is tried again.
        #expect(try await self.send(shop, body)["ResponseCode"] == "APPROVED")
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// A shop that cancels what was given back waits for its event, as after any cancellation; `nil` is a void that has
    /// ended.
    @Test(arguments: [nil, SimulatorFault.dropAfterBooking, .accept])
    func aCancellationOfWhatIsGivenBackHasItsEvent(fault: SimulatorFault?) async throws {
        let shop = try await RadialShop.open(usesLists: false)
        let failed = try await shop.authorize(1499, request: "1", change: Self.wrongAddress)
        if let fault { shop.test.script.append(.init(.reverse, .nth(1), fault: fault)) }
        _ = try await self.send(shop, try self.correction(shop))
        let code = fault == nil ? "Success" : "Timeout"
        #expect(try await shop.cancel(failed.accountToken, "14.99", request: "c1")["ResponseCode"] == code)
        if fault != nil {
            #expect(try await shop.events().isEmpty, "nobody knows how it ends")
            #expect(try await shop.cancel(failed.accountToken, "14.99", request: "c2")["ResponseCode"] == code)
            await shop.test.recover()
        }
        // Once, and once more for who asks once more.
        for request in ["c3", "c4"] {
            let events = try await shop.events()
            #expect(events.map(\.name) == ["PaymentAuthCancelReply"])
            #expect(events.first?.child("ResponseCode")?.text == "Success")
            #expect(events.first?.child("Amount")?.text == "14.99")
            let again = try await shop.cancel(failed.accountToken, "14.99", request: request)
            #expect(again["ResponseCode"] == "Success")
        }
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// What could not be sent nobody has declined: a shop that is answered "in process" sends the same request again.
    @Test(arguments: NotProcessedReason.allCases)
    func aVoidThatWasNotProcessedIsTriedAgain(reason: NotProcessedReason) async throws {
        let shop = try await RadialShop.open()
        _ = try await shop.authorize(1499, request: "1", change: Self.wrongAddress)
        shop.test.script.append(.init(.reverse, .nth(1), fault: .refuse(reason)))
        let body = try self.correction(shop)
        let fault = reason.isRetryable ? "OperationInProcessException" : "OrderAlreadyAuthorizedException"
        #expect(try await self.send(shop, body).fault == "409 \(fault)")
        #expect(try await shop.test.payments().map(\.state) == [.authorized])
        #expect(try await self.send(shop, body)["ResponseCode"] == "APPROVED")
        #expect(try await self.states(shop) == [.authorized: 1, .voided: 1])
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// What the void has left of the call's time is the authorization's.
    @Test(arguments: [(29, true), (20, false)])
    func aVoidThatTakesTheCallsTimeLeavesTheOrderOpen(seconds: Int, isTooLate: Bool) async throws {
        let start = ContinuousClock.now
        let elapsed = Mutex(Duration.zero)
        let shop = try await RadialShop.open { $0.steadyClock = { start + elapsed.withLock { $0 } } }
        _ = try await shop.authorize(1499, request: "1", change: Self.wrongAddress)
        shop.test.script.append(
            .init(.reverse, .nth(1), beforeAnswer: { elapsed.withLock { $0 += .seconds(seconds) } }))
        let body = try self.correction(shop)
        let reply = try await self.send(shop, body)
        #expect(reply.fault == (isTooLate ? "409 OperationInProcessException" : "200 CreditCardAuthReply"))
        #expect(try await self.authorizationsCount(shop) == (isTooLate ? 1 : 2))
        #expect(try await self.send(shop, body)["ResponseCode"] == "APPROVED")
        #expect(try await self.states(shop) == [.authorized: 1, .voided: 1])
    }

    @Test(arguments: [true, false])
    func ofManyCorrectionsAtOnceOneAuthorizes(isSameRequest: Bool) async throws {
        let shop = try await RadialShop.open()
        _ = try await shop.authorize(1499, request: "1", change: Self.wrongAddress)
        let body = try self.correction(shop)
        let bodies = try (0..<12).map { isSameRequest ? body : try self.correction(shop, request: "r\($0)") }
        let faults = try await withThrowingTaskGroup(of: String.self) { group in
            for body in bodies { group.addTask { try await self.send(shop, body).fault } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        let expected: Set = [
            "200 CreditCardAuthReply", "409 OperationInProcessException", "409 AuthorizationInProcessException",
            "409 OrderAlreadyAuthorizedException",
        ]
        #expect(faults.isSubset(of: expected))
        // Those that came while the void was under way have begun nothing; so all may have, and the next is the one.
        _ = try await self.send(shop, body)
        #expect(try await shop.test.payments().filter { $0.state == .authorized }.count == 1)
        #expect(try await shop.test.payments().map(\.state).filter { $0 == .voided }.count == 1)
        #expect(try await self.authorizationsCount(shop) == 2)
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// The shop has accepted an order whose reply asked for nothing: a wallet's never shows what an acquirer says of a
    /// code.
    @Test(arguments: [
        ("N", "Y", false, true), ("Y", "N", true, true), ("Y", "N", false, false), ("Y", "Y", true, false),
    ])
    func onlyWhatTheReplyShowsIsAFailedCheck(
        address: String, securityCode: String, isCard: Bool, hasFailed: Bool
    ) async throws {
        let shop = try await RadialShop.open()
        let reply =
            isCard
            ? try await shop.send(
                "creditcard/auth/VC.xml", Sample.cardAuthorization("4111111111111111", request: "1"))
            : try await shop.authorize(1499, request: "1")
        #expect(reply["ResponseCode"] == "APPROVED")
        let made = try #require(try await shop.test.payments().first)
        let opening = try #require(made.opening)
        let answered = PaymentOperation(
            id: opening.id, kind: .authorization, amount: opening.amount, labels: opening.labels,
            begunAt: opening.begunAt, begunInVersion: 1, state: .succeeded, approvedAmount: opening.amount,
            answer: AcquirerAnswer(addressCheck: address, securityCodeCheck: securityCode),
            resolvedAt: opening.begunAt, resolvedInVersion: 2)
        let payment = Payment(
            id: made.id, merchantID: made.merchantID, mode: made.mode, dialect: made.dialect,
            acquirer: made.acquirer, accountID: made.accountID, orderID: made.orderID, amount: made.amount,
            instrument: made.instrument, createdAt: made.createdAt, version: 2, operations: [answered])
        #expect(payment.hasFailedCheck == hasFailed)
    }

    // MARK: - After a cancellation

    @Test func aCanceledOrderIsAuthorizedAgain() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(1499)
        _ = try await shop.cancel(token, "14.99")
        let reply = try await shop.authorize(1499, request: "2")
        #expect(reply["ResponseCode"] == "APPROVED" && reply.accountToken != token)
        #expect(try await shop.authorize(1499, request: "3").fault == "409 OrderAlreadyAuthorizedException")
        #expect(try await shop.settle(reply.accountToken, "14.99", request: "s")["ResponseCode"] == "Success")
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    @Test func anOrderIsNotAuthorizedWhileItIsBeingCanceled() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(1499)
        shop.test.script.append(.init(.reverse, .nth(1), fault: .dropBeforeBooking))
        #expect(try await shop.cancel(token, "14.99")["ResponseCode"] == "Timeout")
        #expect(try await shop.authorize(1499, request: "2").fault == "409 OperationInProcessException")
    }

    /// Money has moved: credited in full, the order is paid all the same.
    @Test func aCreditedOrderIsNotAuthorizedAgain() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(1499)
        _ = try await shop.settle(token, "14.99", request: "s1")
        _ = try await shop.settle(token, "14.99", "Credit", request: "s2")
        #expect(try await shop.authorize(1499, request: "2").fault == "409 OrderAlreadyAuthorizedException")
    }
}
