//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import HTTPTypes
import Money
import Payments
import Redaction
import SimulatorAcquirer
import TestGateway
import Testing
import WalletSimulator

@testable import Radial

@Suite struct SettlementTests {
    @Test func settlesAndCreditsInParts() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(10_000)
        let first = try await shop.settle(token, "40.00", request: "s1")
        #expect(first.status == 200 && first.root.name == "AckReply")
        #expect(first["RequestId"] == "s1" && first["OrderId"] == "1" && first["ResponseCode"] == "Success")
        #expect(try await shop.settle(token, "60.01", request: "s2").fault == "409 DebitExceedsAuthorizationException")
        #expect(try await shop.settle(token, "60.00", request: "s2")["ResponseCode"] == "Success")
        #expect(
            try await shop.settle(token, "100.01", "Credit", request: "s3").fault == "409 CreditExceedsDebitsException")
        #expect(try await shop.settle(token, "30.00", "Credit", request: "s3")["ResponseCode"] == "Success")
        #expect(try await shop.settle(token, "70.00", "Credit", request: "s4")["ResponseCode"] == "Success")
        #expect(try await shop.settle(token, "0.01", "Credit", request: "s5").fault == "409 AlreadyCreditedException")
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    @Test(arguments: ["true", "1", "", "false", "0"])
    func aFinalDebitGivesBackTheRest(flag: String) async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(10_000)
        let body = Sample.settlement(token, "40.00", request: "s1", isFinal: flag)
        #expect(try await shop.send("settlement/create/VC.xml", body)["ResponseCode"] == "Success")
        let isFinal = flag == "true" || flag == "1"
        let second = try await shop.settle(token, "1.00", request: "s2")
        #expect(second.fault == (isFinal ? "409 FinalDebitMadeException" : "200 AckReply"))
        #expect(try await shop.confirm(token, "100.00")["FundsAvailable"] == (isFinal ? "Fail" : "Success"))
    }

    @Test func readsNothingOfAnotherNamespace() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(10_000)
        let foreign =
            "<x:Amount xmlns:x=\"urn:other\" currencyCode=\"USD\">90.00</x:Amount>"
            + "<x:SettlementType xmlns:x=\"urn:other\">Credit</x:SettlementType>"
            + "<x:FinalDebit xmlns:x=\"urn:other\">true</x:FinalDebit>"
        let body = Sample.settlement(token, "40.00", request: "s1").replacing(
            "<PaymentContext>", with: foreign + "<PaymentContext>")
        #expect(try await shop.send("settlement/create/VC.xml", body)["ResponseCode"] == "Success")
        #expect(try await shop.settle(token, "60.01", request: "s2").fault == "409 DebitExceedsAuthorizationException")
        #expect(try await shop.settle(token, "60.00", request: "s3")["ResponseCode"] == "Success")
    }

    /// A plugin that has lost an answer sends the invoice again later, under a request id of that day.
    @Test func anInvoiceIsSettledOnceUnderWhateverRequestID() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(10_000)
        func send(
            _ amount: String, _ request: String, _ kind: String = "Debit", invoice: String, context: String = "c",
            isFinal: String = ""
        ) async throws -> Reply {
            try await shop.send(
                "settlement/create/VC.xml",
                Sample.settlement(
                    token, amount, kind, request: request, invoice: invoice, clientContext: context, isFinal: isFinal))
        }
        let first = try await send("40.00", "CCA-1", invoice: "100000007")
        let again = try await send("40.00", "CCA-2", invoice: "100000007", context: "of another day")
        #expect(first["ResponseCode"] == "Success" && again["ResponseCode"] == "Success")
        #expect(again["RequestId"] == "CCA-2" && again["OrderId"] == "1")
        // Another invoice, another amount and another kind are settlements of their own.
        #expect(try await send("40.00", "CCA-3", invoice: "100000008")["ResponseCode"] == "Success")
        #expect(
            try await send("20.01", "CCA-4", invoice: "100000007").fault == "409 DebitExceedsAuthorizationException")
        #expect(try await send("20.00", "CCA-5", invoice: "100000007", isFinal: "1")["ResponseCode"] == "Success")
        // The final one, too, whose repeat would be refused.
        #expect(try await send("20.00", "CCA-6", invoice: "100000007", isFinal: "1")["ResponseCode"] == "Success")
        // The rest is invoiced by now, so that its debit has become the last one.
        #expect(try await send("40.00", "CCA-7", invoice: "100000007", isFinal: "1")["ResponseCode"] == "Success")
        // Two credits of an invoice may be alike, though not at about the same time: what a plugin calls a credit's context is
        // another once the next invoice is settled.
        for (request, context) in [("CCR-1", "a"), ("CCR-2", "a"), ("CCR-3", "b"), ("CCR-3b", "")] {
            let credit = try await send("10.00", request, "Credit", invoice: "100000007", context: context)
            #expect(credit["ResponseCode"] == "Success")
        }
        shop.test.clock.advance(seconds: 1200)
        for (request, context) in [("CCR-3c", "a"), ("CCR-3d", "b")] {
            let credit = try await send("10.00", request, "Credit", invoice: "100000007", context: context)
            #expect(credit["ResponseCode"] == "Success")
        }
        #expect(
            try await send("80.01", "CCR-4", "Credit", invoice: "100000009").fault
                == "409 CreditExceedsDebitsException")
        #expect(try await send("80.00", "CCR-5", "Credit", invoice: "100000009")["ResponseCode"] == "Success")
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// One letter, and a letter with an accent: Unicode holds them to be equal, and a shop's database sees two invoices.
    @Test func invoicesAreComparedByTheirCodePoints() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(10_000)
        for (request, invoice) in [("d1", "\u{E9}"), ("d2", "e\u{301}"), ("d3", "\u{E9}")] {
            let debit = Sample.settlement(token, "10.00", request: request, invoice: invoice)
            #expect(try await shop.send("settlement/create/VC.xml", debit)["ResponseCode"] == "Success")
        }
        // The contexts decide when a plugin repeats no more.
        for (request, context) in [("c1", "\u{E9}"), ("c2", "e\u{301}"), ("c3", "\u{E9}")] {
            let credit = Sample.settlement(
                token, "1.00", "Credit", request: request, invoice: "i", clientContext: context)
            #expect(try await shop.send("settlement/create/VC.xml", credit)["ResponseCode"] == "Success")
            shop.test.clock.advance(seconds: 1200)
        }
        let payment = try #require(try await shop.test.payments().first)
        #expect(payment.capturedAmount.minorUnits == 20_00 && payment.refundedAmount.minorUnits == 2_00)
    }

    /// Two runs of a shop's cron at once: none of them can know of the other's.
    @Test func ofTwoAtOnceOneIsTheOthersRepeat() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(10_000)
        let debit = Sample.settlement(token, "40.00", request: "d0", invoice: "I1")
        #expect(try await shop.send("settlement/create/VC.xml", debit)["ResponseCode"] == "Success")
        for (kind, invoice) in [("Debit", "I2"), ("Credit", "C1")] {
            let replies = try await withThrowingTaskGroup(of: String?.self) { group in
                for number in 0..<8 {
                    let body = Sample.settlement(
                        token, "10.00", kind, request: "\(kind)-\(number)", invoice: invoice)
                    group.addTask { try await shop.send("settlement/create/VC.xml", body)["ResponseCode"] }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(replies.allSatisfy { $0 == "Success" || $0 == "Timeout" })
        }
        let payment = try #require(try await shop.test.store.read { try $0.payments(PaymentQuery(limit: 2)) }.first)
        #expect(payment.capturedAmount.minorUnits == 50_00 && payment.refundedAmount.minorUnits == 10_00)
        #expect(payment.operations.filter { $0.kind == .refund }.count == 1)
    }

    @Test func aSettlementSentTwiceSettlesOnce() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(10_000)
        let first = try await shop.settle(token, "40.00", request: "s1")
        shop.test.clock.advance(seconds: 86_400)
        #expect(try await shop.settle(token, "40.00", request: "s1").response.body == first.response.body)
        #expect(try await shop.settle(token, "41.00", request: "s1").fault == "409 RequestIdConflictException")
        #expect(
            try await shop.settle(token, "40.00", "Credit", request: "s1").fault == "409 RequestIdConflictException")
        let bodies = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 { group.addTask { try await shop.settle(token, "10.00", request: "s2").fault } }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(bodies.allSatisfy { $0 == "200 AckReply" })
        #expect(try await shop.test.bookedCount(.capture) == 2)
        #expect(try await shop.sent().count == 2)
    }

    @Test func theRequestIdsOfOperationsAreTheirOwn() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorize(1499, request: "1").accountToken
        #expect(try await shop.settle(token, "14.99", request: "1")["ResponseCode"] == "Success")
    }

    @Test(arguments: [
        ("VC", "1", "4111110PASeK1111", "404 NoAuthFoundException"), ("VC", "1", "nothing", "404 NoAuthFoundException"),
        ("VC", "2", "", "404 NoAuthFoundException"), ("MC", "1", "", "400 InvalidTenderTypeException"),
        ("DW", "1", "", "400 InvalidTenderTypeException"), ("XX", "1", "", "400 InvalidTenderTypeException"),
    ])
    func refusesAWrongPair(tender: String, order: String, token: String, fault: String) async throws {
        let shop = try await RadialShop.open()
        let real = try await shop.authorized(1499)
        let used = token.isEmpty ? real : token
        #expect(try await shop.settle(used, "1.00", order: order, request: "s", tender: tender).fault == fault)
        #expect(try await shop.cancel(used, "14.99", order: order, tender: tender).fault == fault)
        #expect(try await shop.confirm(used, "14.99", order: order, tender: tender).fault == fault)
    }

    @Test func refusesATokenWhoseEndsWereChanged() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(1499)
        for changed in ["411111\(token.dropFirst(6))", "\(token.dropLast(4))0000"] {
            #expect(try await shop.settle(changed, "1.00", request: "s").fault == "404 NoAuthFoundException")
        }
    }

    @Test func refusesTheTokenOfAnotherStore() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(1499)
        let draft = Radial.accountDraft(apiKey: Redacted("other-key-0123456789"))
        _ = try await shop.test.addMerchant(
            dialect: Radial.dialectName, key: "OTHER", settings: draft.settings, secrets: draft.secrets,
            merchantIdentifier: "merchant.com.example.other")
        let reply = try await shop.send("settlement/create/VC.xml", Sample.settlement(token, "1.00", request: "s")) {
            request in
            request.path = request.path.replacing("TMSUS", with: "OTHER")
            request.headers[.apiKey] = "other-key-0123456789"
        }
        #expect(reply.fault == "404 NoAuthFoundException")
    }

    @Test func refusesARawCardNumber() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(1499)
        for path in ["settlement/create/VC.xml", "auth/cancel/VC.xml", "funds/confirm/VC.xml"] {
            let body =
                path.hasPrefix("s")
                ? Sample.settlement(token, "1.00", request: "s")
                : path.hasPrefix("a")
                    ? Sample.cancel(token, "14.99", request: "c") : Sample.confirmFunds(token, "14.99", request: "f")
            let raw = body.replacing("isToken=\"true\">\(token)", with: "isToken=\"false\">4895370012345671")
            let reply = try await shop.send(path, raw)
            #expect(reply.fault == "400 AccountTokenRequiredException" && !reply.text.contains("4895370012345671"))
        }
    }

    @Test func refusesAnotherCurrencyAndWhatWasNotSettled() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(1499)
        let body = Sample.settlement(token, "1.00", currency: "CAD", request: "s1")
        #expect(try await shop.send("settlement/create/VC.xml", body).fault == "400 CurrencyMismatchException")
        #expect(try await shop.settle(token, "1.00", "Credit", request: "s2").fault == "409 NothingSettledException")
        let declined = try await shop.authorize(5757, order: "2", request: "2")
        #expect(
            try await shop.settle(declined.accountToken, "1.00", order: "2", request: "s3").fault
                == "409 AuthorizationDeclinedException")
    }

    /// The acquirer has taken back what it had approved; nobody has canceled it.
    @Test func refusesToSettleWhatCameToNothing() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(1499)
        let authorization = try #require(try await shop.test.payments().first?.authorization).id
        let late = AcquirerNotice.Event.failedLate(.doNotHonor, AcquirerAnswer())
        #expect(try await shop.test.report(late, of: authorization, reference: "late") == .booked)
        #expect(try await shop.settle(token, "1.00", request: "s").fault == "409 AuthorizationDeclinedException")
    }

    @Test func anUnknownSettlementIsATimeout() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(10_000)
        #expect(try await shop.settle(token, "58.58", request: "s1")["ResponseCode"] == "Timeout")
        #expect(try await shop.sent().isEmpty)
        await shop.test.recover()
        #expect(try await shop.settle(token, "58.58", request: "s1")["ResponseCode"] == "Success")
        let event = try #require(try await shop.events().first?.child("PaymentSettlementStatus"))
        #expect(event.child("SettlementStatus")?.text == "S")
        // Declined at once: the acknowledgement says so, and the event says why.
        #expect(try await shop.settle(token, "57.57", request: "s2").fault == "409 DebitExceedsAuthorizationException")
        let other = try await shop.authorized(10_000, order: "2")
        #expect(try await shop.settle(other, "57.57", order: "2", request: "s3")["ResponseCode"] == "Fail")
    }

    // MARK: - Cancellations

    @Test func cancelsAnAuthorizationAsAWhole() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(1499)
        #expect(try await shop.cancel(token, "10.00").fault == "409 CancelAmountMismatchException")
        let reply = try await shop.cancel(token, "14.99")
        #expect(reply.root.name == "AckReply" && reply["ResponseCode"] == "Success" && reply["RequestId"] == "c1")
        #expect(try await shop.cancel(token, "14.99").response.body == reply.response.body)
        // Whoever lost the answer asks again under another request id.
        let again = try await shop.cancel(token, "14.99", request: "c2")
        #expect(again["ResponseCode"] == "Success" && again["RequestId"] == "c2")
        #expect(try await shop.events().count == 1)
        // It waits for the event, and gets it once more.
        #expect(try await shop.cancel(token, "14.99", request: "c3")["ResponseCode"] == "Success")
        #expect(try await shop.events().count == 1)
        #expect(try await shop.settle(token, "1.00", request: "s").fault == "409 AuthorizationCanceledException")
        #expect(try await shop.confirm(token, "14.99")["FundsAvailable"] == "Fail")
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// What is being canceled may be gone in a moment.
    @Test func doesNotConfirmFundsThatAreBeingGivenBack() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(1499)
        shop.test.script.append(.init(.reverse, .nth(1), fault: .accept))
        _ = try await shop.cancel(token, "14.99")
        #expect(try await shop.confirm(token, "14.99")["FundsAvailable"] == "Timeout")
        #expect(try await shop.cancel(token, "14.99", request: "c2")["ResponseCode"] == "Timeout")
        let payment = try #require(try await shop.test.store.read { try $0.payments(PaymentQuery(limit: 2)) }.first)
        #expect(payment.operations.filter { $0.kind == .void }.count == 1)
    }

    @Test func refusesToCancelWhatIsSettled() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(1499)
        _ = try await shop.settle(token, "14.99", request: "s")
        #expect(try await shop.cancel(token, "14.99").fault == "409 AlreadySettledException")
        let body = Sample.cancel(token, "14.99", request: "c").replacing("USD", with: "CAD")
        #expect(try await shop.send("auth/cancel/VC.xml", body).fault == "400 CurrencyMismatchException")
    }

    /// What was not settled is given back, once, and no more than that is said to be.
    @Test func cancelsTheRestOfWhatIsSettledInPart() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(1499)
        _ = try await shop.settle(token, "4.00", request: "s1")
        #expect(try await shop.cancel(token, "4.00").fault == "409 CancelAmountMismatchException")
        // Whoever asks for the whole does not know of the settlement.
        #expect(try await shop.cancel(token, "14.99").fault == "409 AlreadySettledException")
        #expect(try await shop.events().count == 1)
        let reply = try await shop.cancel(token, "10.99")
        #expect(reply.root.name == "AckReply" && reply["ResponseCode"] == "Success" && reply["RequestId"] == "c1")
        let event = try #require(try await shop.events().first?.child("PaymentAuthCancelReply"))
        #expect(event.child("ResponseCode")?.text == "Success" && event.child("Amount")?.text == "10.99")
        // Under the same name, and under another.
        #expect(try await shop.cancel(token, "10.99").response.body == reply.response.body)
        #expect(try await shop.cancel(token, "10.99", request: "c2")["ResponseCode"] == "Success")
        #expect(try await shop.cancel(token, "14.99", request: "c3").fault == "409 AlreadySettledException")
        #expect(try await shop.test.bookedCount(.adjustment) == 1)
        #expect(try await shop.confirm(token, "14.99")["FundsAvailable"] == "Fail")
        #expect(try await shop.settle(token, "1.00", request: "s2").fault == "409 DebitExceedsAuthorizationException")
        #expect(try await shop.settle(token, "4.00", "Credit", request: "s3")["ResponseCode"] == "Success")
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// The rest has been given back by then: no amount would be the right one.
    @Test func refusesToCancelTheRestAfterAFinalDebit() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(2000)
        _ = try await shop.settle(token, "5.00", request: "s1", isFinal: true)
        #expect(try await shop.cancel(token, "15.00").fault == "409 FinalDebitMadeException")
        #expect(try await shop.cancel(token, "20.00", request: "c2").fault == "409 AlreadySettledException")
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// That a cancellation was declined before the settlement makes no other one of it.
    @Test func declinedCancellationLetsNoWholeOneThroughLater() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(1499)
        shop.test.script.append(.init(.reverse, .nth(1), fault: .decline(.unspecified)))
        let declined = try await shop.cancel(token, "14.99")
        #expect(declined["ResponseCode"] == "Fail")
        _ = try await shop.settle(token, "4.00", request: "s1")
        #expect(try await shop.cancel(token, "14.99").response.body == declined.response.body)
        #expect(try await shop.cancel(token, "14.99", request: "c2").fault == "409 AlreadySettledException")
        #expect(try await shop.test.bookedCount(.adjustment) == 0)
        #expect(try await shop.cancel(token, "10.99", request: "c3")["ResponseCode"] == "Success")
    }

    @Test func cancellationOfARestWhoseAnswerIsLostIsATimeout() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(1499)
        _ = try await shop.settle(token, "4.00", request: "s1")
        shop.test.script.append(.init(.adjust, .nth(1), fault: .dropAfterBooking))
        #expect(try await shop.cancel(token, "10.99")["ResponseCode"] == "Timeout")
        #expect(try await shop.cancel(token, "10.99", request: "c2")["ResponseCode"] == "Timeout")
        #expect(try await shop.confirm(token, "14.99")["FundsAvailable"] == "Timeout")
        await shop.test.recover()
        #expect(try await shop.cancel(token, "10.99")["ResponseCode"] == "Success")
        #expect(try await shop.test.bookedCount(.adjustment) == 1)
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// The rest lapses with the authorization.
    @Test func refusesToCancelTheRestWhereTheAcquirerChangesNoTotals() async throws {
        let shop = try await RadialShop.open {
            $0.connectors = [SharedAcquirerConnector(NotingAcquirer(), takesLive: true)]
        }
        let token = try await shop.authorized(1499)
        _ = try await shop.settle(token, "4.00", request: "s1")
        #expect(try await shop.cancel(token, "10.99").fault == "409 AlreadySettledException")
    }

    /// A plugin cancels the orders whose funds are not confirmed, and could do so with none if it were refused.
    @Test func cancellationOfWhatCameToNothingIsNoFault() async throws {
        let shop = try await RadialShop.open()
        for (minorUnits, order) in [(Int64(5757), "2"), (6363, "3")] {
            let token = try await shop.authorize(minorUnits, order: order, request: order).accountToken
            await shop.test.recover()
            let amount = order == "2" ? "57.57" : "63.63"
            #expect(try await shop.confirm(token, amount, order: order)["FundsAvailable"] == "Fail")
            let reply = try await shop.cancel(token, amount, order: order, request: "c\(order)")
            #expect(reply.root.name == "AckReply" && reply["ResponseCode"] == "Fail")
            #expect(reply["RequestId"] == "c\(order)" && reply["OrderId"] == order)
        }
        #expect(try await shop.sent().isEmpty)
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    // MARK: - Funds

    @Test(arguments: ["funds/confirm", "funds/confirm/async"])
    func confirmsWhatIsLeft(path: String) async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(10_000)
        let reply = try await shop.confirm(token, "100.00", path: path)
        #expect(reply.root.name == "ConfirmFundsReply" && reply["FundsAvailable"] == "Success")
        #expect(
            reply.accountToken == token && reply["PaymentContext/OrderId"] == "1"
                && reply["ReauthorizationAttempted"] == "false")
        #expect(try await shop.confirm(token, "100.01", path: path)["FundsAvailable"] == "Fail")
        _ = try await shop.settle(token, "40.00", request: "s1")
        // The original amount, although a part of it is settled.
        #expect(try await shop.confirm(token, "100.00", path: path)["FundsAvailable"] == "Success")
        _ = try await shop.settle(token, "60.00", request: "s2")
        #expect(try await shop.confirm(token, "100.00", path: path)["FundsAvailable"] == "Fail")
        let foreign = Sample.confirmFunds(token, "1.00", request: "f").replacing("USD", with: "CAD")
        #expect(try await shop.send("\(path)/VC.xml", foreign).fault == "400 CurrencyMismatchException")
    }

    /// Whoever is answered Fail cancels the order, whose debit may come to nothing a moment later.
    @Test(arguments: [("63.63", true, "Success"), ("58.58", true, "Fail"), ("100.00", false, "Fail")])
    func whatADebitUnderWayMayLeaveIsNotKnown(amount: String, isFinal: Bool, later: String) async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(10_000)
        if !isFinal { shop.test.script.append(.init(.capture, .nth(1), fault: .dropAfterBooking)) }
        let debit = try await shop.settle(token, amount, request: "s1", isFinal: isFinal)
        #expect(debit["ResponseCode"] == "Timeout")
        #expect(try await shop.confirm(token, "100.00")["FundsAvailable"] == "Timeout")
        #expect(try await shop.confirm(token, "100.01")["FundsAvailable"] == "Fail", "it never was")
        await shop.test.recover()
        #expect(try await shop.confirm(token, "100.00")["FundsAvailable"] == later)
    }

    @Test func whatADebitUnderWayLeavesForCertainIsConfirmed() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(10_000)
        #expect(try await shop.settle(token, "58.58", request: "s1")["ResponseCode"] == "Timeout")
        #expect(try await shop.confirm(token, "100.00")["FundsAvailable"] == "Success")
    }

    @Test func everyFollowUpNeedsAnAccount() async throws {
        let shop = try await RadialShop.open()
        let body = Sample.cancel("x", "14.99", request: "c")
        let account = "<PaymentAccountUniqueId isToken=\"true\">x</PaymentAccountUniqueId>"
        #expect(
            try await shop.send("auth/cancel/VC.xml", body.replacing(account, with: "")).fault
                == "400 InvalidRequestException")
        let encrypted = body.replacing(
            account, with: "<EncryptedPaymentAccountUniqueId>x</EncryptedPaymentAccountUniqueId>")
        #expect(
            try await shop.send("auth/cancel/VC.xml", encrypted).fault == "400 EncryptedAccountNotSupportedException")
        let base = body.replacing("PaymentContext>", with: "PaymentContextBase>").replacing(account, with: "")
        #expect(
            try await shop.send("auth/cancel/VC.xml", base)["Description"]
                == "PaymentAuthCancelRequest/PaymentContext is missing.")
    }
}
