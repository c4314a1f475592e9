//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import ApplePayToken
import Money
import Payments
import Redaction
import StrictJSON
import Time

/// What the gateway takes out of an opened token, or out of what the merchant has opened, in the terms of the core.
struct InstrumentReading: Sendable {
    /// What the customer approved; `nil` where nothing signed says so.
    let amount: Money?
    /// What the payment sheet said, where the amount was left open (a deferred payment): only its currency counts.
    let pendingAmount: Money?
    /// SHA-256 of the merchant identifier that the token is for; `nil` where the gateway has not opened it now.
    let merchantIdentifierHash: [UInt8]?
    let summary: InstrumentSummary
    /// `nil` for a token that only the acquirer can open.
    let networkToken: NetworkToken?
    /// The token as it came, verified, for acquirers that open it; `nil` for what was opened elsewhere.
    let sealed: UnverifiedToken?
    /// What may be used once: the token's transaction identifier, the mark of what was signed, which stays the same
    /// where the token is cut elsewhere, and the digest of its cryptogram, so that the same token cannot be paid once
    /// sealed and once opened.
    let singleUses: [[UInt8]]

    /// What the merchant has opened. Its number and expiry are the merchant's word.
    init(_ networkToken: NetworkToken) {
        self.amount = nil
        self.pendingAmount = nil
        self.merchantIdentifierHash = nil
        self.networkToken = networkToken
        self.sealed = nil
        self.summary = InstrumentSummary(
            maskedPAN: MaskedPAN(networkToken.pan), network: CardNetwork(pan: networkToken.pan),
            expiryYearMonth: networkToken.expiryYearMonth, eci: networkToken.eci, displayName: nil)
        self.singleUses = networkToken.proofDigest.map { [$0] } ?? []
    }

    /// A token that has been verified, and that only the acquirer can open. What it is worth is the acquirer's word, and
    /// what it is paid with the device's.
    ///
    /// - Parameter network: what the merchant says beside the token, where that says nothing.
    init(unopened token: UnverifiedToken, stated network: CardNetwork? = nil, proof: TokenProof?) {
        self.amount = nil
        self.pendingAmount = nil
        self.merchantIdentifierHash = nil
        self.networkToken = nil
        self.sealed = token
        self.summary = InstrumentSummary(
            unopened: token.paymentMethod?.network.flatMap(CardNetwork.init(passKitName:)) ?? network ?? .other,
            displayName: token.paymentMethod?.displayName.map(InstrumentSummary.line), proof: proof)
        self.singleUses = token.singleUses
    }

    /// - Parameter now: when it was verified.
    /// - Throws: ``GatewayRefusal/tokenAmountUnreadable``.
    init(_ token: DecryptedToken, at now: Timestamp) throws(GatewayRefusal) {
        let payload = token.payload
        // Every sample counts in the minor unit and writes an integer (token-format.md, section 7); anything else is
        // refused, not rounded.
        guard let currency = Currency.numeric(payload.currencyCode.numericCode),
            let minorUnits = payload.transactionAmount.integer,
            minorUnits >= 0
        else { throw .tokenAmountUnreadable }
        self.amount = Money(minorUnits: minorUnits, currency: currency)
        self.pendingAmount = nil
        self.merchantIdentifierHash = token.merchantIdentifierHash
        let pan = payload.applicationPrimaryAccountNumber
        let expiry = payload.applicationExpirationDate.yearAndMonth
        let proof: NetworkToken.Proof
        var eci: String?
        switch payload.paymentData {
        case .threeDSecure(let data):
            proof = .cryptogram(data.cryptogram)
            eci = data.eciIndicator
        case .emv(let data): proof = .emv(data: data.emvData, encryptedPIN: data.encryptedPINData)
        }
        let networkToken = NetworkToken(pan: pan, expiryYearMonth: expiry, proof: proof, eci: eci)
        self.networkToken = networkToken
        self.sealed = token.verified.sealed
        // The device names girocard and cobadged cards better than a range does; the number decides for all others,
        // since nobody signed what the device says.
        let ranged = CardNetwork(pan: pan)
        let named = token.verified.paymentMethod?.network.flatMap(CardNetwork.init(passKitName:))
        self.summary = InstrumentSummary(
            maskedPAN: MaskedPAN(pan), network: ranged == .other ? named ?? .other : ranged, expiryYearMonth: expiry,
            eci: eci, displayName: token.verified.paymentMethod?.displayName.map(InstrumentSummary.line),
            proof: TokenProof(token.verified, isOpened: true, at: now))
        self.singleUses = token.verified.sealed.singleUses + (networkToken.proofDigest.map { [$0] } ?? [])
    }
}

extension InstrumentSummary {
    /// Nobody has signed what a card is called.
    fileprivate static func line(_ displayName: String) -> String { ForeignText.line(displayName, scalarsMax: 64) }
}

extension SealedApplePayToken {
    init(_ token: UnverifiedToken) {
        self.init(
            paymentData: Redacted(token.paymentDataJSON.serialized()),
            transactionIdentifier: token.header.transactionIdentifierText,
            network: token.paymentMethod?.network, methodType: token.paymentMethod?.type,
            displayName: token.paymentMethod?.displayName)
    }
}

extension UnverifiedToken {
    /// Its identifier, by which tokens were remembered before there was the mark, too.
    fileprivate var singleUses: [[UInt8]] { [self.header.transactionIdentifier, self.signedContentMark] }

    /// The digest of what was signed, under a name of its own: an identifier that a token was cut to have, which is the
    /// digest of another's content, uses up nothing of that.
    var signedContentMark: [UInt8] {
        requestDigest(Array("signed content".utf8) + [0] + self.signedContentDigest)
    }
}

extension NetworkToken {
    /// SHA-256 over the number and its cryptogram; `nil` where there is none. A device makes a cryptogram for one
    /// transaction (EMV Payment Tokenisation Specification, token cryptogram).
    fileprivate var proofDigest: [UInt8]? {
        let proof: [UInt8]
        switch self.proof {
        case .cryptogram(let cryptogram): proof = cryptogram.reveal()
        case .emv(let data, _): proof = data.reveal()
        case .securityCode: return nil
        }
        return requestDigest(Array("cryptogram".utf8) + [0] + Array(self.pan.reveal().utf8) + [0] + proof)
    }
}
