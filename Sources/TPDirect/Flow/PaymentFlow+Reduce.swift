//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension PaymentFlow {
    /// The next state, and what is to be done. An event that does not belong into a state changes nothing; an
    /// authorization is answered always, since the sheet waits for it.
    func reduce(_ event: PaymentEvent) -> (PaymentFlow, [PaymentEffect]) {
        switch self.phase {
        case .idle, .finished: self.outside(event)
        case .presenting: self.presenting(event)
        case .authorizing(.requestingPrime(let isRetry)): self.requestingPrime(event, isRetry: isRetry)
        case .authorizing(.awaitingResult): self.awaitingResult(event)
        case .authorizing(.awaitingResultWithoutSheet): self.awaitingResultWithoutSheet(event)
        case .showingResult(let outcome): self.showingResult(event, outcome)
        }
    }

    /// Whether an authorization may become a request.
    var takesAuthorization: Bool {
        switch self.phase {
        case .presenting, .showingResult(.failed): true
        case .idle, .authorizing, .showingResult(.succeeded), .finished: false
        }
    }

    private func outside(_ event: PaymentEvent) -> (PaymentFlow, [PaymentEffect]) {
        switch event {
        case .start(nil): self.to(.presenting, [.presentSheet])
        case .start(let failure?): self.to(.finished, [.reportFailed(failure)])
        case .authorized: self.stay([.refuseAuthorization])
        case .sheetShown, .sheetNotShown, .primeReceived, .primeFailed, .resultShown, .sheetClosed, .appGone:
            self.stay()
        }
    }

    private func presenting(_ event: PaymentEvent) -> (PaymentFlow, [PaymentEffect]) {
        switch event {
        case .sheetShown: self.stay([.reportStarted])
        case .sheetNotShown: self.to(.finished, [.reportFailed(TPDFailure(.deviceNotSupported))])
        case .authorized(.allowed): self.requesting(isRetry: false)
        case .authorized(.refusedByApp): self.stay([.refuseAuthorization])
        case .authorized(.failed(let failure)): self.to(.showingResult(.failed(failure)), [.refuseAuthorization])
        case .sheetClosed: self.to(.finished, [.dismissSheet, .reportFinished, .reportCancelled])
        case .appGone: self.to(.finished, [.dismissSheet])
        case .start, .primeReceived, .primeFailed, .resultShown: self.stay()
        }
    }

    private func requestingPrime(_ event: PaymentEvent, isRetry: Bool) -> (PaymentFlow, [PaymentEffect]) {
        switch event {
        case .authorized: self.stay([.refuseAuthorization])
        case .primeReceived(let request):
            request == self.request ? self.to(.authorizing(.awaitingResult), [.deliverPrime]) : self.stay()
        case .primeFailed(let request, let failure, let neverLeft):
            if request != self.request {
                self.stay()
            } else if neverLeft, !isRetry {
                // One getprime per authorized payment. The one exception: the connection was never made (no route, no
                // name, no listener), so that no byte of the token can have reached the gateway, and a second request
                // is still the first that it sees. A request that timed out or broke off may have been answered with
                // a prime that got lost: it is not repeated, and the customer authorizes a new token if he tries again.
                self.requesting(isRetry: true)
            } else {
                self.to(.showingResult(.failed(failure)), [.endAuthorization(isSuccess: false)])
            }
        // No prime has reached the app: this is a true cancellation, and a late prime will be dropped.
        case .sheetClosed: self.to(.finished, [.dropRequest, .dismissSheet, .reportFinished, .reportCancelled])
        case .appGone: self.to(.finished, [.dropRequest, .endAuthorization(isSuccess: false), .dismissSheet])
        case .start, .sheetShown, .sheetNotShown, .resultShown: self.stay()
        }
    }

    private func awaitingResult(_ event: PaymentEvent) -> (PaymentFlow, [PaymentEffect]) {
        switch event {
        case .authorized: self.stay([.refuseAuthorization])
        case .resultShown(true): self.to(.showingResult(.succeeded), [.endAuthorization(isSuccess: true)])
        case .resultShown(false):
            self.to(.showingResult(.failed(TPDFailure(.reportedByApp))), [.endAuthorization(isSuccess: false)])
        // Not cancelled: the server may be charging the card. The app's word is awaited, however long it takes.
        case .sheetClosed: self.to(.authorizing(.awaitingResultWithoutSheet), [.dismissSheet, .reportFinished])
        // Nobody will ever say how it ended; the sheet claims neither.
        case .appGone: self.to(.finished, [.dismissSheet])
        case .start, .sheetShown, .sheetNotShown, .primeReceived, .primeFailed: self.stay()
        }
    }

    private func awaitingResultWithoutSheet(_ event: PaymentEvent) -> (PaymentFlow, [PaymentEffect]) {
        switch event {
        case .authorized: self.stay([.refuseAuthorization])
        case .resultShown(true): self.to(.finished, [.reportSucceeded])
        case .resultShown(false): self.to(.finished, [.reportFailed(TPDFailure(.reportedByApp))])
        case .appGone: self.to(.finished, [])
        // Starting anew would leave open which of two payments the next result belongs to.
        case .start, .sheetShown, .sheetNotShown, .primeReceived, .primeFailed, .sheetClosed: self.stay()
        }
    }

    private func showingResult(_ event: PaymentEvent, _ outcome: Outcome) -> (PaymentFlow, [PaymentEffect]) {
        switch (event, outcome) {
        case (.authorized(.allowed), .failed): self.requesting(isRetry: false)
        case (.authorized(.failed(let failure)), .failed):
            self.to(.showingResult(.failed(failure)), [.refuseAuthorization])
        case (.authorized, _): self.stay([.refuseAuthorization])
        case (.sheetClosed, .succeeded): self.to(.finished, [.dismissSheet, .reportFinished, .reportSucceeded])
        case (.sheetClosed, .failed(let failure)):
            self.to(.finished, [.dismissSheet, .reportFinished, .reportFailed(failure)])
        case (.appGone, _): self.to(.finished, [.dismissSheet])
        case (.start, _), (.sheetShown, _), (.sheetNotShown, _), (.primeReceived, _), (.primeFailed, _),
            (.resultShown, _):
            self.stay()
        }
    }

    private func requesting(isRetry: Bool) -> (PaymentFlow, [PaymentEffect]) {
        let next = PaymentFlow(phase: .authorizing(.requestingPrime(isRetry: isRetry)), request: self.request + 1)
        return (next, [.requestPrime(request: next.request)])
    }

    private func to(_ phase: Phase, _ effects: [PaymentEffect]) -> (PaymentFlow, [PaymentEffect]) {
        (PaymentFlow(phase: phase, request: self.request), effects)
    }

    private func stay(_ effects: [PaymentEffect] = []) -> (PaymentFlow, [PaymentEffect]) {
        (self, effects)
    }
}
