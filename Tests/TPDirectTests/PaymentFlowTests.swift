//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Testing

@testable import TPDirect

/// Every event in every state.
@Suite struct PaymentFlowTests {
    typealias Phase = PaymentFlow.Phase

    static let lost = TPDFailure(.gatewayTimeout)
    static let reportedByApp = TPDFailure(.reportedByApp)
    static let bad = TPDFailure(.noPaymentData)

    /// The request under way has number 7; 6 is a late one's.
    static let states: [Phase] = [
        .idle, .presenting, .authorizing(.requestingPrime(isRetry: false)),
        .authorizing(.requestingPrime(isRetry: true)), .authorizing(.awaitingResult),
        .authorizing(.awaitingResultWithoutSheet), .showingResult(.succeeded), .showingResult(.failed(lost)),
        .finished,
    ]

    static let events: [PaymentEvent] = [
        .start(nil), .start(bad), .sheetShown, .sheetNotShown, .authorized(.allowed), .authorized(.refusedByApp),
        .authorized(.failed(bad)), .primeReceived(request: 7), .primeReceived(request: 6),
        .primeFailed(request: 7, lost, neverLeft: false), .primeFailed(request: 7, lost, neverLeft: true),
        .primeFailed(request: 6, lost, neverLeft: true), .resultShown(isSuccess: true),
        .resultShown(isSuccess: false), .sheetClosed, .appGone,
    ]

    struct Cell: Hashable {
        let phase: Phase
        let event: PaymentEvent
    }

    struct Step: Equatable {
        let phase: Phase
        let effects: [PaymentEffect]

        init(_ phase: Phase, _ effects: [PaymentEffect] = []) {
            self.phase = phase
            self.effects = effects
        }
    }

    /// What happens; every cell that is not listed leaves the state as it is, and does nothing, but that an
    /// authorization is refused.
    static let table: [Cell: Step] = {
        var table: [Cell: Step] = [:]
        func on(_ phase: Phase, _ event: PaymentEvent, _ next: Phase, _ effects: [PaymentEffect] = []) {
            table[Cell(phase: phase, event: event)] = Step(next, effects)
        }
        for phase in [Phase.idle, .finished] {
            on(phase, .start(nil), .presenting, [.presentSheet])
            on(phase, .start(bad), .finished, [.reportFailed(bad)])
        }
        let first = Phase.authorizing(.requestingPrime(isRetry: false))
        let retry = Phase.authorizing(.requestingPrime(isRetry: true))

        on(.presenting, .sheetShown, .presenting, [.reportStarted])
        on(.presenting, .sheetNotShown, .finished, [.reportFailed(TPDFailure(.deviceNotSupported))])
        on(.presenting, .authorized(.allowed), first, [.requestPrime(request: 8)])
        on(.presenting, .authorized(.failed(bad)), .showingResult(.failed(bad)), [.refuseAuthorization])
        on(.presenting, .sheetClosed, .finished, [.dismissSheet, .reportFinished, .reportCancelled])
        on(.presenting, .appGone, .finished, [.dismissSheet])

        for phase in [first, retry] {
            on(phase, .primeReceived(request: 7), .authorizing(.awaitingResult), [.deliverPrime])
            for neverLeft in [false, true] {
                on(
                    phase, .primeFailed(request: 7, lost, neverLeft: neverLeft), .showingResult(.failed(lost)),
                    [.endAuthorization(isSuccess: false)])
            }
            on(phase, .sheetClosed, .finished, [.dropRequest, .dismissSheet, .reportFinished, .reportCancelled])
            on(phase, .appGone, .finished, [.dropRequest, .endAuthorization(isSuccess: false), .dismissSheet])
        }
        on(first, .primeFailed(request: 7, lost, neverLeft: true), retry, [.requestPrime(request: 8)])

        let awaiting = Phase.authorizing(.awaitingResult)
        let alone = Phase.authorizing(.awaitingResultWithoutSheet)
        on(awaiting, .resultShown(isSuccess: true), .showingResult(.succeeded), [.endAuthorization(isSuccess: true)])
        on(
            awaiting, .resultShown(isSuccess: false), .showingResult(.failed(reportedByApp)),
            [.endAuthorization(isSuccess: false)])
        on(awaiting, .sheetClosed, alone, [.dismissSheet, .reportFinished])
        on(awaiting, .appGone, .finished, [.dismissSheet])

        on(alone, .resultShown(isSuccess: true), .finished, [.reportSucceeded])
        on(alone, .resultShown(isSuccess: false), .finished, [.reportFailed(reportedByApp)])
        on(alone, .appGone, .finished)

        on(
            .showingResult(.succeeded), .sheetClosed, .finished, [.dismissSheet, .reportFinished, .reportSucceeded])
        on(.showingResult(.succeeded), .appGone, .finished, [.dismissSheet])

        let failed = Phase.showingResult(.failed(lost))
        on(failed, .authorized(.allowed), first, [.requestPrime(request: 8)])
        on(failed, .authorized(.failed(bad)), .showingResult(.failed(bad)), [.refuseAuthorization])
        on(failed, .sheetClosed, .finished, [.dismissSheet, .reportFinished, .reportFailed(lost)])
        on(failed, .appGone, .finished, [.dismissSheet])
        return table
    }()

    @Test(arguments: states, events)
    func holdsEachCellOfTheTable(_ phase: Phase, _ event: PaymentEvent) {
        let (next, effects) = PaymentFlow(phase: phase, request: 7).reduce(event)
        let refusal: [PaymentEffect] = if case .authorized = event { [.refuseAuthorization] } else { [] }
        let expected = Self.table[Cell(phase: phase, event: event)] ?? Step(phase, refusal)
        #expect(Step(next.phase, effects) == expected)
        #expect(next.request == (effects.contains(.requestPrime(request: 8)) ? 8 : 7))
    }

    @Test func theTableNamesOnlyStatesAndEventsThatAreTried() {
        for cell in Self.table.keys {
            #expect(Self.states.contains(cell.phase))
            #expect(Self.events.contains(cell.event))
        }
    }

    @Test(arguments: states)
    func admitsAuthorizationsWhereTheTableDoes(_ phase: Phase) {
        let flow = PaymentFlow(phase: phase, request: 7)
        #expect(flow.takesAuthorization == flow.reduce(.authorized(.allowed)).1.contains(.requestPrime(request: 8)))
    }

    /// Walks every road of events up to a length, and holds what must hold on all of them.
    @Test func noRoadLeadsToADoublePrimeOrToTwoEnds() {
        var roads: [(flow: PaymentFlow, effects: [PaymentEffect])] = [(PaymentFlow(), [])]
        for _ in 0..<5 {
            roads = roads.flatMap { road in
                Self.moves(road.flow).map { event in
                    let (flow, effects) = road.flow.reduce(event)
                    return (flow, road.effects + effects)
                }
            }
            for road in roads { Self.check(road.effects) }
        }
        #expect(roads.count > 10_000)
    }

    private static func moves(_ flow: PaymentFlow) -> [PaymentEvent] {
        [
            .start(nil), .sheetShown, .authorized(.allowed), .primeReceived(request: flow.request),
            .primeFailed(request: flow.request, lost, neverLeft: true), .resultShown(isSuccess: true),
            .resultShown(isSuccess: false), .sheetClosed, .appGone,
        ]
    }

    private static func check(_ effects: [PaymentEffect]) {
        var requestsOpen = 0
        var starts = 0
        var ends = 0
        for effect in effects {
            switch effect {
            case .presentSheet: starts += 1
            case .requestPrime: requestsOpen += 1
            case .deliverPrime:
                #expect(requestsOpen >= 1)
                requestsOpen = 0
            case .reportSucceeded, .reportFailed, .reportCancelled: ends += 1
            default: break
            }
            #expect(ends <= starts)
            // A request and its one repetition.
            #expect(requestsOpen <= 2 || effects.contains(.endAuthorization(isSuccess: false)))
        }
    }
}
