//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Redaction
import Synchronization

/// An acquirer at the far end of whatever is judged, which notes the sealed tokens that come so far.
public final class SealedTokenWitness: Acquirer {
    private let base: any Acquirer
    private let seen = Mutex<[String]>([])

    public init(_ base: any Acquirer) {
        self.base = base
    }

    /// The payment data of the tokens, one a call.
    public var arrivals: [String] { self.seen.withLock { $0 } }

    public var name: AcquirerName { self.base.name }
    public var capabilities: AcquirerCapabilities { self.base.capabilities }
    public var readiness: AcquirerReadiness { self.base.readiness }

    public func prepare(_ request: AcquirerRequest) async -> AcquirerPreparation { await self.base.prepare(request) }

    public func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
        switch request.action {
        case .authorize(let charge), .verify(let charge):
            if case .sealedApplePayToken(let sealed) = charge.instrument {
                self.seen.withLock { $0.append(String(decoding: sealed.paymentData.reveal(), as: UTF8.self)) }
            }
        case .capture, .refund, .adjust, .void, .reverse: break
        }
        return await self.base.perform(request)
    }

    public func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome { await self.base.query(query) }
}

extension AcquirerCustodyValues {
    /// Of an acquirer that is seen at its far end.
    ///
    /// - Parameter fundingPANSuffix: what the far end says of the card.
    public init(
        seenBy witness: SealedTokenWitness, fundingPANSuffix: @escaping @Sendable () async throws -> String?
    ) {
        // White space, the order of the members and an escape: whoever reads it and writes it again writes another text.
        let paymentData = #"""
            { "version" : "EC_v1",  "signature":"c2lnbmF0dXJl\/Q==", "data":"c2VhbGVk",
              "header":{"transactionId":"84a7e17570c9", "publicKeyHash":"a2V5", "ephemeralPublicKey":"cHVibGlj"} }
            """#
        self.init(
            token: SealedApplePayToken(
                paymentData: Redacted(Array(paymentData.utf8)), transactionIdentifier: "84A7E17570C9", network: "Visa",
                methodType: "debit", displayName: "Visa 1234"),
            identity: paymentData, arrivals: { witness.arrivals }, fundingPANSuffix: fundingPANSuffix)
    }
}
