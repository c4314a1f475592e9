//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
public import Money
public import Payments
public import Time
public import WalletSimulator

/// A merchant without a processing key can't be paid with a token.
public struct NoProcessingKey: Error, CustomStringConvertible {
    public let description = "the merchant has no processing key: add it with certified: true, or say a recipient"

    public init() {}
}

extension TestGateway {
    /// Mints a token for a merchant, signed now by the authority of the merchant's mode, unless it says otherwise.
    ///
    /// - Parameters:
    ///   - options: forgeries among them: `.forged(.foreignRoot)`.
    ///   - signedAt: the signing time.
    ///   - mode: whose authority signs; the merchant's if left out. Another one crosses sandbox and live.
    ///   - merchantIdentifier: which one the sheet was given; the merchant's if left out.
    public func mint(
        _ amount: Money, for merchant: TestMerchant, card: SimulatedCard = .visa,
        kind: PaymentRequest.Kind = .threeDSecure, options: MintOptions = MintOptions(), signedAt: Timestamp? = nil,
        mode: Mode? = nil, merchantIdentifier: String? = nil, applicationData: [UInt8]? = nil,
        cardholderName: String? = nil
    ) throws -> MintedToken {
        guard let recipient = merchant.recipient else { throw NoProcessingKey() }
        let request = PaymentRequest(
            merchantIdentifier: merchantIdentifier ?? merchant.merchantIdentifier,
            amountMinorUnits: amount.minorUnits, currencyCode: amount.currency.numericText, kind: kind,
            version: recipient.version, applicationData: applicationData, cardholderName: cardholderName)
        let device = SimulatedDevice(authority: try TestAuthorities.authority(mode ?? merchant.merchant.mode))
        let time = Date(timeIntervalSince1970: TimeInterval((signedAt ?? self.clock.now).seconds))
        let token = try device.mint(request, card: card, recipient: recipient, signingTime: time, options: options)
        self.jar.keep(token, card: card)
        return token
    }
}
