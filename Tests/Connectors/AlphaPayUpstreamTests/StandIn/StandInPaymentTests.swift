//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
import Payments
import StrictJSON
import TestGateway
import TestUpstream
import Testing

/// Payments at AlphaPay's stand-in. Whatever it does, both books agree in the end.
@Suite struct StandInPaymentTests {
    @Test func paymentGoesItsWay() async throws {
        try await StandInFront.with { front, vendor in
            let payment = try await front.paid(1099)
            try await front.expectAgreement()
            #expect(try await front.refund(400, of: payment).state == .succeeded)
            #expect(try await front.refund(699, of: payment).state == .succeeded)
            try await front.expectAgreement()
            #expect(vendor.orders.map(\.status) == ["FULL_REFUND"])
        }
    }

    @Test func declineIsADeclineAndTakesNothing() async throws {
        try await StandInFront.with { front, vendor in
            let order = StandInOrder(requestID: "", paymentID: "", amount: 1099, notifyURL: nil)
            var answer = StandInAnswers.declined(order).object ?? JSONObject()
            answer["paymentId"] = nil
            vendor.set(.refused(.object(answer)), of: .pay)
            #expect(try await front.pay(1099).operation.state == .failed(.declined(.unspecified)))
            try await front.expectAgreement()
        }
    }

    /// AlphaPay takes amounts of seven digits, and no order is made of more.
    @Test func orderThatIsRefusedIsNotPaid() async throws {
        try await StandInFront.with { front, vendor in
            #expect(try await front.pay(10_000_000).operation.state == .failed(.notProcessed(.requestRefused)))
            vendor.set(.refused("F", "MERCHANT_SLEEPS"), of: .preOrder)
            #expect(try await front.pay(1099).operation.state == .failed(.notProcessed(.requestRefused)))
            try await front.expectAgreement()
            #expect(vendor.calls == [.preOrder, .preOrder])
        }
    }

    // MARK: - How answers are written

    @Test(arguments: JSONWriting.allCases) func howAnAnswerIsWrittenChangesNothing(_ writing: JSONWriting) async throws
    {
        try await StandInFront.with { front, vendor in
            vendor.set { $0.writing = writing }
            let payment = try await front.paid(1099)
            vendor.set(.late, of: .pay)
            #expect(try await front.pay(500).operation.state == .unknown)
            vendor.set(.late, of: .refund)
            #expect(try await front.refund(400, of: payment).state == .unknown)
            try await front.recoverToAgreement()
            #expect(vendor.orders.map(\.taken) == [699, 500])
        }
    }

    /// Nothing counts that AlphaPay has not signed, though its own library takes it.
    @Test(arguments: StandInQuirks.Signing.allCases)
    func paymentCountsIfAlphaPayHasSignedTheAnswer(_ signing: StandInQuirks.Signing) async throws {
        try await StandInFront.with { front, vendor in
            let (arrived, gate) = (Gate(), Gate())
            let waiting = StandInFault.waiting {
                arrived.open()
                await gate.wait()
            }
            vendor.set(waiting, of: .preOrder)
            async let paying = front.pay(1099)
            await arrived.wait()
            // The order is answered well, and the payment so.
            vendor.set { $0.signing = signing }
            gate.open()
            let paid = try await paying
            #expect(paid.operation.state == (signing.isGenuine ? .succeeded : .unknown))
            await front.test.recover()
            if !signing.isGenuine { #expect(try await front.state(of: paid.operation) == .unknown) }
            vendor.set { $0.signing = .plain }
            front.test.clock.advance(seconds: 86_400)
            try await front.recoverToAgreement()
        }
    }

    @Test(arguments: ["paymentId", "paymentStatus", "result"])
    func answerWithoutAFieldIsNotBelievedAndFound(_ name: String) async throws {
        try await StandInFront.with { front, vendor in
            vendor.set(.changed { $0[name] = nil }, of: .pay)
            let paid = try await front.pay(1099)
            #expect(paid.operation.state == .unknown)
            try await front.recoverToAgreement()
            #expect(try await front.state(of: paid.operation) == .succeeded)
        }
    }

    @Test(arguments: ["paymentRequestId", "paymentTime", "transactionId"])
    func answerNeedsNothingElse(_ name: String) async throws {
        try await StandInFront.with { front, vendor in
            vendor.set(.changed { $0[name] = nil }, of: .pay)
            #expect(try await front.pay(1099).operation.state == .succeeded)
            try await front.expectAgreement()
        }
    }

    @Test func answerAboutAnotherPaymentIsNotBelieved() async throws {
        let changes: [@Sendable (inout JSONObject) -> Void] = [
            { $0["paymentId"] = "2506031505244756658153857" }, { $0["paymentStatus"] = "PAID" },
            { $0["paymentStatus"] = "FAILED" }, { $0["paymentStatus"] = "CLOSED" }, { $0["result"] = "SUCCESS" },
            { $0["result"] = ["resultStatus": "SUCCESS", "resultCode": "S"] },
            { $0["result"] = ["resultStatus": "U", "resultCode": "PAYMENT_IN_PROCESS"] },
        ]
        for change in changes {
            try await StandInFront.with { front, vendor in
                vendor.set(.changed(change), of: .pay)
                #expect(try await front.pay(1099).operation.state == .unknown)
                try await front.recoverToAgreement()
                #expect(vendor.orders.map(\.taken) == [1099])
            }
        }
    }

    // MARK: - Keys

    @Test func keyIsChangedWithoutLosingOrDoublingAPayment() async throws {
        try await StandInFront.with(nextKey: true) { front, vendor in
            let first = try await front.paid(1099)
            let next = try Keys.nextMerchant
            vendor.set { $0.merchantKey = next }
            #expect(try await front.refund(400, of: first).state == .succeeded)
            _ = try await front.paid(500)
            try await front.expectAgreement()
            #expect(vendor.orders.map(\.refunds.count) == [1, 0])
        }
    }

    /// Whether AlphaPay signs that it does not know who calls, nobody has published.
    @Test(arguments: [true, false]) func paymentUnderAKeyThatIsNotKnownIsNotProcessed(_ isSigned: Bool) async throws {
        try await StandInFront.with { front, vendor in
            let other = try Keys.nextMerchant
            vendor.set { quirks in
                quirks.merchantKey = other
                quirks.signsKeyRefusals = isSigned
            }
            #expect(try await front.pay(1099).operation.state == .failed(.notProcessed(.notAuthorized)))
            try await front.expectAgreement()
        }
    }
}
