//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import DialectKit
import Foundation
import Logging
import Money
import Payments
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing
import WalletSimulator

/// The suite of all dialects finds what is wrong: laws that nothing can break would be no laws.
@Suite struct SuiteFindsFaultsTests {
    private static func isApplicable(_ law: DialectLaw) -> Bool { ConformanceTests.suite.notApplicable[law] == nil }

    /// Where approvals are read as declines, and so on round.
    @Test(arguments: DialectLaw.allCases.filter(Self.isApplicable))
    func everyLawFindsWrongVerdicts(_ law: DialectLaw) async throws {
        let rotated: [DialectVerdict: DialectVerdict] = [
            .approved: .declined, .declined: .pending, .pending: .refused, .refused: .approved,
        ]
        var driver = SpoiledDriver()
        driver.reading = { answer in
            var answer = answer
            answer.verdict = rotated[answer.verdict] ?? answer.verdict
            return answer
        }
        await #expect(throws: DialectLawBroken.self) { try await DialectConformance(driver).check(law) }
    }

    /// Where whatever is refused is read as approved.
    @Test(arguments: DialectLaw.allCases.filter { $0.rawValue.hasPrefix("refuses") && Self.isApplicable($0) })
    func refusalsMustBeRefusals(_ law: DialectLaw) async throws {
        var driver = SpoiledDriver()
        driver.reading = { answer in
            var answer = answer
            if answer.verdict == .refused { answer.verdict = .approved }
            return answer
        }
        await #expect(throws: DialectLawBroken.self) { try await DialectConformance(driver).check(law) }
    }

    /// Where nobody says that an outcome is not known.
    @Test(
        arguments: DialectLaw.allCases.filter { $0.rawValue.contains("Payment") && $0.rawValue.hasPrefix("takesBack") })
    func unknownOutcomesMustBeReportedAsSuch(_ law: DialectLaw) async throws {
        var driver = SpoiledDriver()
        driver.reading = { answer in
            var answer = answer
            if answer.verdict == .pending { answer.verdict = .declined }
            return answer
        }
        await #expect(throws: DialectLawBroken.self) { try await DialectConformance(driver).check(law) }
    }

    /// A repeat that is another request books a second refund.
    @Test(arguments: [DialectLaw.answersRepeatedFollowUpAlike, .booksConcurrentRefundsOnce])
    func aRefundThatIsBookedTwiceIsFound(_ law: DialectLaw) async throws {
        var driver = SpoiledDriver()
        driver.repeating = { request, shop in
            var other = request
            if request.path.hasSuffix("/refund"), var body = try JSON.parse(request.body).object {
                body["refundRequestId"] = .string(UUID().uuidString)
                other.body = JSON.object(body).serialized()
            }
            return try AlphaPayDriver().renewed(other, in: shop)
        }
        await #expect(throws: DialectLawBroken.self) { try await DialectConformance(driver).check(law) }
    }

    @Test(arguments: [DialectLaw.notifiesUntilAcknowledged, .notifiesInOrder, .recoversPaymentWhoseAnswerWasLost])
    func wrongNotificationsAreFound(_ law: DialectLaw) async throws {
        var driver = SpoiledDriver()
        driver.noticing = { DialectNotice($0.subject, .declined, amount: $0.amount) }
        driver.acknowledgement = (200, "")
        await #expect(throws: DialectLawBroken.self) { try await DialectConformance(driver).check(law) }
    }

    @Test func booksThatDisagreeAreFound() async throws {
        let shop = try await TestShop.open()
        _ = try await shop.paid(1000)
        #expect(try await shop.test.bookProblems().isEmpty)
        let payment = try #require(try await shop.test.payments().first)
        let authorization = try #require(payment.authorization)
        // Behind the gateway's back.
        let original = OriginalOperation(
            id: authorization.id, kind: authorization.kind, isSale: authorization.isSale, amount: authorization.amount,
            begunAt: authorization.begunAt, authorizedTotal: payment.authorizedAmount,
            capturedTotal: payment.capturedAmount)
        let outcome = await shop.test.acquirer.perform(
            AcquirerRequest(
                operationID: OperationID(at: shop.clock.now, random: Array(repeating: 7, count: 10)),
                paymentID: payment.id, merchantID: payment.merchantID,
                amount: Money(minorUnits: 300, currency: payment.amount.currency), begunAt: shop.clock.now,
                action: .refund(of: original, capture: nil)))
        guard case .approved = outcome else {
            Issue.record("the acquirer has booked nothing")
            return
        }
        #expect(try await shop.test.bookProblems().count == 1)
    }

    /// A log line that shows what it must not is found by the search that the scrub makes.
    @Test func whatIsLoggedIsFoundBySearch() async throws {
        let shop = try await TestShop.open()
        let token = try shop.test.mint(
            Money(minorUnits: 1000, currency: AlphaPayDriver().currency), for: shop.merchant)
        let scanner = try SecretScanner(shop.test.jar.secrets)
        #expect(scanner.leaks(in: Array(shop.log.text.utf8)).isEmpty)
        shop.log.logger.trace("token", metadata: ["body": "\(token.paymentDataText)"])
        shop.log.logger.trace("card \(SimulatedCard.visa.dpan)")
        let leaks = scanner.leaks(in: Array(shop.log.text.utf8))
        #expect(leaks.contains("card number (as it is)") && leaks.contains { $0.hasPrefix("token data (base64") })
    }

    @Test func aStoredSecretIsFoundBySearch() async throws {
        let shop = try await TestShop.open()
        let scanner = try SecretScanner([Secret("display name", "Demo Merchant")])
        let stored = try await shop.test.everythingStored()
        #expect(stored.contains { !scanner.leaks(in: $0).isEmpty })
    }
}
