//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money

/// What an acquirer can do, as data. What it cannot do is refused before anything is begun.
public struct AcquirerCapabilities: Hashable, Sendable {
    /// In which form it takes what is paid with.
    public enum Form: String, Hashable, Sendable, CaseIterable {
        /// A number, opened here: a network token, or a card number.
        case networkToken
        /// An Apple Pay token as it came, which the acquirer opens.
        case sealedApplePayToken
    }

    /// By what it takes an opened number to be proven: the cases of ``NetworkToken/Proof-swift.enum``.
    public enum Proof: String, Hashable, Sendable, CaseIterable {
        case cryptogram
        case emv
        case securityCode
    }

    /// Which way the total of an authorization can be changed.
    public enum Adjustment: String, Hashable, Sendable, CaseIterable {
        case up
        case down
    }

    /// What can be taken back by a merchant.
    public enum Voidable: String, Hashable, Sendable, CaseIterable {
        case authorization
        case sale
        case capture
        case refund
    }

    /// What the connector has to remember of an operation (``AcquirerMemo``).
    public enum Memos: String, Hashable, Sendable, CaseIterable {
        case none
        /// What its outcomes bring.
        case withOutcomes
        /// Besides, what ``Acquirer/prepare(_:)`` brings before an operation is sent, which costs a commit.
        case prepared
    }

    /// For how long what a connector notes of a card (``AcquirerMemo/cardData``) is kept, and for what.
    public struct CardDataRetention: Hashable, Sendable {
        /// The follow-ups that cannot be sent without it: they are refused once it is gone. Of an operation that is still
        /// open nothing is deleted, so recovery always has what it needs.
        public var neededBy: Set<Operation.Kind>
        /// How long after the end of the payment's last operation: as long as refunds are to be possible.
        public var keptSeconds: Int64

        public init(neededBy: Set<Operation.Kind>, keptSeconds: Int64) {
            self.neededBy = neededBy
            self.keptSeconds = keptSeconds
        }
    }

    /// What becomes of the rest of an authorization with a capture that is the last one.
    public enum FinalCapture: String, Hashable, Sendable, CaseIterable {
        /// The capture itself says that it is, and the acquirer gives the rest back.
        case honoured
        /// The connector gives the rest back with a call of its own.
        case emulated
        /// Nothing gives it back: it lapses with the authorization.
        case lapses
    }

    /// How long calls may take until the connector ends them itself. The gateway's own limit counts where it is less.
    public struct Deadlines: Hashable, Sendable {
        /// Of an authorization, a sale and a verification, for which an issuer is asked.
        public var chargeMilliseconds: Int64
        public var otherMilliseconds: Int64
        /// Of making a connection: what fails there is known not to have been sent.
        public var connectMilliseconds: Int64

        public init(chargeMilliseconds: Int64, otherMilliseconds: Int64, connectMilliseconds: Int64) {
            self.chargeMilliseconds = chargeMilliseconds
            self.otherMilliseconds = otherMilliseconds
            self.connectMilliseconds = connectMilliseconds
        }
    }

    /// How an operation ends of which nobody has heard the end.
    public enum Recovery: Hashable, Sendable {
        /// The acquirer is asked. What it does not know, or cannot say, is reversed: it remembers a reversal of what has
        /// not arrived, and refuses that when it does.
        case queryThenReversal
        /// It answers no queries; reversals are as above.
        case reversal
        /// The acquirer is asked, and can reverse only what it has. What it has never heard of that long after it was
        /// sent, nobody will ever hear of.
        case query(quietSeconds: Int64)
        /// It answers no queries, and can reverse only what it has and can be named to it. It reports by itself how an
        /// operation ended (``AcquirerNotice``); what it does not report waits for the operator's decision.
        ///
        /// - Parameter repeats: whether an operation that needs no instrument may be sent again under its own id, because
        ///   the acquirer does it once. What a repeat is answered need not be what the first was: a decline of it ends the
        ///   operation only where the card's issuer has given it, or nothing was ever sent. Any other may only say that
        ///   the first has been done.
        case reports(repeats: Bool)

        public var answersQueries: Bool {
            switch self {
            case .queryThenReversal, .query: true
            case .reversal, .reports: false
            }
        }

        /// Whether what is reversed before it arrives is refused when it does.
        public var remembersReversals: Bool {
            switch self {
            case .queryThenReversal, .reversal: true
            case .query, .reports: false
            }
        }

        /// Whether an operation that nobody knows the end of can be taken back at all.
        public var reversesUnknown: Bool {
            if case .reports = self { false } else { true }
        }

        /// After how long an operation that the acquirer has not heard of never was; `nil` where a reversal is needed.
        public var quietSeconds: Int64? {
            if case .query(let quietSeconds) = self { quietSeconds } else { nil }
        }

        /// Whether what needs no instrument may be sent again; `nil` where there are better ways to its end.
        public var repeats: Bool? {
            if case .reports(let repeats) = self { repeats } else { nil }
        }
    }

    public var forms: Set<Form>
    public var proofs: Set<Proof>
    public var networks: Set<CardNetwork>
    /// What the account is paid in, and how that is counted; `nil` for every currency of ISO 4217 and every amount.
    public var currencies: [Currency: CurrencyTerms]?
    /// Whether it has a field for who asks for a payment: without one, a payment by the merchant alone would pass for the
    /// customer's, which networks forbid.
    public var takesMerchantInitiated: Bool
    /// Whether it authorizes without capturing.
    public var authorizes: Bool
    /// Whether one request authorizes and captures.
    public var sells: Bool
    /// Whether less than the authorized amount can be captured, and more than once.
    public var capturesInParts: Bool
    /// How many captures an authorization may have; `nil` for any number.
    public var capturesMax: Int?
    public var finalCaptures: FinalCapture
    public var refundsInParts: Bool
    /// Whether a refund gives back a part of one capture, which it names where there are several.
    public var refundsOneCapture: Bool
    public var adjustments: Set<Adjustment>
    public var voids: Set<Voidable>
    public var verifiesCards: Bool
    /// Whether it may accept an operation first and decide later.
    public var decidesLater: Bool
    public var memos: Memos
    /// `nil` for a connector that notes nothing of cards: what it notes all the same is not kept.
    public var cardData: CardDataRetention?
    /// Whether notices name operations by their short names, which are then kept to be looked up.
    public var notifiesByShortName: Bool
    public var recovery: Recovery
    /// What it is asked after once it has accepted it, though ``recovery`` says that it answers no queries: an
    /// authorization whose funds can be confirmed, a sale that takes several calls. The query does what is left of it
    /// (``Acquirer/query(_:)``).
    public var queriesAccepted: Set<Operation.Kind>
    /// For how long it knows an operation's id, so that a repeat is answered and not done again; `nil` for ever.
    public var keyLifeSeconds: Int64?
    /// By when the connector ends a call itself; `nil` where only the gateway does.
    public var deadlines: Deadlines?
    /// How many operations it may be sent in a second, of one account by one node; `nil` for any number.
    public var requestsPerSecond: Int?

    public init(
        forms: Set<Form> = [.networkToken], proofs: Set<Proof> = Set(Proof.allCases),
        networks: Set<CardNetwork> = Set(CardNetwork.allCases), currencies: [Currency: CurrencyTerms]? = nil,
        takesMerchantInitiated: Bool = true, authorizes: Bool = true, sells: Bool = true,
        capturesInParts: Bool = true, capturesMax: Int? = nil, finalCaptures: FinalCapture = .honoured,
        refundsInParts: Bool = true, refundsOneCapture: Bool = false, adjustments: Set<Adjustment> = [],
        voids: Set<Voidable> = Set(Voidable.allCases),
        verifiesCards: Bool = false, decidesLater: Bool = false, memos: Memos = .none,
        cardData: CardDataRetention? = nil,
        notifiesByShortName: Bool = false, recovery: Recovery, queriesAccepted: Set<Operation.Kind> = [],
        keyLifeSeconds: Int64? = nil, deadlines: Deadlines? = nil, requestsPerSecond: Int? = nil
    ) {
        self.forms = forms
        self.proofs = proofs
        self.networks = networks
        self.currencies = currencies
        self.takesMerchantInitiated = takesMerchantInitiated
        self.authorizes = authorizes
        self.sells = sells
        self.capturesInParts = capturesInParts
        self.capturesMax = capturesMax
        self.finalCaptures = finalCaptures
        self.refundsInParts = refundsInParts
        self.refundsOneCapture = refundsOneCapture
        self.adjustments = adjustments
        self.voids = voids
        self.verifiesCards = verifiesCards
        self.decidesLater = decidesLater
        self.memos = memos
        self.cardData = cardData
        self.notifiesByShortName = notifiesByShortName
        self.recovery = recovery
        self.queriesAccepted = queriesAccepted
        self.keyLifeSeconds = keyLifeSeconds
        self.deadlines = deadlines
        self.requestsPerSecond = requestsPerSecond
    }
}

extension AcquirerCapabilities {
    /// Whether it is asked after an operation of that kind once it has accepted it.
    public func answersQueries(afterAccepting kind: Operation.Kind) -> Bool {
        self.recovery.answersQueries || self.queriesAccepted.contains(kind)
    }

    /// Whether an operation that was begun so long ago may be sent again under its own id.
    ///
    /// - Returns: `nil` where there are better ways to its end.
    public func repeats(afterMilliseconds age: Int64) -> Bool? {
        self.recovery.repeats.map { repeats in
            repeats && (self.keyLifeSeconds.map { abs(age) < $0 * 1000 } ?? true)
        }
    }

    /// Whether it takes a number with its proof, opened.
    public func takes(_ token: NetworkToken) -> Bool {
        self.forms.contains(.networkToken) && self.proofs.contains(token.proof.kind)
    }
}

extension NetworkToken.Proof {
    /// What kind of proof it is.
    public var kind: AcquirerCapabilities.Proof {
        switch self {
        case .cryptogram: .cryptogram
        case .emv: .emv
        case .securityCode: .securityCode
        }
    }
}
