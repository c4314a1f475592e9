//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Redaction
import SimulatorAcquirer
import Synchronization

/// The way from a process to the acquirer and back. The acquirer is the real simulator over one book for all; what goes
/// wrong on the way is drawn for each call.
struct Road: Acquirer {
    let process: NodeProcess
    let world: World

    let name = AcquirerName("simulator")

    var capabilities: AcquirerCapabilities {
        var capabilities = SimulatorAcquirer(book: self.world.book).capabilities
        capabilities.answersQueries = self.world.answersQueries
        return capabilities
    }

    func authorize(_ request: AcquirerAuthorization) async -> AcquirerOutcome {
        self.checkProof(request)
        return await self.send(.authorize, request.operationID) { await $0.authorize(request) }
    }

    func verify(_ request: AcquirerAuthorization) async -> AcquirerOutcome {
        await self.send(.verify, request.operationID) { await $0.verify(request) }
    }

    func capture(_ request: AcquirerFollowUp) async -> AcquirerOutcome {
        await self.send(.capture, request.operationID) { acquirer in
            if self.world.settings.bug == .acquirerBooksTwice { _ = await acquirer.capture(request.again) }
            return await acquirer.capture(request)
        }
    }

    func refund(_ request: AcquirerFollowUp) async -> AcquirerOutcome {
        await self.send(.refund, request.operationID) { acquirer in
            guard self.world.settings.bug == .acquirerForgets else { return await acquirer.refund(request) }
            return .approved(AcquirerApproval(amount: request.amount, answer: AcquirerAnswer(responseCode: "00")))
        }
    }

    func adjust(_ request: AcquirerFollowUp) async -> AcquirerOutcome {
        await self.send(.adjust, request.operationID) { await $0.adjust(request) }
    }

    func reverse(_ request: AcquirerReversal) async -> AcquirerOutcome {
        let outcome = await self.send(.reverse, request.operationID) { await $0.reverse(request) }
        // Some acquirers repeat no amount in the answer to a reversal.
        guard !self.world.repeatsAmounts, case .approved(let approval) = outcome else { return outcome }
        let nothing = Money.zero(request.amount.currency)
        return .approved(AcquirerApproval(amount: nothing, answer: approval.answer))
    }

    func query(_ request: AcquirerQuery) async -> AcquirerQueryOutcome {
        guard self.process.isAlive else { return .unknown("ended") }
        let journey = self.world.journey(of: .query, request.operationID, from: self.process)
        return await withCheckedContinuation { continuation in
            Task(executorPreference: self.world.outside) {
                let acquirer = SimulatorAcquirer(book: self.world.book, script: journey.script(.query, self.world))
                let outcome = await acquirer.query(request)
                self.world.note("acquirer: query of \(request.operationID) \(outcome.word)")
                continuation.resume(returning: outcome)
            }
        }
    }

    /// One request on its way. Whatever becomes of the process meanwhile, what has left arrives.
    private func send(
        _ call: SimulatorCall, _ id: OperationID,
        _ make: @escaping @Sendable (SimulatorAcquirer) async -> AcquirerOutcome
    ) async -> AcquirerOutcome {
        guard self.process.isAlive else { return .unknown("ended") }
        let journey = self.world.journey(of: call, id, from: self.process)
        return await withCheckedContinuation { continuation in
            Task(executorPreference: self.world.outside) {
                let acquirer = SimulatorAcquirer(book: self.world.book, script: journey.script(call, self.world))
                let outcome = await make(acquirer)
                self.world.note("acquirer: \(call.rawValue) \(id) \(outcome.word)")
                continuation.resume(returning: outcome)
                if journey.arrivesLater != nil || journey.arrivesAgain != nil {
                    try? await self.world.scheduler.sleep(
                        milliseconds: journey.arrivesLater ?? journey.arrivesAgain ?? 0)
                }
                for late in await acquirer.deliverLate() {
                    self.world.note("acquirer: late \(call.rawValue) \(late.operationID) \(late.outcome.word)")
                }
                if journey.arrivesAgain != nil {
                    let again = await make(SimulatorAcquirer(book: self.world.book))
                    self.world.note("acquirer: again \(call.rawValue) \(id) \(again.word)")
                }
                await self.world.checkPosition(of: id)
            }
        }
    }

    /// A card's proof pays once, whoever asks: one operation for each.
    private func checkProof(_ request: AcquirerAuthorization) {
        guard self.process.isAlive, case .networkToken(let token) = request.instrument,
            case .cryptogram(let bytes) = token.proof
        else { return }
        let first = self.world.state.withLock { state in
            let first = state.proofs[bytes.reveal()] ?? request.operationID
            state.proofs[bytes.reveal()] = first
            return first
        }
        if first != request.operationID {
            self.world.record.violation("\(first) and \(request.operationID) are paid with the same cryptogram")
        }
    }
}

/// What becomes of one request.
struct Journey: Sendable {
    var fault: SimulatorFault?
    /// On the way there and back.
    var there: ClosedRange<Int64> = 1...300
    var back: ClosedRange<Int64> = 1...300
    /// After how long a request arrives that was answered for lost, or arrives once more.
    var arrivesLater: Int64?
    var arrivesAgain: Int64?

    func script(_ call: SimulatorCall, _ world: World) -> SimulatorScript {
        SimulatorScript([
            .init(
                call, .nth(1), fault: self.fault,
                beforeBooking: { try? await world.sleep(milliseconds: self.there) },
                beforeAnswer: { try? await world.sleep(milliseconds: self.back) })
        ])
    }
}

extension World {
    private static let faults: [SimulatedFault] = [
        .requestLost, .answerLost, .answerGarbled, .requestLate, .answerLate, .requestDuplicated,
        .requestDuplicatedLater, .declined,
    ]

    func journey(of call: SimulatorCall, _ id: OperationID, from process: NodeProcess) -> Journey {
        var journey = Journey()
        guard self.happens(percent: self.weather.acquirer) else { return journey }
        var fault = self.draw { Self.faults.randomElement(using: &$0) } ?? .requestLost
        switch (call, fault) {
        case (.query, .answerLate): break
        case (.query, _): fault = .queryUnknown
        case (.reverse, .declined): fault = .reversalDeclined
        default: break
        }
        self.strike(fault, "\(process.name) \(call.rawValue) \(id)")
        switch fault {
        case .requestLost, .queryUnknown: journey.fault = .dropBeforeBooking
        case .answerLost: journey.fault = .dropAfterBooking
        case .answerGarbled: journey.fault = .garbage
        case .requestLate:
            journey.fault = .arriveLate
            journey.arrivesLater = self.number(in: 100...120_000)
        case .answerLate:
            if self.happens(percent: 50) { journey.there = 15_000...90_000 } else { journey.back = 15_000...90_000 }
        case .requestDuplicated: journey.fault = .duplicate
        case .requestDuplicatedLater: journey.arrivesAgain = self.number(in: 100...120_000)
        default: journey.fault = .decline(.insufficientFunds)
        }
        return journey
    }

    /// What the acquirer has booked keeps the limits too, whatever it was sent.
    func checkPosition(of id: OperationID) async {
        guard let entry = try? await self.book.entry(id), let position = try? await self.book.position(entry.paymentID)
        else { return }
        if position.captured > position.authorized {
            self.record.violation("\(entry.paymentID): the acquirer has captured more than it has authorized")
        }
        if position.refunded > position.captured {
            self.record.violation("\(entry.paymentID): the acquirer has refunded more than it has captured")
        }
    }
}

extension AcquirerFollowUp {
    /// The same under another id: what an acquirer that books twice makes of it.
    fileprivate var again: AcquirerFollowUp {
        AcquirerFollowUp(
            operationID: OperationID(at: self.at, random: Array(self.operationID.text.utf8.suffix(10))),
            paymentID: self.paymentID, merchantID: self.merchantID, authorizationID: self.authorizationID,
            authorizationReference: self.authorizationReference, amount: self.amount, isFinal: false, at: self.at)
    }
}

extension AcquirerOutcome {
    var word: String {
        switch self {
        case .approved(let approval): "approved \(approval.amount)"
        case .declined(let decline): "declined \(decline.reason.rawValue)"
        case .unknown(let word): "unknown \(word)"
        }
    }
}

extension AcquirerQueryOutcome {
    var word: String {
        switch self {
        case .approved(let approval): "approved \(approval.amount)"
        case .declined(let decline): "declined \(decline.reason.rawValue)"
        case .reversed: "reversed"
        case .notFound: "not found"
        case .unknown(let word): "unknown \(word)"
        }
    }
}
