//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Redaction
import Synchronization
import Time

/// An acquirer that is played in this process, for tests and the sandbox: deterministic, and honest about what it has
/// done.
///
/// It keeps a book of its own (``SimulatorBook``), so that a test can compare what the gateway believes with what
/// really happened. Nothing about it is random: an answer follows from the operation's id, its amount, the card and
/// what is in the book.
///
/// ## What an amount brings about
///
/// The test amounts are those of the CommWeb gateway's Apple Pay test page, in minor units whatever the currency, and in
/// whole major units of currencies with two decimals: 56.56 and 5656.00. They work alike for authorizations, sales,
/// captures, refunds and adjustments; every other amount is approved, and a verification too.
///
/// | amount | meaning | what the gateway gets | what the book says |
/// |---|---|---|---|
/// | 5656 | approved | approved, code 00 | approved |
/// | 5757 | declined | declined `doNotHonor`, code 05 | declined |
/// | 5858 | timed out | unknown, `timed_out`: the answer is lost | **approved**; a query or a repeat says so |
/// | 5959 | unspecified failure | declined `unspecified`, code 06 | declined |
/// | 6161 | partially approved | approved for half, rounded down, code 10 | approved for half |
/// | 6262 | system error | declined `systemError`, code 96 | declined |
/// | 6363 | unknown | unknown, `unclear` | unclear: it moves nothing |
/// | 6464 | approved; its void is declined | approved, code 00; the void: declined `doNotHonor`, code 05 | approved; the void: declined |
///
/// Captures and refunds of 6161 are approved in full. What is unclear stays so, for queries and repeats alike, until it
/// is reversed. 6464 is not of that page.
///
/// Recovery's reversals and queries ignore the amount, so that recovery always comes to an end. Some card numbers have outcomes of
/// their own whatever the amount: `TestCard` lists them.
///
/// ## What comes before the amount
///
/// | case | answer |
/// |---|---|
/// | the id is in the book | the answer that is there; nothing is booked again |
/// | the id is in the book for another kind, payment or amount | declined `invalidOperation`, code 12 |
/// | the operation has been taken back, even before it arrived | declined `invalidOperation`, code 12 |
/// | a sealed Apple Pay token, where it takes none | declined `notPermitted`, code 57 |
/// | a sealed token without data or transaction identifier | declined `invalidCard`, code 14 |
/// | a PAN that isn't 12–19 digits or fails Luhn's check (ISO/IEC 7812-1, B) | declined `invalidCard`, code 14 |
/// | an expiry that isn't YYMM | declined `invalidCard`, code 14 |
/// | a device account number without its cryptogram | declined `notPermitted`, code 57 |
/// | a card that has expired (after the last day of its month, in UTC) | declined `expiredCard`, code 54 |
/// | an amount that isn't positive | declined `invalidOperation`, code 12 |
/// | a follow-up of an authorization that isn't there or isn't approved | declined `invalidOperation`, code 12 |
/// | a follow-up by another payment or merchant, or in another currency | declined `invalidOperation`, code 12 |
/// | a capture of more than is left, or after the final one | declined `invalidOperation`, code 12 |
/// | a capture, or a raise of the total, when the authorization is held no longer | as above; `vendorCode` `authorizationExpired` |
/// | a refund of more than is captured | declined `invalidOperation`, code 12 |
/// | an adjustment to less than is captured, of a sale, or after the final capture | declined `invalidOperation`, code 12 |
/// | the void of an authorization of which something is captured, or of a sale that is refunded | declined `invalidOperation`, code 12 |
/// | the reversal of a capture that is refunded, or of an approved reversal | declined `invalidOperation`, code 12 |
///
/// An authorization is held until the end that its answer has (``SimulatorBehavior/holdsForSeconds``), by the time of the
/// request that comes then. It can be voided after that, too, and what was captured before can be refunded.
///
/// Faults of the road between gateway and acquirer are played by a ``SimulatorScript``.
public final class SimulatorAcquirer: Acquirer {
    public let name: AcquirerName
    /// What it really did.
    public let book: SimulatorBook
    private let script: SimulatorScript
    private let behavior: SimulatorBehavior
    /// To whose account it reports by itself what it has accepted; `nil` where it is asked.
    private let reportsTo: AcquirerAccountID?
    /// Requests that are still on their way.
    private let late = Mutex<[BookRequest]>([])

    public init(
        book: SimulatorBook, script: SimulatorScript = SimulatorScript(),
        behavior: SimulatorBehavior = SimulatorBehavior(), name: AcquirerName = SimulatorConnector.name,
        reportsTo account: AcquirerAccountID? = nil
    ) {
        self.book = book
        self.script = script
        self.behavior = behavior
        self.reportsTo = account
        self.name = name
    }

    public var capabilities: AcquirerCapabilities {
        AcquirerCapabilities(
            forms: self.behavior.takesSealedTokens ? [.networkToken, .sealedApplePayToken] : [.networkToken],
            adjustments: Set(AcquirerCapabilities.Adjustment.allCases), verifiesCards: true,
            decidesLater: self.behavior.acceptsForSeconds > 0,
            memos: self.behavior.namesOperations || self.behavior.keepsCardForSeconds != nil ? .prepared : .none,
            cardData: self.behavior.keepsCardForSeconds.map {
                AcquirerCapabilities.CardDataRetention(
                    neededBy: [.capture, .refund, .adjustment, .void], keptSeconds: $0)
            },
            recovery: self.behavior.recovery, keyLifeSeconds: self.behavior.refusesRepeats ? 0 : nil)
    }

    public func prepare(_ request: AcquirerRequest) async -> AcquirerPreparation {
        var memo = AcquirerMemo()
        if self.behavior.namesOperations {
            let name = SimulatedAnswer.name(of: request.operationID)
            memo.handles = [name]
            memo[Self.nameNote] = name
        }
        // What may have to be taken back needs it, too.
        if self.behavior.keepsCardForSeconds != nil { memo.cardData[Self.numberNote] = Self.number(of: request) }
        return .ready(memo)
    }

    /// What it calls an operation, in its memo.
    private static let nameNote = "name"
    /// The card's number, in the memo's card data.
    private static let numberNote = "number"

    private static func number(of request: AcquirerRequest) -> Redacted<String>? {
        switch request.action {
        case .authorize(let charge), .verify(let charge):
            if case .networkToken(let token) = charge.instrument { token.pan } else { nil }
        case .capture, .refund, .adjust, .void, .reverse: request.original?.memo.cardData[Self.numberNote]
        }
    }

    /// Whether a request brings the number where it is wanted: of what this book has never heard of, it says that alone.
    private func hasNumber(_ request: AcquirerRequest) async -> Bool {
        guard self.behavior.keepsCardForSeconds != nil, Self.number(of: request) == nil else { return true }
        if case .reverse = request.action { return true }
        guard let original = request.original else { return false }
        return (try? await self.book.entry(original.id)) == nil
    }

    private func isNamed(_ id: OperationID, by memo: AcquirerMemo) -> Bool {
        !self.behavior.namesOperations || memo[Self.nameNote] == SimulatedAnswer.name(of: id)
    }

    public func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
        guard self.isNamed(request.operationID, by: request.memo) else {
            return .notProcessed(NotProcessed(.requestRefused, "name_unknown"))
        }
        guard await self.hasNumber(request) else {
            return .notProcessed(NotProcessed(.requestRefused, "number_missing"))
        }
        let call = SimulatorCall(request.action)
        let request = BookRequest(request, takesSealedTokens: self.behavior.takesSealedTokens)
        let directions = self.script.directions(for: call)
        await directions.beforeBooking?()
        let outcome = await self.play(directions.fault, request)
        await directions.beforeAnswer?()
        return self.behavior.acceptsForSeconds > 0 ? outcome.putOff : outcome
    }

    public func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome {
        guard self.behavior.recovery.answersQueries else { return .unknown(.unclear("queries_not_answered")) }
        guard self.isNamed(query.original.id, by: query.original.memo) else { return .notFound }
        let directions = self.script.directions(for: .query)
        await directions.beforeBooking?()
        let outcome: AcquirerQueryOutcome
        switch directions.fault {
        // A query books nothing, so it makes no difference which way it is lost.
        case .dropBeforeBooking, .dropAfterBooking, .arriveLate, .decline, .refuse: outcome = .unknown(.timedOut())
        case .garbage: outcome = .unknown(.unclear("garbled_answer"))
        case .accept: outcome = .accepted(AcquirerAcceptance())
        case .duplicate, nil:
            let known = await self.look(up: query)
            outcome = self.isPutOff(query) ? known.putOff : known
        }
        await directions.beforeAnswer?()
        return outcome
    }

    /// Whether it is too early to say what became of an operation.
    private func isPutOff(_ query: AcquirerQuery) -> Bool {
        let ageMilliseconds = query.at.milliseconds(since: query.original.begunAt)
        return (0..<self.behavior.acceptsForSeconds * 1000).contains(ageMilliseconds)
    }

    /// Lets every request that was made late arrive now, in the order sent.
    ///
    /// - Returns: what the acquirer answered to each, although nobody waits for it any more.
    @discardableResult
    public func deliverLate() async -> [(operationID: OperationID, outcome: AcquirerOutcome)] {
        let requests = self.late.withLock { late in
            defer { late = [] }
            return late
        }
        var outcomes: [(operationID: OperationID, outcome: AcquirerOutcome)] = []
        for request in requests { outcomes.append((request.operationID, await self.enter(request))) }
        return outcomes
    }

    // MARK: - The road

    private func play(_ fault: SimulatorFault?, _ request: BookRequest) async -> AcquirerOutcome {
        switch fault {
        case nil: return await self.enter(request)
        case .decline(let reason):
            var refused = request
            refused.refusal = refused.refusal ?? reason
            return await self.enter(refused)
        case .dropBeforeBooking: return .unclear("connection_lost")
        case .dropAfterBooking:
            _ = await self.enter(request)
            return .timedOut()
        case .arriveLate:
            self.late.withLock { $0.append(request) }
            return .timedOut()
        case .duplicate:
            _ = await self.enter(request)
            return await self.enter(request)
        case .garbage:
            _ = await self.enter(request)
            return .unclear("garbled_answer")
        case .accept:
            return await self.enter(request).putOff
        case .refuse(let reason): return .notProcessed(NotProcessed(reason, "scripted"))
        }
    }

    /// A book that can't be written to is an acquirer that can't be reached: nobody knows how far it came.
    private func enter(_ request: BookRequest) async -> AcquirerOutcome {
        do {
            return try await self.book.transaction { [behavior, reportsTo] in
                try BookRules(pages: $0, behavior: behavior, reportsTo: reportsTo).enter(request)
            }
        } catch {
            return .unclear("book_unavailable")
        }
    }

    private func look(up request: AcquirerQuery) async -> AcquirerQueryOutcome {
        do {
            return try await self.book.transaction { [behavior] in
                try BookRules(pages: $0, behavior: behavior).answer(request)
            }
        } catch {
            return .unknown(.unclear("book_unavailable"))
        }
    }
}

extension AcquirerQueryOutcome {
    /// What is said of it as long as it is too early; what nobody will ever decide is not put off.
    fileprivate var putOff: AcquirerQueryOutcome {
        switch self {
        case .approved, .declined: .accepted(AcquirerAcceptance())
        case .accepted, .reversed, .notFound, .unknown: self
        }
    }
}

extension AcquirerOutcome {
    /// What is said of it by an acquirer that decides later.
    fileprivate var putOff: AcquirerOutcome {
        switch self {
        case .approved, .declined: .accepted(AcquirerAcceptance())
        case .accepted, .notProcessed, .unknown: self
        }
    }
}
