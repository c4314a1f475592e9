//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// How one payment goes: a value and a pure function, so that every event in every state has one answer that a table
/// of tests can hold.
///
/// ```
/// idle ─► presenting ─► authorizing ─────────────────► showingResult ─► finished
///                       (requestingPrime ► awaitingResult ► …WithoutSheet)
/// ```
///
/// Two rules rule the rest. A prime that has reached the app can't be taken back: the app's server may be charging
/// the card, so that whatever happens to the sheet from then on is no cancellation, and the end is what the app says.
/// And a prime that arrives when the sheet has gone never reaches the app: the customer has seen a cancelled sheet.
struct PaymentFlow: Hashable, Sendable {
    enum Phase: Hashable, Sendable {
        case idle
        /// The sheet is on its way or shown, and nothing is authorized.
        case presenting
        case authorizing(Step)
        /// The sheet shows how the last authorization ended; after a failure the customer may try again.
        case showingResult(Outcome)
        case finished
    }

    enum Step: Hashable, Sendable {
        /// The gateway was asked for a prime.
        case requestingPrime(isRetry: Bool)
        /// The app has the prime.
        case awaitingResult
        /// The app has the prime, and the sheet has gone.
        case awaitingResultWithoutSheet
    }

    enum Outcome: Hashable, Sendable {
        case succeeded
        case failed(TPDFailure)
    }

    var phase = Phase.idle
    /// The number of the latest getprime: an answer to another one is late and counts for nothing.
    var request = 0
}

enum PaymentEvent: Hashable, Sendable {
    /// What the SDK made of an authorization before it was let in.
    enum Admission: Hashable, Sendable {
        case allowed
        /// `canAuthorizePayment…` said no.
        case refusedByApp
        case failed(TPDFailure)
    }

    /// `startPayment`, with what stands against it.
    case start(TPDFailure?)
    case sheetShown
    case sheetNotShown
    case authorized(Admission)
    case primeReceived(request: Int)
    /// - neverLeft: no byte of the request can have reached the gateway.
    case primeFailed(request: Int, TPDFailure, neverLeft: Bool)
    /// `showPaymentResult`.
    case resultShown(isSuccess: Bool)
    /// The sheet is through: cancelled, taken away by the system, or its result has been shown.
    case sheetClosed
    /// There is nobody left to hand a prime to.
    case appGone
}

enum PaymentEffect: Hashable, Sendable {
    case presentSheet
    /// What follows waits until the sheet has gone.
    case dismissSheet
    case requestPrime(request: Int)
    case dropRequest
    case deliverPrime
    /// Answers the authorization that is under way.
    case endAuthorization(isSuccess: Bool)
    /// Answers the authorization that came with the event.
    case refuseAuthorization
    case reportStarted
    case reportFinished
    case reportSucceeded
    case reportFailed(TPDFailure)
    case reportCancelled
}
