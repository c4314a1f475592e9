//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
public import Money
public import Payments
public import Redaction

/// A token, opened for the merchant who is allowed to see inside.
public struct OpenedToken: Sendable {
    public let networkToken: NetworkToken
    public let amount: Money
    public let summary: InstrumentSummary
    public let cardholderName: Redacted<String>?
    public let deviceManufacturerIdentifier: String
    /// "3DSecure" or "EMV".
    public let paymentDataType: String
}

extension Gateway {
    /// Verifies and opens a token and pays nothing with it (Radial's decryptBlob). Its cryptogram still pays once only.
    public func openToken(
        _ instrument: AuthorizationInstrument, merchant: MerchantContext
    ) async throws(GatewayRefusal) -> OpenedToken {
        guard case .applePay(let token) = instrument else { throw .operationNotSupported }
        let opened = try await self.open(token, merchant.merchant, nil)
        let reading = try InstrumentReading(opened, at: self.clock())
        guard let amount = reading.amount, let networkToken = reading.networkToken else {
            throw .tokenAmountUnreadable
        }
        let (now, merchantID) = (self.clock(), merchant.merchant.id)
        if let key = reading.summary.proof?.keyID, self.keySightings.isDue(key, of: merchantID, at: now) {
            // What is only seen keeps nobody from the token.
            try? await self.writing { try Gateway.observeKey(key, of: merchantID, at: now, in: $0) }
        }
        return OpenedToken(
            networkToken: networkToken, amount: amount, summary: reading.summary,
            cardholderName: opened.payload.cardholderName,
            deviceManufacturerIdentifier: opened.payload.deviceManufacturerIdentifier,
            paymentDataType: opened.payload.paymentData.type.rawValue)
    }

    // MARK: - For whoever pays or keeps

    /// Opens a token, or verifies it where only an acquirer of the merchant's can open it.
    func read(
        _ token: UnverifiedToken, _ merchant: MerchantContext, _ routes: MerchantRoutes, _ applicationData: [UInt8]?,
        stated network: CardNetwork? = nil
    ) async throws(GatewayRefusal) -> InstrumentReading {
        let isHeldElsewhere = routes.candidates(dialect: merchant.dialect).contains {
            $0.custody.holds(keyOf: token.header.publicKeyHashText)
        }
        guard isHeldElsewhere, try await !self.holdsKey(of: token, merchant.merchant) else {
            let opened = try await self.open(token, merchant.merchant, applicationData)
            return try InstrumentReading(opened, at: self.clock())
        }
        let now = self.clock()
        let verified = try self.tokens.verify(
            token, for: merchant.merchant.mode, applicationData: applicationData, at: now)
        return InstrumentReading(
            unopened: token, stated: network, proof: TokenProof(verified, isOpened: false, at: now))
    }

    private func holdsKey(
        of token: UnverifiedToken, _ merchant: Merchant
    ) async throws(GatewayRefusal) -> Bool {
        do throws(GatewayRefusal) {
            let keys = try await self.keyring(of: merchant, for: token)
            return keys.keys.contains { $0.publicKeyHash == token.header.publicKeyHash }
        } catch .merchantNotReady {
            return false
        }
    }

    func open(
        _ token: UnverifiedToken, _ merchant: Merchant, _ applicationData: [UInt8]?
    ) async throws(GatewayRefusal) -> DecryptedToken {
        let keys = try await self.keyring(of: merchant, for: token)
        return try self.tokens.open(
            token, for: merchant.mode, keys: keys, applicationData: applicationData, at: self.clock())
    }
}
