//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import PassKit
import Testing
import WalletSimulator

@testable import TPDirect

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What goes wrong between the sheet and the result.
@MainActor @Suite struct InterruptionTests {
    @Test func cancelledSheetIsCancelled() async throws {
        let counter = try Counter()
        let (_, sheet) = try await counter.started()
        sheet.cancel()
        sheet.cancel()
        #expect(counter.recorder.events.suffix(2) == [.finished, .cancelled])
        #expect(counter.recorder.events.count(where: { $0 == .finished }) == 1)
        #expect(sheet.state == .dismissed)
    }

    @Test func aPrimeThatComesAfterTheCancellationIsDropped() async throws {
        let counter = try Counter()
        let (applePay, sheet) = try await counter.started()
        try sheet.authorize()
        await counter.gateway.arrival(of: 1)
        sheet.cancel()
        let events = counter.recorder.events
        #expect(events.suffix(2) == [.finished, .cancelled])
        // The same payment again: the late prime of the first must not be taken for the second's.
        await counter.wallet.inHand { applePay.startPayment() }
        let again = try #require(counter.wallet.sheet)
        try again.authorize()
        await counter.gateway.arrival(of: 2)
        counter.gateway.answer(.prime("late"))
        counter.gateway.answer(.prime("second"))
        await counter.recorder.heard(.prime("second"))
        #expect(!counter.recorder.events.contains(.prime("late")))
    }

    @Test(arguments: [true, false])
    func aSheetThatGoesAfterThePrimeIsNoCancellation(_ isSuccess: Bool) async throws {
        let counter = try Counter(ScriptedGateway(.prime("p1")))
        let (applePay, sheet) = try await counter.started()
        try sheet.authorize()
        await counter.recorder.heard(.prime("p1"))
        sheet.disappear()
        #expect(counter.recorder.events.last == .finished)
        #expect(!counter.recorder.events.contains(.cancelled))
        // The server answers late; the app hears how it ended all the same.
        applePay.showPaymentResult(isSuccess)
        #expect(counter.recorder.events.last == (isSuccess ? .succeeded(amount: "100") : .failed(-1)))
        applePay.showPaymentResult(!isSuccess)
        #expect(counter.recorder.events.count == 6)
    }

    @Test func aResultThatNeverComesIsNeverMadeUp() async throws {
        let counter = try Counter(ScriptedGateway(.prime("p1")))
        let (applePay, sheet) = try await counter.started()
        try sheet.authorize()
        await counter.recorder.heard(.prime("p1"))
        sheet.disappear()
        await counter.wallet.inHand { applePay.startPayment() }
        #expect(counter.recorder.events.last == .finished)
        #expect(counter.wallet.sheet === sheet)
        #expect(applePay.session.flow.phase == .authorizing(.awaitingResultWithoutSheet))
    }

    @Test func theFirstResultCounts() async throws {
        let counter = try Counter(ScriptedGateway(.prime("p1")))
        let (applePay, sheet) = try await counter.started()
        applePay.showPaymentResult(true)
        try sheet.authorize()
        await counter.recorder.heard(.prime("p1"))
        applePay.showPaymentResult(false)
        applePay.showPaymentResult(true)
        #expect(sheet.state == .showing(.failure))
        sheet.cancel()
        #expect(counter.recorder.events.suffix(2) == [.finished, .failed(-1)])
    }

    @Test func aSecondAuthorizationMeanwhileIsRefused() async throws {
        let counter = try Counter()
        let (_, sheet) = try await counter.started()
        try sheet.authorize()
        let second = try sheet.authorizeAgain()
        #expect(await second.value == .failure)
        await counter.gateway.arrival(of: 1)
        counter.gateway.answer(.prime("p1"))
        await counter.recorder.heard(.prime("p1"))
        #expect(counter.gateway.requests.count == 1)
        #expect(sheet.state == .authorizing)
    }

    @Test func startingTwiceShowsOneSheet() async throws {
        let counter = try Counter()
        let (applePay, sheet) = try await counter.started()
        await counter.wallet.inHand { applePay.startPayment() }
        #expect(counter.wallet.sheet === sheet)
        #expect(counter.recorder.events.count(where: { $0 == .started }) == 1)
    }

    @Test func aRefusedAuthorizationMayBeTriedAgain() async throws {
        let counter = try Counter(ScriptedGateway(.prime("p1")))
        counter.recorder.canAuthorize = false
        let (_, sheet) = try await counter.started()
        try sheet.authorize()
        #expect(sheet.state == .showing(.failure))
        #expect(counter.gateway.requests.isEmpty)
        counter.recorder.canAuthorize = true
        try sheet.authorize()
        await counter.recorder.heard(.prime("p1"))
    }

    @Test func aRefusedAuthorizationThatIsLeftIsCancelled() async throws {
        let counter = try Counter()
        counter.recorder.canAuthorize = false
        let (_, sheet) = try await counter.started()
        try sheet.authorize()
        sheet.cancel()
        #expect(counter.recorder.events.last == .cancelled)
    }

    // MARK: The network

    @Test func aFailureOfTheGatewaysIsReportedAndMayBeTriedAgain() async throws {
        let counter = try Counter(ScriptedGateway(.code(13002, "disabled"), .prime("p2")))
        counter.recorder.showsResult = true
        let (_, sheet) = try await counter.started()
        try sheet.authorize()
        #expect(await sheet.result() == .failure)
        try sheet.authorize()
        await counter.recorder.heard(.prime("p2"))
        sheet.finishShowing()
        #expect(counter.recorder.events.last == .succeeded(amount: "100"))
        let tokens = counter.gateway.requests.map(\.httpBody)
        #expect(tokens.count == 2)
        #expect(tokens[0] != tokens[1])
    }

    @Test func aFailureThatIsLeftIsReportedWithItsCode() async throws {
        let counter = try Counter(ScriptedGateway(.code(13002, "disabled")))
        let (_, sheet) = try await counter.started()
        try sheet.authorize()
        #expect(await sheet.result() == .failure)
        sheet.cancel()
        #expect(counter.recorder.events.suffix(2) == [.finished, .failed(13002)])
        #expect(counter.recorder.result?.message == "disabled")
    }

    @Test(arguments: [
        URLError.Code.notConnectedToInternet, .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost,
    ])
    func aRequestThatNeverLeftIsRepeatedOnce(_ code: URLError.Code) async throws {
        let counter = try Counter(ScriptedGateway(.error(code), .prime("p1")))
        let (_, sheet) = try await counter.started()
        try sheet.authorize()
        await counter.recorder.heard(.prime("p1"))
        let bodies = counter.gateway.requests.map(\.httpBody)
        #expect(bodies.count == 2)
        #expect(bodies[0] == bodies[1])
    }

    @Test func itIsRepeatedNoThirdTime() async throws {
        let counter = try Counter(ScriptedGateway(.error(.cannotFindHost), .error(.cannotFindHost), .prime("p1")))
        let (_, sheet) = try await counter.started()
        try sheet.authorize()
        #expect(await sheet.result() == .failure)
        #expect(counter.gateway.requests.count == 2)
    }

    @Test(arguments: [
        (URLError.Code.timedOut, 421), (.networkConnectionLost, 421), (.cannotParseResponse, 421),
        (.secureConnectionFailed, 1002), (.clientCertificateRejected, 1002), (.serverCertificateUntrusted, 1003),
        (.serverCertificateHasBadDate, 1003), (.serverCertificateNotYetValid, 1003),
        (.serverCertificateHasUnknownRoot, 1003),
    ])
    func aRequestThatMayHaveLeftIsNotRepeated(_ code: URLError.Code, _ status: Int) async throws {
        let counter = try Counter(ScriptedGateway(.error(code), .prime("p1")))
        let (_, sheet) = try await counter.started()
        try sheet.authorize()
        #expect(await sheet.result() == .failure)
        #expect(counter.gateway.requests.count == 1)
        sheet.cancel()
        #expect(counter.recorder.events.last == .failed(status))
    }

    // MARK: Who holds whom

    @Test func thePaymentHoldsItselfAndItsDelegateWhileItIsUnderWay() async throws {
        let counter = try Counter(ScriptedGateway(.prime("p1")))
        weak var applePay: TPDApplePay?
        weak var delegate: Recorder?
        func start() async {
            let recorder = Recorder()
            recorder.showsResult = true
            let payment = counter.applePay(delegate: recorder)
            applePay = payment
            delegate = recorder
            await counter.wallet.inHand { payment.startPayment() }
        }
        await start()
        let sheet = try #require(counter.wallet.sheet)
        try sheet.authorize()
        #expect(await sheet.result() == .success)
        #expect(applePay != nil)
        #expect(delegate?.events.contains(.prime("p1")) == true)
        sheet.finishShowing()
        #expect(delegate == nil)
        #expect(applePay == nil)
    }

    @Test func aDelegateThatIsTakenAwayEndsThePayment() async throws {
        let counter = try Counter()
        let (applePay, sheet) = try await counter.started()
        try sheet.authorize()
        await counter.gateway.arrival(of: 1)
        applePay.delegate = nil
        #expect(sheet.state == .dismissed)
        #expect(applePay.session.flow.phase == .finished)
        counter.gateway.answer(.prime("late"))
        #expect(!counter.recorder.events.contains(.prime("late")))
    }

    @Test func anotherDelegateTakesOver() async throws {
        let counter = try Counter(ScriptedGateway(.prime("p1")))
        let (applePay, sheet) = try await counter.started()
        let other = Recorder()
        applePay.delegate = other
        try sheet.authorize()
        await other.heard(.prime("p1"))
        #expect(!counter.recorder.events.contains(.prime("p1")))
    }
}
