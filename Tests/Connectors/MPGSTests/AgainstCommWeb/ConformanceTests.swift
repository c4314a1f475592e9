//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerConformance
import Money
import Payments
import Redaction
import SimulatorAcquirer
import TestGateway
import TestUpstream
import Testing
import WalletSimulator

@testable import MPGS

/// The suite of every acquirer, over HTTP against another gateway that speaks CommWeb.
@Suite struct ConformanceTests {
    /// Laws with a clause that no acquirer with this API can keep.
    ///
    /// That the repeat of what was taken back is declined: the identical request has the identical answer there for
    /// ever, which is what makes repeats safe. ``TakingBackTests`` has the other clauses of each.
    ///
    /// That an authorization can't be raised after its last capture: the gateway knows no last capture.
    ///
    /// That repeats at the same moment are answered alike: one that comes while the first is worked on may be answered
    /// that the outcome is open. ``concurrentRepeatsAreBookedOnce()`` is what is left of it.
    static let others: Set<AcquirerLaw> = [
        .voidEndsAuthorization, .voidOfSaleEndsIt, .voidOfCaptureLeavesRoomForAnother,
        .voidOfRefundLeavesRoomForAnother,
        .reversedCaptureLeavesRoomForAnother, .reversedRefundLeavesRoomForAnother, .reversedVerificationIsOver,
        .reversedAdjustmentLeavesTheTotalBeforeIt, .declinesAdjustmentAfterFinalCapture, .booksConcurrentRepeatsOnce,
    ]

    /// Accounts that sell in one call, and such as sell in two.
    @Test(arguments: AcquirerLaw.allCases.filter { !Self.others.contains($0) }, ["true", "false"])
    func keeps(_ law: AcquirerLaw, _ pay: String) async throws {
        let values = AcquirerTestValues(
            approvedAmount: try Bench.money(5000), declinedAmount: try Bench.money(5757),
            instrument: .networkToken(Bench.token()), at: Bench.at)
        let other = pay == "true" ? try await OtherGateway.open() : try await OtherGateway.openWithoutPay()
        try await other.withAcquirer(settings: ["pay": pay]) { acquirer in
            try await AcquirerConformance(values: values) { acquirer }.check(law)
        }
        #expect(try await other.test.bookProblems().isEmpty)
    }

    static let ofCustody: [AcquirerLaw] = [
        .sealedTokenArrivesAsItCame, .repeatedSealedTokenIsOnePayment, .reportsTheCardThatTheAcquirerReports,
    ]

    /// Accounts whose bank has the merchant's Apple Pay key, alone or beside this gateway.
    @Test(arguments: Self.ofCustody, ["sealedApplePayToken", "both"])
    func keepsWithTheBanksKey(_ law: AcquirerLaw, _ form: String) async throws {
        let (other, merchant) = try await OtherGateway.openWithKey()
        let amount = try Bench.money(5000)
        let minted = try other.test.mint(amount, for: merchant)
        let token = PaymentInstrument.sealedApplePayToken(
            SealedApplePayToken(
                paymentData: Redacted(Array(minted.paymentDataText.utf8)),
                transactionIdentifier: minted.transactionIdentifier))
        let values = AcquirerTestValues(
            approvedAmount: amount, declinedAmount: try Bench.money(5757), instrument: token, at: Bench.at,
            custody: try other.custody(of: token, reportsCard: true))
        try await other.withAcquirer(settings: ["form": form]) { acquirer in
            #expect(acquirer.capabilities.forms.contains(.sealedApplePayToken))
            try await AcquirerConformance(values: values) { acquirer }.check(law)
        }
        #expect(try await other.test.bookProblems().isEmpty)
    }

    @Test func concurrentRepeatsAreBookedOnce() async throws {
        let amount = try Bench.money(5000)
        let other = try await OtherGateway.open()
        try await other.withAcquirer { acquirer in
            let request = Bench.request(.authorize(Bench.charge()), amount, operation: Bench.authorizationID)
            await acquirer.expectOneApproval(of: request) { if case .unknown = $0 { true } else { false } }
        }
        #expect(try await other.test.bookProblems().isEmpty)
        #expect(try await other.test.bookedCount(.authorization) == 1)
    }
}
