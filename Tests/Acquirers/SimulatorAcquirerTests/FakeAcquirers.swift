//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerConformance
import BaseEncoding
import Payments
import Redaction
import SimulatorAcquirer
import Synchronization

// Acquirers that can do less than the simulator, or do it wrong.

extension AcquirerCapabilities {
    /// All that the suite has laws about.
    static let everything = AcquirerCapabilities(
        adjustments: Set(Adjustment.allCases), verifiesCards: true, recovery: .queryThenReversal)
}

/// An acquirer that is not one.
struct Yes: Acquirer {
    let name = AcquirerName("yes")
    let capabilities: AcquirerCapabilities

    init(_ capabilities: AcquirerCapabilities = .everything) {
        self.capabilities = capabilities
    }

    func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
        .approved(
            AcquirerApproval(
                amount: request.amount, answer: AcquirerAnswer(reference: "000000000000", responseCode: "00")))
    }

    func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome { .unknown(.unclear("yes")) }
}

/// The simulator behind a link that gives every request a new id.
actor Forgetful: Acquirer {
    nonisolated let name = AcquirerName("forgetful")
    nonisolated let capabilities = AcquirerCapabilities.everything
    private let simulator: SimulatorAcquirer
    private var callsCount: UInt8 = 0

    init(_ book: SimulatorBook) {
        self.simulator = SimulatorAcquirer(book: book)
    }

    func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
        self.callsCount &+= 1
        let id = OperationID(at: Desk.now, random: [0xFF, self.callsCount])
        return await self.simulator.perform(request.with(id: id))
    }

    func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome { await self.simulator.query(query) }
}

// MARK: - Less

/// What an acquirer may not be able to do.
enum Limit: CaseIterable {
    case answersNoQueries
    case reversesOnlyWhatItHas
    case makesNoSales
    case voidsNothing
    case voidsAuthorizationsAlone
    case adjustsUpwardsAlone
    case verifiesNoCards
    case doesTheLeast

    var capabilities: AcquirerCapabilities {
        var capabilities = AcquirerCapabilities.everything
        switch self {
        case .answersNoQueries: capabilities.recovery = .reversal
        case .reversesOnlyWhatItHas: capabilities.recovery = .query(quietSeconds: 60)
        case .makesNoSales: capabilities.sells = false
        case .voidsNothing: capabilities.voids = []
        case .voidsAuthorizationsAlone: capabilities.voids = [.authorization]
        case .adjustsUpwardsAlone: capabilities.adjustments = [.up]
        case .verifiesNoCards: capabilities.verifiesCards = false
        case .doesTheLeast:
            capabilities = AcquirerCapabilities(
                sells: false, voids: [.authorization], recovery: .query(quietSeconds: 60))
        }
        return capabilities
    }
}

/// The simulator behind a link that can do less. What its capabilities rule out it does not process.
final class Limited: Acquirer {
    let name = AcquirerName("limited")
    let capabilities: AcquirerCapabilities
    private let simulator: SimulatorAcquirer
    private let calls = Mutex(0)

    init(_ limit: Limit, _ book: SimulatorBook) {
        self.capabilities = limit.capabilities
        self.simulator = SimulatorAcquirer(book: book)
    }

    /// How often it has been asked for anything.
    var callsCount: Int { self.calls.withLock { $0 } }

    func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
        self.calls.withLock { $0 += 1 }
        guard await self.offers(request.action) else {
            return .notProcessed(NotProcessed(.requestRefused, "not_offered"))
        }
        return await self.simulator.perform(request)
    }

    func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome {
        self.calls.withLock { $0 += 1 }
        guard self.capabilities.recovery.answersQueries else { return .unknown(.unclear("not_offered")) }
        return await self.simulator.query(query)
    }

    private func offers(_ action: AcquirerRequest.Action) async -> Bool {
        switch action {
        case .authorize(let charge): self.capabilities.sells || !charge.captures
        case .verify: self.capabilities.verifiesCards
        case .capture, .refund: true
        // The laws are about both ways: whoever goes one way alone is asked for neither.
        case .adjust: self.capabilities.adjustments.count == AcquirerCapabilities.Adjustment.allCases.count
        case .void(let original): original.voidable.map(self.capabilities.voids.contains) ?? false
        case .reverse(let original):
            if self.capabilities.recovery.quietSeconds == nil {
                true
            } else {
                await (try? self.simulator.book.entry(original.id)) != nil
            }
        }
    }
}

extension OriginalOperation {
    fileprivate var voidable: AcquirerCapabilities.Voidable? {
        switch self.kind {
        case .authorization: self.isSale ? .sale : .authorization
        case .capture: .capture
        case .refund: .refund
        case .void, .adjustment, .verification, .reversal, .lateFailure, .chargeback: nil
        }
    }
}

// MARK: - Wrong

/// What one acquirer may do wrong.
enum Flaw: CaseIterable {
    case answersWithoutCodes
    case declinesReversalOfTheUnheard
    case voidsInWordsAlone
    case reversesInWordsAlone
    case forgetsWhichCaptureIsFinal
    case adjustsInWordsAlone
    case queriedWithoutItsAnswer
    case leavesItAtAccepted
    case processesNothing
    case hasNotDecidedWhenAsked
    case movesMoneyWhenItPrepares
    case notesTheCryptogram
    case notesTheNumberForEver
    case notesCardDataWithoutAnEnd
    case declinesWhatItRepeats
    case writesTheTokenAnew
    case sendsNoToken
    case sendsTheTokenUnderAnotherID
    case readsTheCardFromTheSheet
    case keepsTheCardToItself
}

/// The simulator with one flaw.
struct Flawed: Acquirer {
    let name = AcquirerName("flawed")
    let capabilities: AcquirerCapabilities
    private let flaw: Flaw
    private let simulator: SimulatorAcquirer
    /// What is flawed stands before it.
    let witness: SealedTokenWitness

    init(_ flaw: Flaw, _ book: SimulatorBook) {
        self.flaw = flaw
        let prepares = flaw == .movesMoneyWhenItPrepares
        self.simulator = SimulatorAcquirer(
            book: book, behavior: SimulatorBehavior(namesOperations: prepares, takesSealedTokens: flaw.isOfCustody))
        self.witness = SealedTokenWitness(self.simulator)
        var capabilities = AcquirerCapabilities.everything
        if flaw.isOfCustody { capabilities.forms = [.networkToken, .sealedApplePayToken] }
        if prepares { capabilities.memos = .prepared }
        if [.notesTheCryptogram, .notesTheNumberForEver, .notesCardDataWithoutAnEnd].contains(flaw) {
            capabilities.memos = .withOutcomes
        }
        if flaw == .declinesWhatItRepeats { capabilities.keyLifeSeconds = 0 }
        self.capabilities = capabilities
    }

    func prepare(_ request: AcquirerRequest) async -> AcquirerPreparation {
        let prepared = await self.simulator.prepare(request)
        if self.flaw == .movesMoneyWhenItPrepares, case .ready(let memo) = prepared {
            _ = await self.simulator.perform(request.with(memo))
        }
        return prepared
    }

    func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
        switch (self.flaw, request.action) {
        case (.voidsInWordsAlone, .void), (.reversesInWordsAlone, .reverse), (.adjustsInWordsAlone, .adjust):
            return .approved(
                AcquirerApproval(
                    amount: request.amount, answer: AcquirerAnswer(reference: "000000000000", responseCode: "00")))
        case (.forgetsWhichCaptureIsFinal, .capture(let original, _)):
            return await self.simulator.perform(request.with(.capture(of: original, isFinal: false)))
        case (.declinesReversalOfTheUnheard, .reverse(let original)):
            guard (try? await self.simulator.book.entry(original.id)) == nil else { break }
            return .declined(
                AcquirerDecline(reason: .invalidOperation, answer: AcquirerAnswer(responseCode: "12")))
        case (.processesNothing, _): return .notProcessed(NotProcessed(.busy, "busy"))
        default: break
        }
        let isRepeat = (try? await self.simulator.book.entry(request.operationID)) != nil
        let outcome = await self.witness.perform(self.tampered(request, isRepeat: isRepeat))
        switch (self.flaw, outcome) {
        case (.declinesWhatItRepeats, _) where isRepeat:
            return .declined(AcquirerDecline(reason: .invalidOperation, answer: AcquirerAnswer(responseCode: "12")))
        case (.answersWithoutCodes, .approved(let approval)):
            return .approved(AcquirerApproval(amount: approval.amount, answer: AcquirerAnswer()))
        case (.answersWithoutCodes, .declined(let decline)):
            return .declined(AcquirerDecline(reason: decline.reason, answer: AcquirerAnswer()))
        case (.notesTheCryptogram, .approved(let approval)), (.notesTheNumberForEver, .approved(let approval)),
            (.notesCardDataWithoutAnEnd, .approved(let approval)):
            return .approved(
                AcquirerApproval(amount: approval.amount, answer: approval.answer, memo: self.note(of: request)))
        case (.leavesItAtAccepted, _): return .accepted(AcquirerAcceptance())
        case (.readsTheCardFromTheSheet, .approved(let approval)):
            return self.answered(approval, card: request.sealed?.displayName.map { String($0.suffix(4)) })
        case (.keepsTheCardToItself, .approved(let approval)): return self.answered(approval, card: nil)
        default: return outcome
        }
    }

    private func answered(_ approval: AcquirerApproval, card suffix: String?) -> AcquirerOutcome {
        var answer = approval.answer
        answer.fundingPANSuffix = suffix
        return .approved(AcquirerApproval(amount: approval.amount, answer: answer))
    }

    /// What reaches the acquirer of a payment with a sealed token.
    private func tampered(_ request: AcquirerRequest, isRepeat: Bool) -> AcquirerRequest {
        guard let sealed = request.sealed else { return request }
        switch self.flaw {
        case .writesTheTokenAnew:
            let bytes = sealed.paymentData.map { bytes in bytes.filter { $0 != UInt8(ascii: " ") } }
            return request.paying(
                .sealedApplePayToken(
                    SealedApplePayToken(paymentData: bytes, transactionIdentifier: sealed.transactionIdentifier)))
        // One card for all customers.
        case .sendsNoToken: return request.paying(Desk.card).with(id: OperationID(at: Desk.now, random: [0xFE]))
        case .sendsTheTokenUnderAnotherID where isRepeat:
            return request.with(id: OperationID(at: Desk.now, random: [0xFE]))
        default: return request
        }
    }

    /// What must not be kept so, of an authorization.
    private func note(of request: AcquirerRequest) -> AcquirerMemo {
        guard case .authorize(let charge) = request.action, case .networkToken(let token) = charge.instrument else {
            return AcquirerMemo()
        }
        switch (self.flaw, token.proof) {
        case (.notesTheCryptogram, .cryptogram(let bytes)):
            return AcquirerMemo(["proof": Redacted("v=\(Hex.encode(bytes.reveal()))")])
        case (.notesTheNumberForEver, _): return AcquirerMemo(["number": token.pan])
        case (.notesCardDataWithoutAnEnd, _): return AcquirerMemo(cardData: ["number": token.pan])
        default: return AcquirerMemo()
        }
    }

    func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome {
        let outcome = await self.simulator.query(query)
        switch (self.flaw, outcome) {
        case (.queriedWithoutItsAnswer, .approved(let approval)):
            return .approved(AcquirerApproval(amount: approval.amount, answer: AcquirerAnswer()))
        case (.queriedWithoutItsAnswer, .declined(let decline)):
            return .declined(AcquirerDecline(reason: decline.reason, answer: AcquirerAnswer()))
        case (.hasNotDecidedWhenAsked, _): return .accepted(AcquirerAcceptance())
        default: return outcome
        }
    }
}

extension Flaw {
    /// Whether it is one of an acquirer that takes sealed tokens.
    fileprivate var isOfCustody: Bool {
        switch self {
        case .writesTheTokenAnew, .sendsNoToken, .sendsTheTokenUnderAnotherID, .readsTheCardFromTheSheet,
            .keepsTheCardToItself:
            true
        default: false
        }
    }
}

extension AcquirerRequest {
    fileprivate var sealed: SealedApplePayToken? {
        guard case .authorize(let charge) = self.action, case .sealedApplePayToken(let sealed) = charge.instrument
        else {
            return nil
        }
        return sealed
    }

    /// The same, paid with something else.
    fileprivate func paying(_ instrument: PaymentInstrument) -> AcquirerRequest {
        guard case .authorize(var charge) = self.action else { return self }
        charge.instrument = instrument
        return self.with(.authorize(charge))
    }

    /// The same under another id, or with another thing to do.
    fileprivate func with(id: OperationID? = nil, _ action: Action? = nil) -> AcquirerRequest {
        AcquirerRequest(
            operationID: id ?? self.operationID, paymentID: self.paymentID, merchantID: self.merchantID,
            amount: self.amount, begunAt: self.begunAt, action: action ?? self.action)
    }
}
