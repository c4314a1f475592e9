//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import Payments
import Redaction
import StrictJSON
import Time

extension TapPay {
    /// Verifies and opens the token, keeps it sealed, and hands out a prime for it.
    func getPrime(_ fields: FrontEndFields, _ call: WireRequest) async throws -> JSONObject {
        let request = try GetPrimeRequest(reading: fields)
        let merchant = try await self.account(of: request.app, call)
        if let version = request.sdkVersion, let oldest = FrontEndSettings(merchant).iosSDKVersionMin,
            request.platform == .ios,
            version < oldest
        {
            throw TapPayFailure(.iosSDKVersionTooOld)
        }
        guard !request.isAmountPending || AccountSettings(merchant).isDeferredPaymentActivated else {
            throw TapPayFailure(
                .amountPendingNotSupported, "Deferred payment is not activated for this merchant. Ask the operator.")
        }
        try await self.check(merchantIdentifier: request.appleMerchantID, of: merchant)
        let lifetimeSeconds = request.isAmountPending ? Prime.lifetimeSecondsPending : Prime.lifetimeSeconds
        let prime = Prime.make(
            mode: merchant.merchant.mode, expiresAt: self.gateway.now().adding(seconds: lifetimeSeconds),
            random: self.gateway.randomBytes(Prime.randomBytesCount))
        let kept = try await self.keep(
            KeepTokenCommand(
                instrument: try .applePay(json: request.token.json), merchant: merchant, kind: PrimeText.kind,
                id: PrimeText.storedName(of: prime),
                lifetimeSeconds: lifetimeSeconds, isAmountPending: request.isAmountPending))
        return self.answer(prime, kept, merchant, call)
    }

    /// A token of a card that has expired pays nothing: it is not kept.
    private func keep(_ command: KeepTokenCommand) async throws -> KeptToken {
        let kept = try await self.gateway.keepToken(command)
        guard !Self.hasExpired(kept.summary, at: self.gateway.now()) else {
            try await self.gateway.forget(kind: command.kind, id: command.id, merchant: command.merchant)
            throw TapPayFailure(.expiredCard)
        }
        return kept
    }

    /// A card is good to the end of its month, wherever on earth that ends last.
    static func hasExpired(_ instrument: InstrumentSummary, at now: Timestamp) -> Bool {
        guard instrument.expiryYearMonth.utf8.count == 4, let expiry = Int(instrument.expiryYearMonth) else {
            return false
        }
        let today = CivilTime(now, offsetSeconds: -12 * 3600)
        return expiry < today.year % 100 * 100 + today.month
    }

    private func answer(
        _ prime: String, _ kept: KeptToken, _ merchant: MerchantContext, _ call: WireRequest
    ) -> JSONObject {
        let card = CardInfo(of: kept.summary, in: self.cards)
        var members = TapPayFailure(.success).members
        members["prime"] = .string(prime)
        members["prime_expiry_millis"] = JSON(kept.expiresAt.milliseconds)
        members["client_ip"] = .string(call.remoteAddress ?? "")
        members["card_info"] = card.frontEndJSON
        members["card"] = card.frontEndCardJSON
        let codes = AccountSettings(merchant).affiliateCodes.codes(of: card.bin)
        if !codes.isEmpty {
            members["merchant_reference_info"] = ["affiliate_codes": .array(codes.map { .string($0) })]
        }
        return members
    }
}
