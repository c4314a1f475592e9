//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments

/// What an acquirer that holds Apple's key is judged by: a token, and what its far end has seen of it.
public struct AcquirerCustodyValues: Sendable {
    /// A token for the amount that is approved.
    public let token: SealedApplePayToken
    /// What the far end knows the token by: its payment data as text where that is seen there. Where only a gateway that has
    /// verified the token's signature can be asked, the transaction identifier, which the signature covers beside key and
    /// data (Apple's Payment token format reference, "Verify the signature").
    public let identity: String
    /// What the far end has seen of tokens, by the same: one entry a call, or one a payment.
    public let arrivals: @Sendable () async throws -> [String]
    /// The last four digits that the far end says the card has; `nil` where it says nothing of it.
    public let fundingPANSuffix: @Sendable () async throws -> String?

    public init(
        token: SealedApplePayToken, identity: String, arrivals: @escaping @Sendable () async throws -> [String],
        fundingPANSuffix: @escaping @Sendable () async throws -> String?
    ) {
        self.token = token
        self.identity = identity
        self.arrivals = arrivals
        self.fundingPANSuffix = fundingPANSuffix
    }
}

/// The laws of custody, for an acquirer that opens Apple Pay tokens itself.
extension AcquirerProbe {
    private func custody() throws -> AcquirerCustodyValues {
        guard let custody = self.values.custody else {
            throw AcquirerLawBroken(law: self.law, wanted: "values of custody from its tests", found: "none")
        }
        return custody
    }

    private func pay(_ custody: AcquirerCustodyValues, captures: Bool) async -> AcquirerOutcome {
        await self.authorize(self.fifths(5), captures: captures, with: .sealedApplePayToken(custody.token))
    }

    /// An authorization where the acquirer makes any: a sale may have its end from a later report, which repeats nothing.
    private func pay(_ custody: AcquirerCustodyValues) async -> AcquirerOutcome {
        await self.pay(custody, captures: !self.acquirer.capabilities.authorizes)
    }

    /// Apple's signature is over what the shop gave: a token of which a byte is another opens nowhere.
    func sealedTokenArrivesAsItCame() async throws {
        let custody = try self.custody()
        try self.expectApproved(await self.pay(custody), self.fifths(5), "a sealed token")
        let arrivals = try await custody.arrivals()
        try self.expect(
            !arrivals.isEmpty && arrivals.allSatisfy { $0 == custody.identity },
            "the token at the acquirer as the shop gave it")
    }

    /// As often as it is sent under one id, there is one payment, whose money can be moved once.
    mutating func repeatedSealedTokenIsOnePayment() async throws {
        let custody = try self.custody()
        let sells = self.acquirer.capabilities.sells
        let first = await self.pay(custody, captures: sells)
        try self.expectApproved(first, self.fifths(5), "a sealed token")
        let second = await self.pay(custody, captures: sells)
        if self.acquirer.capabilities.keyLifeSeconds != 0 {
            try self.expect(first == second, "the same answer to the same sealed token")
        }
        func move(_ count: Int64) async -> AcquirerOutcome {
            let id = self.nextID()
            return sells ? await self.refund(id, self.fifths(count)) : await self.capture(id, self.fifths(count))
        }
        try self.expectApproved(await move(5), self.fifths(5), "all of it moved once")
        try self.expectDeclined(await move(1), "what goes beyond one payment")
    }

    /// Nobody on this side knows the card: what is said of it is what the acquirer has said, and nothing where that says
    /// nothing.
    func reportsTheCardThatTheAcquirerReports() async throws {
        let custody = try self.custody()
        let approval = try self.expectApproved(await self.pay(custody), self.fifths(5), "a sealed token")
        let reported = try await custody.fundingPANSuffix()
        try self.expect(
            approval.answer.fundingPANSuffix == reported,
            reported == nil
                ? "nothing of a card of which the acquirer says nothing" : "the card that the acquirer reports")
    }
}
