//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import DialectKit
import Gateway
import HTTPTypes
import Money
import PAYONE
import Payments
import SimulatorAcquirer
import TestGateway
import Testing

@Suite struct SequenceNumberTests {
    private static func part(_ txid: String, _ amount: Int64, _ number: Int) -> ShopForm {
        ShopForm.capture(txid, amount, sequenceNumber: number, mode: "notcompleted")
    }

    @Test func theSameRequestHasTheSameAnswerForEver() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        let capture = Self.part(txid, 600, 1)
        let refund = ShopForm.debit(txid, -100, sequenceNumber: 2)
        let (captured, refunded) = (try await shop.send(capture), try await shop.send(refund))
        #expect(captured.status == "APPROVED" && refunded.status == "APPROVED")
        shop.test.clock.advance(seconds: 86_400 * 30)
        #expect(try await shop.send(Self.part(txid, 400, 3)).status == "APPROVED")
        // In another charset, with another key and without what is ignored, it is the same request still.
        #expect(try await shop.send(capture.with("key", ShopForm.Account.keySHA384).multipart()) == captured)
        #expect(try await shop.send(refund.with("transactiontype", nil)) == refunded)
        #expect(try await shop.test.bookedCount(.capture) == 2)
        #expect(try await shop.test.bookedCount(.refund) == 1)
    }

    /// Long after, when claims are deleted as the operator wants it: those of numbers are names, and stay.
    @Test func theSameRequestHasTheSameAnswerWhenClaimsAreDeleted() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        let capture = Self.part(txid, 600, 1)
        let captured = try await shop.send(capture)
        let debit = ShopForm.debit(txid, -100, sequenceNumber: 2)
        let refunded = try await shop.send(debit)
        #expect(captured.status == "APPROVED" && refunded.status == "APPROVED")
        shop.test.clock.advance(seconds: 400 * 86_400)
        _ = try await shop.test.gateway.deleteClaims(after: nil, limit: 1000) {
            PAYONE.namingClaims.contains($0.operation)
        }
        #expect(try await shop.send(capture) == captured)
        #expect(try await shop.send(debit) == refunded)
        #expect(try await shop.test.bookedCount(.capture) == 1)
        #expect(try await shop.test.bookedCount(.refund) == 1)
    }

    @Test func anotherRequestWithAUsedNumberIsRefused() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        #expect(try await shop.send(Self.part(txid, 600, 1)).status == "APPROVED")
        #expect(try await shop.send(Self.part(txid, 400, 1)).errorCode == 907)
        #expect(try await shop.send(ShopForm.capture(txid, 600)).errorCode == 907)
        #expect(try await shop.send(ShopForm.debit(txid, -100, sequenceNumber: 1)).errorCode == 907)
        #expect(try await shop.send(Self.part(txid, 600, 1).with("narrative_text", "x")).errorCode == 907)
        #expect(try await shop.test.bookedCount(.capture) == 1)
    }

    @Test func everyNumberIsOneMoreThanTheLast() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        for wrong in [2, 127] { #expect(try await shop.send(Self.part(txid, 1, wrong)).errorCode == 907) }
        for number in 1...3 { #expect(try await shop.send(Self.part(txid, 1, number)).status == "APPROVED") }
        let reply = try await shop.send(Self.part(txid, 1, 5))
        #expect(reply.errorCode == 907 && reply.message.contains("must be 4"))
    }

    /// One more would be sent to where there is none.
    @Test func afterTheLastNumberNothingIsTaken() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        for number in 1...126 { #expect(try await shop.send(Self.part(txid, 1, number)).status == "APPROVED") }
        // The number of what was declined may be used again, also the last.
        shop.direct(.capture, .decline(.issuerUnavailable))
        let last = Self.part(txid, 1, 127)
        #expect(try await shop.send(last).errorCode == 91)
        let reply = try await shop.send(last)
        #expect(reply.status == "APPROVED")
        for (form, code) in [
            (Self.part(txid, 2, 127), 951), (Self.part(txid, 2, 127).with("sequencenumber", nil), 951),
            (ShopForm.debit(txid, -1, sequenceNumber: 127), 951), (Self.part(txid, 1, 128), 1009),
        ] { #expect(try await shop.send(form).errorCode == code) }
        #expect(try await shop.send(last) == reply)
        #expect(try await shop.test.bookedCount(.capture) == 127)
    }

    /// A refused request leaves no trace: its number is still free.
    @Test func aRefusedRequestUsesNoNumber() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        #expect(try await shop.send(Self.part(txid, 1001, 1)).errorCode == 908)
        #expect(try await shop.send(Self.part(txid, 1000, 1)).status == "APPROVED")
    }

    /// Shops count what succeeded, and some count what they sent; and they offer to try the same once more.
    @Test(arguments: [(1, 400), (1, 600), (2, 600), (2, 400)] as [(Int, Int64)])
    func afterADeclineEitherNumberIsTaken(number: Int, amount: Int64) async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        shop.direct(.capture, .decline(.issuerUnavailable))
        let declined = try await shop.send(Self.part(txid, 600, 1))
        #expect(declined.errorCode == 91)
        let next = Self.part(txid, amount, number)
        let reply = try await shop.send(next)
        #expect(reply.status == "APPROVED")
        #expect(try await shop.send(next) == reply)
        #expect(try await shop.send(Self.part(txid, 1, number)).errorCode == 907)
        #expect(try await shop.test.bookedCount(.capture) == 1)
    }

    /// A decline that comes again does not use up anything either.
    @Test func everyDeclineMayBeTriedAgain() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        for reason in [DeclineReason.issuerUnavailable, .timedOut, .systemError] {
            shop.direct(.capture, .decline(reason))
            #expect(try await shop.send(Self.part(txid, 600, 1)).status == "ERROR")
        }
        let reply = try await shop.send(Self.part(txid, 600, 1))
        #expect(reply.status == "APPROVED")
        #expect(try await shop.send(Self.part(txid, 600, 1)) == reply)
        #expect(try await shop.test.bookedCount(.capture) == 1)
    }

    /// Who was answered PENDING asks by sending the same again, and nothing is begun by that.
    @Test func whatWasPendingKeepsItsAnswer() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        shop.direct(.capture, .dropBeforeBooking)
        #expect(try await shop.send(Self.part(txid, 600, 1)).status == "PENDING")
        await shop.test.recover()
        for _ in 0..<2 { #expect(try await shop.send(Self.part(txid, 600, 1)).errorCode == 21) }
        #expect(try await shop.send(Self.part(txid, 600, 2)).status == "APPROVED")
        #expect(try await shop.test.bookedCount(.capture) == 1)
    }

    @Test func twoRequestsWithOneNumberAreNotBothTaken() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        let forms = (1...8).map { Self.part(txid, Int64($0), 1) }
        let replies = try await withThrowingTaskGroup(of: Reply.self) { group in
            for form in forms { group.addTask { try await shop.send(form) } }
            return try await group.reduce(into: [Reply]()) { $0.append($1) }
        }
        #expect(replies.count { $0.status == "APPROVED" } == 1)
        #expect(replies.allSatisfy { $0.status == "APPROVED" || $0.errorCode == 907 })
        #expect(try await shop.test.bookedCount(.capture) == 1)
    }

    @Test func theSameAuthorizationHasTheSameAnswerForEver() async throws {
        let shop = try await TestShop.open()
        let form = try shop.preauthorization()
        let reply = try await shop.send(form)
        shop.test.clock.advance(seconds: 86_400)
        #expect(try await shop.send(form) == reply)
        #expect(try await shop.send(form.multipart(as: .utf8)) == reply)
        #expect(try await shop.send(form.with("request", "authorization")).errorCode == 911)
        #expect(try await shop.send(form.with("narrative_text", "x")).errorCode == 911)
        #expect(try await shop.test.bookedCount(.authorization) == 1)
    }
}
