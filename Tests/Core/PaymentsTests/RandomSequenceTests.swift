//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Money
import Payments
import TestRandom
import Testing
import Time

/// Thousands of random sequences of events, seeded: what must always hold, holds after every one.
@Suite("Random sequences")
struct RandomSequenceTests {
    private struct Run {
        let opened: Payment
        var payment: Payment
        var events: [(event: PaymentEvent, at: Timestamp)] = []
        var refusals: Set<PaymentRefusal> = []
        var journal: [JournalEntry] = []
        var versions: [Payment] = []
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func keepsItsInvariants(_ block: UInt64) throws {
        var refusals: Set<PaymentRefusal> = []
        var states: Set<PaymentState> = []
        var kinds: Set<PaymentOperation.Kind> = []
        for number in 0..<500 {
            var random = SeededRandom(seed: block * 500 + UInt64(number))
            let run = try self.run(&random)
            refusals.formUnion(run.refusals)
            states.formUnion(run.versions.map(\.state))
            kinds.formUnion(run.payment.operations.map(\.kind))
            try self.checkReplay(run)
            self.checkHistory(run)
        }
        // The walk goes everywhere, or it proves little.
        #expect(states == Set(PaymentState.allCases))
        #expect(kinds == Set(PaymentOperation.Kind.allCases))
        #expect(refusals.isSuperset(of: Set(PaymentRefusal.allCases).subtracting([.tooManyOperations])))
    }

    private func run(_ random: inout SeededRandom) throws -> Run {
        let amount = Int64.random(in: 1...1000, using: &random)
        let opened = try self.opening(amount, &random)
        var run = Run(opened: opened, payment: opened, versions: [opened])
        var balances = LedgerBalances()
        for step in 1...Int.random(in: 5...40, using: &random) {
            let event = try self.event(step, run.payment, &random)
            let now = Story.start.adding(milliseconds: Int64(step))
            let change: PaymentChange
            do throws(PaymentRefusal) {
                change = try run.payment.transition(on: event, at: now)
            } catch {
                run.refusals.insert(error)
                continue
            }
            #expect(change.payment.version == run.payment.version + 1)
            for entry in change.journal { try balances.add(entry) }
            run.payment = change.payment
            run.journal += change.journal
            run.events.append((event, now))
            run.versions.append(change.payment)
            self.check(change.payment, balances, run.journal)
        }
        return run
    }

    /// One in sixteen only verifies a card.
    private func opening(_ amount: Int64, _ random: inout SeededRandom) throws -> Payment {
        guard Int.random(in: 0..<16, using: &random) > 0 else {
            return Payment.verifying(
                id: Story.paymentID, merchantID: Story.merchantID, mode: .live, dialect: DialectName("test"),
                acquirer: AcquirerName("simulator"), accountID: Story.accountID, orderID: nil,
                currency: try Story.money("0").currency,
                instrument: Story.instrument, verificationID: self.id(0), at: Story.start)
        }
        return try Payment.opening(
            id: Story.paymentID, merchantID: Story.merchantID, mode: .live, dialect: DialectName("test"),
            acquirer: AcquirerName("simulator"), accountID: Story.accountID, orderID: nil,
            amount: Story.money("\(amount)"),
            instrument: Story.instrument, authorizationID: self.id(0),
            saleCaptureID: Int.random(in: 0..<4, using: &random) == 0 ? self.id(9999) : nil,
            acceptsPartialApproval: Bool.random(using: &random), at: Story.start)
    }

    // MARK: - The walk

    private func id(_ number: Int) -> OperationID {
        OperationID(at: Story.start, random: [1, UInt8(number >> 8), UInt8(number & 0xFF)])
    }

    private func event(_ step: Int, _ payment: Payment, _ random: inout SeededRandom) throws -> PaymentEvent {
        let target = payment.operations.randomElement(using: &random)?.id ?? self.id(step)
        let bound = max(2, payment.amount.minorUnits + payment.amount.minorUnits / 4)
        var amount = try Story.money("\(Int64.random(in: 1...bound, using: &random))")
        switch Int.random(in: 0..<40, using: &random) {
        case 0: amount = try Story.money("0")
        case 1: amount = try Story.money("1USD")
        default: break
        }
        let action: OperationRequest.Action
        switch Int.random(in: 0..<21, using: &random) {
        case 0...2: action = .capture(amount, isFinal: Int.random(in: 0..<4, using: &random) == 0)
        case 3: action = .capture(payment.capturableAmount, isFinal: false)
        case 4: action = .void(of: Bool.random(using: &random) ? nil : target)
        case 10: action = .void(of: target)
        case 11: action = .adjustment(amount)
        case 5, 6: action = .refund(amount)
        case 7: action = .refund(payment.refundableAmount)
        case 8, 9: action = .reversal(of: target)
        case 12: return .report(self.report(step, target, amount, &random))
        default:
            return .resolve(
                self.openOperation(payment, &random) ?? target, try self.resolution(payment, amount, target, &random))
        }
        return .begin(OperationRequest(id: self.id(step), action: action))
    }

    /// Some with a fee, some with a name that others have too.
    private func report(
        _ step: Int, _ target: OperationID, _ amount: Money, _ random: inout SeededRandom
    ) -> AcquirerReport {
        let isChargeback = Int.random(in: 0..<3, using: &random) == 0
        return AcquirerReport(
            id: self.id(step), event: isChargeback ? .chargedBack(amount) : .failed(target, .doNotHonor),
            fee: Int.random(in: 0..<4, using: &random) == 0 ? amount : nil,
            reference: Int.random(in: 0..<8, using: &random) == 0 ? "report" : nil)
    }

    /// Mostly one that waits for its end; at times any, or one that isn't there.
    private func openOperation(_ payment: Payment, _ random: inout SeededRandom) -> OperationID? {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: nil
        case 1: self.id(8888)
        default: payment.operations.filter { !$0.state.isResolved }.randomElement(using: &random)?.id
        }
    }

    private func resolution(
        _ payment: Payment, _ amount: Money, _ target: OperationID, _ random: inout SeededRandom
    ) throws -> Resolution {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return .succeeded(approved: amount, AcquirerAnswer(reference: "1"))
        case 1: return .unknown(.timedOut)
        case 2: return .unknown(.unclear)
        case 3: return .failed(.reversed, AcquirerAnswer())
        case 10: return .accepted(AcquirerAnswer())
        case 11: return .failed(.notProcessed(.notSent), AcquirerAnswer())
        case 4:
            let reason = DeclineReason.allCases.randomElement(using: &random) ?? .unspecified
            return .failed(.declined(reason), AcquirerAnswer(responseCode: "05"))
        default:
            let open = payment.operations.filter { !$0.state.isResolved }
            return .succeeded(approved: open.last?.amount ?? amount, AcquirerAnswer(reference: "2"))
        }
    }

    // MARK: - What always holds

    private func check(_ payment: Payment, _ balances: LedgerBalances, _ journal: [JournalEntry]) {
        let (authorized, captured, refunded, chargedBack) = (
            payment.authorizedAmount.minorUnits, payment.capturedAmount.minorUnits, payment.refundedAmount.minorUnits,
            payment.chargedBackAmount.minorUnits
        )
        #expect(0 <= refunded && 0 <= captured && captured <= authorized && 0 <= chargedBack)
        // A capture may come to nothing after it was refunded. What is being voided may be charged back before that is done.
        let kinds = Set(payment.operations.filter { $0.state == .succeeded }.map(\.kind))
        if !kinds.contains(.lateFailure) { #expect(refunded <= captured) }
        if kinds.isDisjoint(with: [.lateFailure, .void]) { #expect(chargedBack <= captured) }
        #expect(authorized <= payment.operations.map(\.amount.minorUnits).max() ?? 0)
        #expect((0...authorized - captured).contains(payment.capturableAmount.minorUnits))
        #expect((0...max(0, captured - refunded - chargedBack)).contains(payment.refundableAmount.minorUnits))
        if payment.state == .voided { #expect(captured == 0) }
        if payment.opening?.kind == .verification {
            #expect(journal.isEmpty && payment.operations.allSatisfy(\.amount.isZero))
        }
        // What came to nothing late counts for nothing, whether it is shown as failed or not.
        let known = payment.asKnown
        #expect(known.state == payment.state && known.capturedAmount == payment.capturedAmount)
        #expect(known.keptAmount == payment.keptAmount)
        self.checkLedger(payment, balances, journal)
    }

    private func checkLedger(_ payment: Payment, _ balances: LedgerBalances, _ journal: [JournalEntry]) {
        #expect(balances.isBalanced)
        let currency = payment.amount.currency
        let payable = Bookkeeping.payable(to: payment.merchantID)
        let receivable = Bookkeeping.receivable(of: payment.accountID)
        let isFinished =
            payment.state == .voided || payment.state == .declined
            || payment.operations.contains {
                $0.isFinalCapture && $0.state == .succeeded && !payment.isUndone($0.id)
            }
        let rest = (payment.authorizedAmount - payment.capturedAmount).minorUnits
        let held = isFinished ? 0 : rest
        let kept = payment.keptAmount.minorUnits
        let sum = { (kind: JournalEntry.Kind) in
            journal.filter { $0.kind == kind }.compactMap(\.postings.first).reduce(0) { $0 + $1.amount.minorUnits }
        }
        #expect(balances[payable, .pending, currency].creditBalance == held)
        #expect(balances[receivable, .pending, currency].creditBalance == -held)
        #expect(balances[payable, .posted, currency].creditBalance == kept)
        #expect(balances[receivable, .posted, currency].creditBalance == sum(.fee) - kept)
        #expect(balances[Bookkeeping.fees(of: payment.accountID), .posted, currency].creditBalance == -sum(.fee))
        #expect(Set(journal.map(\.id)).count == journal.count)
        // What is taken back or set anew is booked beside what it changes.
        let isPlain = !payment.operations.contains { operation in
            operation.state == .succeeded && (operation.target != nil || operation.kind == .adjustment)
        }
        let isVoidedSale = payment.state == .voided && payment.authorization?.isSale == true
        guard isPlain, !isVoidedSale else { return }
        #expect(sum(.hold) == payment.authorizedAmount.minorUnits)
        #expect(sum(.capture) == payment.capturedAmount.minorUnits)
        #expect(sum(.refund) == payment.refundedAmount.minorUnits)
        #expect(sum(.chargeback) == payment.chargedBackAmount.minorUnits)
        #expect(sum(.release) == (isFinished ? rest : 0))
    }

    /// The same events give the same payment, and what a store reads back is the same payment.
    private func checkReplay(_ run: Run) throws {
        var replayed = run.opened
        var journal: [JournalEntry] = []
        for (event, now) in run.events {
            let change = try replayed.transition(on: event, at: now)
            replayed = change.payment
            journal += change.journal
        }
        #expect(replayed == run.payment)
        #expect(journal == run.journal)
        let payment = run.payment
        let stored = Payment(
            id: payment.id, merchantID: payment.merchantID, mode: payment.mode, dialect: payment.dialect,
            acquirer: payment.acquirer, accountID: payment.accountID, orderID: payment.orderID, amount: payment.amount,
            instrument: payment.instrument,
            createdAt: payment.createdAt, version: payment.version,
            operations: payment.operations.map { operation in
                Operation(
                    id: operation.id, kind: operation.kind, amount: operation.amount,
                    saleCaptureID: operation.saleCaptureID, isFinalCapture: operation.isFinalCapture,
                    target: operation.target, acceptsPartialApproval: operation.acceptsPartialApproval,
                    labels: operation.labels, begunAt: operation.begunAt, begunInVersion: operation.begunInVersion,
                    state: operation.state, approvedAmount: operation.approvedAmount, answer: operation.answer,
                    resolvedAt: operation.resolvedAt, resolvedInVersion: operation.resolvedInVersion,
                    unknownReason: operation.unknownReason, leftOpenInVersion: operation.leftOpenInVersion,
                    lateFailureReason: operation.lateFailureReason)
            })
        #expect(stored == payment)
    }

    private func checkHistory(_ run: Run) {
        #expect(run.versions.map(\.version) == Array(1...run.versions.count))
        for earlier in run.versions {
            #expect(run.payment.asOf(version: earlier.version) == earlier.asOf(version: earlier.version))
        }
    }
}
