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
        SimulatorAcquirer(book: self.world.book, behavior: self.world.behavior).capabilities
    }

    /// What is asked for before anything is sent may be lost like all else, and then nothing is sent.
    func prepare(_ request: AcquirerRequest) async -> AcquirerPreparation {
        guard self.process.isAlive, !self.world.happens(percent: 3) else {
            return .notProcessed(NotProcessed(.notSent, "lost"))
        }
        return await self.world.acquirer().prepare(request)
    }

    func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
        await self.checkProof(request)
        let outcome = await self.send(SimulatorCall(request.action), request.operationID) { acquirer in
            switch (request.action, self.world.settings.bug) {
            case (.capture, .acquirerBooksTwice): _ = await acquirer.perform(request.again)
            case (.refund, .acquirerForgets):
                return .approved(AcquirerApproval(amount: request.amount, answer: AcquirerAnswer(responseCode: "00")))
            default: break
            }
            return await acquirer.perform(request)
        }
        if case .notProcessed = outcome { self.forgetProof(request) }
        return self.withoutAmount(outcome, of: request)
    }

    /// Some acquirers repeat no amount in the answer to a reversal.
    private func withoutAmount(_ outcome: AcquirerOutcome, of request: AcquirerRequest) -> AcquirerOutcome {
        switch (request.action, outcome) {
        case (.void, .approved(let approval)) where !self.world.repeatsAmounts,
            (.reverse, .approved(let approval)) where !self.world.repeatsAmounts:
            .approved(AcquirerApproval(amount: .zero(request.amount.currency), answer: approval.answer))
        default: outcome
        }
    }

    func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome {
        let id = query.original.id
        guard self.process.isAlive else { return .unknown(.unclear("ended")) }
        let journey = self.world.journey(of: .query, id, from: self.process)
        return await withCheckedContinuation { continuation in
            Task(executorPreference: self.world.outside) {
                let acquirer = self.world.acquirer(journey.script(.query, self.world))
                let outcome = await acquirer.query(query)
                self.world.note("acquirer: query of \(id) \(outcome.word)")
                continuation.resume(returning: outcome)
            }
        }
    }

    /// One request on its way. Whatever becomes of the process meanwhile, what has left arrives.
    private func send(
        _ call: SimulatorCall, _ id: OperationID,
        _ make: @escaping @Sendable (SimulatorAcquirer) async -> AcquirerOutcome
    ) async -> AcquirerOutcome {
        guard self.process.isAlive else { return .unclear("ended") }
        let journey = self.world.journey(of: call, id, from: self.process)
        return await withCheckedContinuation { continuation in
            Task(executorPreference: self.world.outside) {
                let acquirer = self.world.acquirer(journey.script(call, self.world))
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
                    let again = await make(self.world.acquirer())
                    self.world.note("acquirer: again \(call.rawValue) \(id) \(again.word)")
                }
                await self.world.checkPosition(of: id)
            }
        }
    }

    /// A card's proof pays once, whoever asks: one operation for each.
    private func checkProof(_ request: AcquirerRequest) async {
        guard self.process.isAlive, let proof = request.proof else { return }
        let first = self.world.state.withLock { state in
            let first = state.proofs[proof] ?? request.operationID
            state.proofs[proof] = first
            return first
        }
        guard first != request.operationID else { return }
        // One that never arrived, and after the quiet time never will, has used nothing up either, nor has one of which the
        // acquirer itself knows no end. If it came after all, its book would not agree with the gateway's.
        let hasArrived: Bool
        do { hasArrived = try await self.world.book.entry(first)?.reported != nil } catch { hasArrived = true }
        if hasArrived || self.world.behavior.recovery.remembersReversals {
            self.world.record.violation("\(first) and \(request.operationID) are paid with the same cryptogram")
        }
        self.world.state.withLock { $0.proofs[proof] = request.operationID }
    }

    /// What was not processed has used nothing up.
    private func forgetProof(_ request: AcquirerRequest) {
        guard let proof = request.proof else { return }
        self.world.state.withLock { state in
            if state.proofs[proof] == request.operationID { state.proofs[proof] = nil }
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
    fileprivate func acquirer(_ script: SimulatorScript = SimulatorScript()) -> SimulatorAcquirer {
        SimulatorAcquirer(book: self.book, script: script, behavior: self.behavior)
    }

    private static let faults: [SimulatedFault] = [
        .requestLost, .answerLost, .answerGarbled, .requestLate, .answerLate, .requestDuplicated,
        .requestDuplicatedLater, .declined, .accepted, .notProcessed,
    ]

    func journey(of call: SimulatorCall, _ id: OperationID, from process: NodeProcess) -> Journey {
        var journey = Journey()
        guard self.happens(percent: self.weather.acquirer) else { return journey }
        var fault = self.draw { Self.faults.randomElement(using: &$0) } ?? .requestLost
        switch (call, fault) {
        case (.query, .answerLate): break
        case (.query, _): fault = .queryUnknown
        case (.reverse, .declined): fault = .reversalDeclined
        // Who neither answers queries nor reports could not say later how it ended.
        case (_, .accepted) where self.behavior.recovery == .reversal: fault = .answerLost
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
        case .accepted: journey.fault = .accept
        case .notProcessed: journey.fault = .refuse(.busy)
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

extension AcquirerRequest {
    /// The same under another id: what an acquirer that books twice makes of it.
    fileprivate var again: AcquirerRequest {
        AcquirerRequest(
            operationID: OperationID(at: self.begunAt, random: Array(self.operationID.text.utf8.suffix(10))),
            paymentID: self.paymentID, merchantID: self.merchantID, amount: self.amount, begunAt: self.begunAt,
            action: self.action)
    }

    /// The cryptogram of an authorization.
    fileprivate var proof: [UInt8]? {
        guard case .authorize(let charge) = self.action, case .networkToken(let token) = charge.instrument,
            case .cryptogram(let bytes) = token.proof
        else { return nil }
        return bytes.reveal()
    }
}

extension AcquirerOutcome {
    var word: String {
        switch self {
        case .approved(let approval): "approved \(approval.amount)"
        case .declined(let decline): "declined \(decline.reason.rawValue)"
        case .accepted: "accepted"
        case .notProcessed(let not): "not processed \(not.reason.rawValue)"
        case .unknown(let unknown): "unknown \(unknown.word)"
        }
    }
}

extension AcquirerQueryOutcome {
    var word: String {
        switch self {
        case .approved(let approval): "approved \(approval.amount)"
        case .declined(let decline): "declined \(decline.reason.rawValue)"
        case .accepted: "accepted"
        case .reversed: "reversed"
        case .notFound: "not found"
        case .unknown(let unknown): "unknown \(unknown.word)"
        }
    }
}
