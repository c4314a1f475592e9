//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
import Money
import Payments
import StrictJSON
import TestGateway
import TestUpstream
import Testing

@testable import TapPayUpstream

/// Payments at TapPay's stand-in. Whatever it does, both books agree in the end.
@Suite struct StandInPaymentTests {
    @Test func paymentGoesItsWay() async throws {
        try await StandInFront.with { front, vendor in
            let payment = try await front.pay(350).payment
            #expect(payment.state == .authorized)
            try await front.expectAgreement()
            #expect(try await front.follow(.capture(nil, isFinal: true), of: payment).state == .succeeded)
            try await front.expectAgreement()
            vendor.evening()
            let refund = try await front.refund(100, of: payment)
            #expect(try await front.refund(50, of: payment).state == .succeeded)
            try await front.expectAgreement()
            #expect(try await front.follow(.void(.operation(refund.id)), of: payment).state == .succeeded)
            try await front.expectAgreement()
            #expect(vendor.trades.map(\.taken) == [300])
        }
    }

    @Test func voidTakesBackWhatIsNotCaptured() async throws {
        try await StandInFront.with { front, vendor in
            for isSale in [false, true] {
                let paid = try await front.pay(350, sale: isSale)
                let void = FollowUpCommand.Action.void(isSale ? .operation(paid.operation.id) : nil)
                #expect(try await front.follow(void, of: paid.payment).state == .succeeded)
                try await front.expectAgreement()
            }
            #expect(vendor.trades.allSatisfy { $0.held == 0 && $0.taken == 0 })
        }
    }

    @Test func partOfASaleIsGivenBackOnlyAfterTheEvening() async throws {
        try await StandInFront.with { front, vendor in
            let payment = try await front.pay(350, sale: true).payment
            #expect(try await front.refund(100, of: payment).state == .failed(.notProcessed(.busy)))
            try await front.expectAgreement()
            vendor.evening()
            #expect(try await front.refund(100, of: payment).state == .succeeded)
            try await front.expectAgreement()
        }
    }

    /// A capture is for the evening; until then a part can't be refunded either, and it can be taken back.
    @Test func captureOfTodayCanBeTakenBackUntilTheEvening() async throws {
        try await StandInFront.with { front, vendor in
            let payment = try await front.pay(350).payment
            let capture = try await front.follow(.capture(nil, isFinal: true), of: payment)
            #expect(try await front.refund(100, of: payment).state == .failed(.notProcessed(.busy)))
            #expect(try await front.follow(.void(.operation(capture.id)), of: payment).state == .succeeded)
            try await front.expectAgreement()
            let again = try await front.follow(.capture(nil, isFinal: true), of: payment)
            vendor.evening()
            #expect(
                try await front.follow(.void(.operation(again.id)), of: payment).state
                    == .failed(.declined(.invalidOperation)))
            try await front.expectAgreement()
        }
    }

    @Test(
        arguments: [
            (10003, "05", DeclineReason.doNotHonor), (10003, "51", .insufficientFunds), (10009, nil, .exceedsLimit),
            (10023, nil, .unspecified), (10005, "54", .expiredCard),
        ] as [(Int64, String?, DeclineReason)])
    func declineIsADeclineAndTakesNothing(_ status: Int64, _ code: String?, _ reason: DeclineReason) async throws {
        try await StandInFront.with { front, vendor in
            vendor.set(.refused(status: status, bankCode: code), of: .pay)
            #expect(try await front.pay(350).operation.state == .failed(.declined(reason)))
            try await front.expectAgreement()
        }
    }

    // MARK: - How answers are written

    @Test(arguments: JSONWriting.allCases)
    func howAnAnswerIsWrittenChangesNothing(_ writing: JSONWriting) async throws {
        try await StandInFront.with { front, vendor in
            vendor.set { $0.writing = writing }
            let payment = try await front.captured(350)
            let refund = try await front.refund(100, of: payment)
            #expect(refund.state == .succeeded)
            #expect(try await front.follow(.void(.operation(refund.id)), of: payment).state == .succeeded)
            vendor.set(.late, of: .pay)
            #expect(try await front.pay(350).operation.state == .unknown)
            vendor.set(.late, of: .refund)
            #expect(try await front.refund(50, of: payment).state == .unknown)
            try await front.recoverToAgreement()
            #expect(vendor.trades.map(\.taken) == [300, 0])
        }
    }

    /// Without one of these nothing says that the payment is ours, or made: it is asked for.
    @Test(arguments: ["status", "rec_trade_id", "bank_transaction_id", "amount", "currency"])
    func answerWithoutAFieldIsNotBelievedAndFound(_ name: String) async throws {
        try await StandInFront.with { front, vendor in
            vendor.set(.changed { $0[name] = nil }, of: .pay)
            let paid = try await front.pay(350)
            #expect(paid.operation.state == .unknown)
            try await front.recoverToAgreement()
            #expect(try await front.state(of: paid.operation) == .succeeded)
        }
    }

    @Test(arguments: [
        "auth_code", "order_number", "card_info", "bank_result_code", "bank_transaction_time", "acquirer", "msg",
    ])
    func answerNeedsNothingElse(_ name: String) async throws {
        try await StandInFront.with { front, vendor in
            vendor.set(.changed { $0[name] = nil }, of: .pay)
            #expect(try await front.pay(350).operation.state == .succeeded)
            try await front.expectAgreement()
        }
    }

    @Test func answerAboutAnotherAmountOrPaymentIsNotBelieved() async throws {
        let changes: [@Sendable (inout JSONObject) -> Void] = [
            { $0["amount"] = 35000 }, { $0["amount"] = .number("350.0") }, { $0["currency"] = "USD" },
            { $0["bank_transaction_id"] = "TP20190723Uxy4ZR" }, { $0["rec_trade_id"] = .array([]) },
            { $0["status"] = "0" }, { $0["status"] = .number("0.0") }, { $0["status"] = 9999 },
        ]
        for change in changes {
            try await StandInFront.with { front, vendor in
                vendor.set(.changed(change), of: .pay)
                #expect(try await front.pay(350).operation.state == .unknown)
                try await front.recoverToAgreement()
                #expect(vendor.trades.map(\.held) == [350])
            }
        }
    }

    // MARK: - Keys

    @Test(arguments: StandInQuirks.KeyRefusal.allCases)
    func keysAreChangedWithoutLosingOrDoublingAPayment(_ refusal: StandInQuirks.KeyRefusal) async throws {
        let keys = [
            "appKey": Bench.appKey, "appKey2": Bench.secondAppKey, "partnerKey": Bench.partnerKey,
            "partnerKey2": Bench.secondPartnerKey,
        ]
        try await StandInFront.with(secrets: keys) { front, vendor in
            vendor.set { $0.keyRefusal = refusal }
            let first = try await front.pay(350).payment
            vendor.set { quirks in
                quirks.appKeys = [Bench.secondAppKey]
                quirks.partnerKeys = [Bench.secondPartnerKey]
            }
            #expect(try await front.follow(.capture(nil, isFinal: true), of: first).state == .succeeded)
            #expect(try await front.pay(120).operation.state == .succeeded)
            try await front.expectAgreement()
            #expect(vendor.trades.count == 2)
        }
    }

    @Test func paymentUnderKeysThatNobodyTakesIsNotProcessed() async throws {
        try await StandInFront.with { front, vendor in
            vendor.set { $0.partnerKeys = [Bench.secondPartnerKey] }
            #expect(try await front.pay(350).operation.state == .failed(.notProcessed(.notAuthorized)))
            try await front.expectAgreement()
        }
    }
}
