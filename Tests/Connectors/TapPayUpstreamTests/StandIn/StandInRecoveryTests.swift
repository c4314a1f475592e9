//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
import Payments
import TestGateway
import TestUpstream
import Testing

@testable import TapPayUpstream

/// What nobody heard the end of, at TapPay's stand-in: it is found, or taken back, and never done twice.
@Suite struct StandInRecoveryTests {
    /// How the answer of a call that was done is lost.
    enum Loss: String, CaseIterable, Sendable {
        case late, number421, number422, number915, number936, http502, http504, page, halfAnAnswer

        var fault: StandInFault {
            switch self {
            case .late: .late
            case .number421: .doneWith(status: 421)
            case .number422: .doneWith(status: 422)
            case .number915: .doneWith(status: 915)
            case .number936: .doneWith(status: 936)
            case .http502: .http(502)
            case .http504: .http(504)
            case .page: .text("<html><body>Service Unavailable</body></html>")
            case .halfAnAnswer: .text(#"{"status":0,"msg":"Succ"#)
            }
        }
    }

    // MARK: - It was done

    @Test(arguments: Loss.allCases) func lostPaymentIsFound(_ loss: Loss) async throws {
        try await StandInFront.with { front, vendor in
            for isSale in [false, true] {
                vendor.set(loss.fault, of: .pay)
                let paid = try await front.pay(350, sale: isSale)
                #expect(paid.operation.state == .unknown)
                try await front.recoverToAgreement()
                #expect(try await front.state(of: paid.operation) == .succeeded)
            }
            #expect(vendor.trades.count == 2)
        }
    }

    /// A capture is planned for the evening; until then it is accepted, and then it is done.
    @Test(arguments: Loss.allCases) func lostCaptureIsFound(_ loss: Loss) async throws {
        try await StandInFront.with { front, vendor in
            let payment = try await front.pay(350).payment
            vendor.set(loss.fault, of: .capture)
            let capture = try await front.follow(.capture(nil, isFinal: true), of: payment)
            #expect(capture.state == .unknown)
            await front.test.recover()
            #expect(try await front.state(of: capture) == .accepted)
            vendor.evening()
            front.test.clock.advance(seconds: 86_400)
            try await front.recoverToAgreement()
            #expect(try await front.state(of: capture) == .succeeded)
        }
    }

    @Test(arguments: Loss.allCases) func lostRefundIsFound(_ loss: Loss) async throws {
        try await StandInFront.with { front, vendor in
            let payment = try await front.captured(350)
            vendor.set(loss.fault, of: .refund)
            let refund = try await front.refund(100, of: payment)
            #expect(refund.state == .unknown)
            try await front.recoverToAgreement()
            #expect(try await front.state(of: refund) == .succeeded)
            #expect(vendor.trades.map(\.taken) == [250])
        }
    }

    @Test(arguments: Loss.allCases) func lostVoidsAreFound(_ loss: Loss) async throws {
        try await StandInFront.with { front, vendor in
            let held = try await front.pay(350).payment
            vendor.set(loss.fault, of: .refund)
            _ = try await front.follow(.void(nil), of: held)
            try await front.recoverToAgreement()

            let payment = try await front.pay(350).payment
            let capture = try await front.follow(.capture(nil, isFinal: true), of: payment)
            vendor.set(loss.fault, of: .cancelCapture)
            _ = try await front.follow(.void(.operation(capture.id)), of: payment)
            try await front.recoverToAgreement()

            let taken = try await front.captured(200)
            let refund = try await front.refund(100, of: taken)
            vendor.set(loss.fault, of: .cancelRefund)
            _ = try await front.follow(.void(.operation(refund.id)), of: taken)
            try await front.recoverToAgreement()
            #expect(vendor.trades.map(\.held) == [0, 350, 0])
            #expect(vendor.trades.map(\.taken) == [0, 0, 200])
        }
    }

    // MARK: - It was not done

    /// Lost on its way, or refused by a machine in between that does not say whether TapPay has it.
    @Test(arguments: StandInEndpoint.allCases, [StandInFault.silent, .httpBefore(500), .httpBefore(503)])
    func whatNeverArrivedEndsOnceItIsQuiet(_ endpoint: StandInEndpoint, _ fault: StandInFault) async throws {
        try await StandInFront.with { front, vendor in
            let payment = try await front.captured(350)
            let refund = try await front.refund(100, of: payment)
            let planned = try await front.pay(70).payment
            let capture = try await front.follow(.capture(nil, isFinal: true), of: planned)
            vendor.set(fault, of: endpoint)
            let second = try await front.pay(120).payment
            _ = try? await front.follow(.capture(nil, isFinal: true), of: second)
            _ = try? await front.refund(50, of: payment)
            _ = try? await front.follow(.void(.operation(refund.id)), of: payment)
            _ = try? await front.follow(.void(.operation(capture.id)), of: planned)
            await front.test.recover()
            vendor.evening()
            front.test.clock.advance(seconds: 86_400)
            try await front.recoverToAgreement()
        }
    }

    // MARK: - It is listed later

    /// TapPay's list may show a new trade late. Within the quiet time nothing is concluded from its absence.
    @Test(arguments: [1, 2, 3]) func paymentThatIsListedLateIsFound(_ count: Int) async throws {
        try await StandInFront.with { front, vendor in
            vendor.set(.late, of: .pay)
            let paid = try await front.pay(350)
            vendor.set { $0.hiddenFromQuery = count }
            front.test.clock.advance(seconds: 59)
            for _ in 0..<count {
                _ = await front.test.gateway.recover()
                #expect(try await front.state(of: paid.operation) == .unknown)
            }
            try await front.recoverToAgreement()
            #expect(try await front.state(of: paid.operation) == .succeeded)
        }
    }

    @Test(arguments: [1, 2]) func refundThatIsListedLateIsFound(_ count: Int) async throws {
        try await StandInFront.with { front, vendor in
            let payment = try await front.captured(350)
            vendor.set(.late, of: .refund)
            let refund = try await front.refund(100, of: payment)
            vendor.set { $0.hiddenFromHistory = count }
            try await front.recoverToAgreement()
            #expect(try await front.state(of: refund) == .succeeded)
        }
    }

    // MARK: - It is sent twice

    @Test(
        arguments: [
            StandInQuirks.Repeats.refused(6001), .refused(10006), .refused(10013), .answeredAgain,
        ], [true, false])
    func requestThatArrivesTwiceIsBookedOnce(
        _ repeats: StandInQuirks.Repeats, _ primesPayOnce: Bool
    ) async throws {
        try await StandInFront.with { front, vendor in
            vendor.set { quirks in
                quirks.repeats = repeats
                quirks.primesPayOnce = primesPayOnce
            }
            let payment = try await front.captured(350)
            front.proxy.set(.repeatRequest)
            let paid = try await front.pay(120).operation
            let refund = try await front.refund(100, of: payment)
            front.proxy.set(.none)
            try await front.recoverToAgreement()
            #expect(try await front.state(of: paid) == .succeeded)
            #expect(try await front.state(of: refund) == .succeeded)
            #expect(vendor.trades.count == 2)
            #expect(vendor.trades.map(\.refunds.count) == [1, 0])
        }
    }

    /// The bank's own number for a name that it has, where the answer that said "done" was another call's.
    @Test(arguments: [6001, 10006, 10013, 121, 10005] as [Int64])
    func refusalOfAPaymentThatStandsIsNoDecline(_ status: Int64) async throws {
        try await StandInFront.with { front, vendor in
            vendor.set(.doneWith(status: status), of: .pay)
            let paid = try await front.pay(350)
            #expect(paid.operation.state == .succeeded)
            try await front.expectAgreement()
        }
    }

    @Test(arguments: [4014, 10011, 10051, 11000, 10010, 10024, 6001, 10005] as [Int64])
    func refusalOfARefundThatStandsIsNoDecline(_ status: Int64) async throws {
        try await StandInFront.with { front, vendor in
            let payment = try await front.captured(350)
            vendor.set(.doneWith(status: status), of: .refund)
            #expect(try await front.refund(100, of: payment).state == .succeeded)
            try await front.expectAgreement()
        }
    }

    // MARK: - The books can differ

    /// A service that books a repeat is found out: else none of these tests would say anything.
    @Test func comparisonFindsWhatWasBookedTwice() async throws {
        try await StandInFront.with { front, vendor in
            vendor.set { quirks in
                quirks.repeats = .booked
                quirks.primesPayOnce = false
            }
            let payment = try await front.captured(350)
            try await front.expectAgreement()
            front.proxy.set(.repeatRequest)
            _ = try await front.pay(70)
            let refund = try await front.refund(100, of: payment)
            front.proxy.set(.none)
            await front.test.recover()
            // Both copies are done before the answer of a later call comes.
            _ = try await front.pay(120)
            #expect(vendor.trades.map(\.amount).sorted() == [70, 70, 120, 350])
            #expect(vendor.trades.first?.refunds.count == 2)
            #expect(try await front.differences().count == 2)
            #expect(try await front.state(of: refund) != nil)
        }
    }

    @Test func comparisonFindsWhatNobodyAskedFor() async throws {
        try await StandInFront.with { front, vendor in
            _ = try await front.captured(350)
            vendor.change { $0.capture = .none }
            #expect(try await front.differences().count == 2)
            vendor.change { $0.capture = .done }
            try await front.expectAgreement()
            vendor.change { $0.standing = .takenBack }
            #expect(try await front.differences().count == 1)
        }
    }
}
