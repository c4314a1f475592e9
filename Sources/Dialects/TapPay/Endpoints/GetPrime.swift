//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import Money
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

    /// A token that pay-by-prime can't pay with is not kept.
    private func keep(_ command: KeepTokenCommand) async throws -> KeptToken {
        let kept = try await self.gateway.keepToken(command)
        do throws(TapPayFailure) {
            guard !Self.hasExpired(kept.summary, at: self.gateway.now()) else { throw TapPayFailure(.expiredCard) }
            // What the page says of it is not what it is for.
            guard !FrontEndSettings(command.merchant).isDisabled(kept) else {
                throw TapPayFailure(.appleMerchantIDDisabled, "The gateway's operator has switched it off.")
            }
            try Self.checkAmount(of: kept, AccountSettings(command.merchant))
        } catch {
            try await self.gateway.forget(kind: command.kind, id: command.id, merchant: command.merchant)
            throw error
        }
        return kept
    }

    /// By the rules of pay-by-prime, whose numbers these are, so that the customer is not asked for a payment that can't
    /// be made. The amount of a deferred payment comes later; its currency is the sheet's all the same.
    static func checkAmount(of kept: KeptToken, _ settings: AccountSettings) throws(TapPayFailure) {
        // What only the acquirer can open says nothing of its amount; pay-by-prime names it.
        guard let amount = kept.amount else { return }
        guard let currency = WireCurrency(amount.currency) else {
            throw TapPayFailure(
                .invalidCurrency,
                "The payment sheet was in \(amount.currency.code). The currencies are TWD, HKD, MYR, USD and JPY.")
        }
        guard settings.currencies.contains(currency) else { throw TapPayFailure(notAmongCurrencies: currency) }
        guard !kept.isAmountPending else { return }
        let units = currency.wireUnits(amount)
        guard currency.money(units) == amount else {
            throw TapPayFailure(
                .invalidAmount,
                "The amount of the payment sheet can't be paid: it must be greater than 0, and of TWD whole dollars.")
        }
        guard units <= currency.amountMax else {
            throw TapPayFailure(.amountOutOfRange, "At most \(currency.amountMax) of \(currency.rawValue)'s unit.")
        }
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
