//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import Testing
import Time

/// Recovery over acquirers that answer no queries and can't reverse what they do not know: PAYONE, Radial.
struct ReportingAcquirerTests {
    private static func upstream() async throws -> Upstream {
        let upstream = try await Upstream.open(["recovery": "reports"])
        upstream.shop.clock.advance(seconds: 1)
        return upstream
    }

    private static func shop(
        repeats: Bool, log: CapturedLog = CapturedLog()
    ) async throws -> (Shop, InterceptingAcquirer) {
        let shop = try await Shop.open { options in
            options.log = log.logger
            options.acquirer = { base in
                InterceptingAcquirer(base, base.capabilities.changed { $0.recovery = .reports(repeats: repeats) })
            }
        }
        return (shop, try #require(shop.acquirer as? InterceptingAcquirer))
    }

    private static func wait(_ shop: Shop, seconds: Int64, passes: Int = 1) async {
        for _ in 0..<passes {
            shop.clock.advance(seconds: seconds)
            _ = await shop.gateway.recover()
        }
    }

    @Test func lostAuthorizationIsNeitherAskedForNorReversed() async throws {
        let log = CapturedLog()
        let (shop, acquirer) = try await Self.shop(repeats: true, log: log)
        shop.script.append(.init(.authorize, .first(1), fault: .dropAfterBooking))
        let outcome = try await shop.authorize(money(10_00))
        await Self.wait(shop, seconds: 3700, passes: 5)
        #expect(acquirer.calls.map(\.name) == ["authorize"])
        #expect(try await shop.operation(outcome).state == .unknown)
        #expect(log.text.contains("pomona payments resolve \(outcome.operation.id)"))
    }

    @Test func lostAuthorizationEndsByReport() async throws {
        let upstream = try await Self.upstream()
        upstream.shop.script.append(.init(.authorize, .first(1), fault: .dropAfterBooking))
        let outcome = try await upstream.shop.authorize(money(10_00))
        await Self.wait(upstream.shop, seconds: 61, passes: 3)
        await upstream.report("approved", of: outcome.operation.id, ["amount": Upstream.json(money(10_00))])
        #expect(try await upstream.shop.payment(outcome.payment.id).state == .authorized)
        #expect(try await upstream.shop.recoveryJobs().isEmpty)
        #expect(try await upstream.problems() == [])
    }

    @Test func lostCaptureIsSentAgainWhereThatIsSafe() async throws {
        let (shop, acquirer) = try await Self.shop(repeats: true)
        let payment = try await shop.authorize(money(10_00)).payment.id
        shop.script.append(.init(.capture, .first(1), fault: .dropAfterBooking))
        let capture = try await shop.capture(nil, of: payment)
        #expect(capture.operation.state == .unknown)
        await Self.wait(shop, seconds: 61)
        #expect(acquirer.calls.map(\.name) == ["authorize", "capture", "capture"])
        #expect(try await shop.operation(capture).state == .succeeded)
        try await expectAgreement(shop)
    }

    @Test(arguments: [true, false])
    func lostCaptureIsNotSentAgainWhereItWouldCountTwice(_ isVoid: Bool) async throws {
        let (shop, acquirer) = try await Self.shop(repeats: false)
        let payment = try await shop.authorize(money(10_00)).payment.id
        shop.script.append(.init(isVoid ? .reverse : .capture, .first(1), fault: .dropAfterBooking))
        let lost = isVoid ? try await shop.void(payment) : try await shop.capture(nil, of: payment)
        let callsCount = acquirer.calls.count
        await Self.wait(shop, seconds: 3700, passes: 3)
        #expect(acquirer.calls.count == callsCount)
        #expect(try await shop.operation(lost).state == .unknown)
    }

    /// It is looked at ever more seldom, up to an hour apart: a person may take a day.
    @Test func waitsEverLonger() async throws {
        let (shop, _) = try await Self.shop(repeats: false)
        shop.script.append(.init(.authorize, .first(1), fault: .dropAfterBooking))
        _ = try await shop.authorize(money(10_00))
        await Self.wait(shop, seconds: 86_400)
        let job = try #require(try await shop.recoveryJobs().first)
        #expect(job.dueAt == shop.clock.now.adding(seconds: 3600))
    }

    /// A settlement that nobody ever reports is no silence for ever.
    @Test func acceptedCaptureThatIsNeverReportedBecomesAnError() async throws {
        let log = CapturedLog()
        let (shop, acquirer) = try await Self.shop(repeats: true, log: log)
        let payment = try await shop.authorize(money(10_00)).payment.id
        shop.script.append(.init(.capture, .first(1), fault: .accept))
        let capture = try await shop.capture(nil, of: payment)
        #expect(capture.operation.state == .accepted)
        let lines = { log.lines.filter { $0.contains("its acquirer has not reported it") } }
        await Self.wait(shop, seconds: 86_400)
        #expect(lines().count == 1 && lines().allSatisfy { $0.hasPrefix("info") })
        await Self.wait(shop, seconds: 4 * 86_400)
        #expect(lines().last?.hasPrefix("error") == true)
        #expect(acquirer.calls.map(\.name) == ["authorize", "capture"])
        #expect(try await shop.operation(capture).state == .accepted)
    }

    /// Nor is one whose acquirer is asked again and again and never says.
    @Test func acceptedCaptureThatNoAnswerEndsBecomesAnError() async throws {
        let log = CapturedLog()
        let upstream = try await Upstream.open(log: log)
        let shop = upstream.shop
        let payment = try await shop.authorize(money(10_00)).payment.id
        shop.script.append(.init(.capture, .first(1), fault: .accept))
        shop.script.append(.init(.query, fault: .garbage))
        let capture = try await shop.capture(nil, of: payment)
        let lines = { log.lines.filter { $0.contains("its acquirer has not reported it") } }
        await Self.wait(shop, seconds: 86_400)
        #expect(lines().isEmpty)
        await Self.wait(shop, seconds: 4 * 86_400)
        #expect(lines().count == 1 && lines().allSatisfy { $0.hasPrefix("error") })
        #expect(try await shop.operation(capture).state == .accepted)
    }

    @Test func requestsAreCountedByWhatStands() async throws {
        let (shop, acquirer) = try await Self.shop(repeats: true)
        let payment = try await shop.authorize(money(10_00)).payment.id
        _ = try await shop.capture(money(1_00), of: payment)
        shop.script.append(.init(.capture, .nth(2), fault: .decline(.systemError)))
        _ = try await shop.capture(money(2_00), of: payment)
        _ = try await shop.capture(money(3_00), of: payment)
        #expect(acquirer.calls.compactMap(\.request).map(\.ordinal) == [1, 2, 3, 3])
    }

    /// A person says that it came to nothing: what had been accepted was counted by its acquirer, what never arrived was not.
    @Test(arguments: [(SimulatorFault.accept, 3), (.dropBeforeBooking, 2)])
    func numberOfWhatAPersonHasDecidedIsFreeWhereItNeverArrived(_ fault: SimulatorFault, _ next: Int) async throws {
        let (shop, acquirer) = try await Self.shop(repeats: true)
        let payment = try await shop.authorize(money(10_00)).payment.id
        shop.script.append(.init(.capture, .first(1), fault: fault))
        let lost = try await shop.capture(money(1_00), of: payment)
        shop.clock.advance(seconds: 3600)
        let decided = try await shop.gateway.administration.decide(lost.operation.id, .failed, reason: "not there")
        let failure: OperationFailure = fault == .accept ? .declined(.unspecified) : .notProcessed(.neverArrived)
        #expect(decided.operation(lost.operation.id)?.state == .failed(failure))
        #expect(decided.capturableAmount == money(10_00))
        _ = try await shop.capture(money(1_00), of: payment)
        #expect(acquirer.calls.compactMap(\.request).map(\.ordinal) == [1, 2, next])
        #expect(try await shop.payment(payment).capturedAmount == money(1_00))
    }
}
