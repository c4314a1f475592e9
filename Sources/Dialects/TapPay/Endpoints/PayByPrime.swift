//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import DialectKit
import Gateway
import Money
import Payments
import Redaction
import StrictJSON
import Time

extension TapPay {
    /// How often a prime is looked for that is gone.
    private static let attemptsMax = 3

    func payByPrime(_ call: BackEndCall) async throws(TapPayFailure) -> JSONObject {
        let request = try PayByPrimeRequest(reading: call.body, settings: call.settings)
        try await self.check(merchantID: request.merchantID, of: call.merchant)
        let instrument = try request.instrument(
            for: call.merchant.merchant, randomBytes: self.gateway.randomBytes)
        var attemptsLeft = Self.attemptsMax
        while true {
            let now = self.gateway.now()
            do throws(GatewayRefusal) {
                let outcome = try await self.gateway.fresh(
                    TradeReference.recTradeID, bytesCount: TradeNumber.randomBytesCount
                ) { random throws(GatewayRefusal) in
                    let number = TradeNumber(at: now, random: random)
                    return try await self.gateway.authorize(
                        self.command(for: request, number, with: instrument, call, at: now))
                }
                return self.payAnswer(outcome, call.merchant)
            } catch {
                attemptsLeft -= 1
                // The prime is gone: perhaps to the same request, sent twice at once, whose answer is then this one's too.
                guard attemptsLeft > 0, error == .keptTokenUnknown else { throw request.failure(error, at: now) }
            }
        }
    }

    private func command(
        for request: PayByPrimeRequest, _ number: TradeNumber, with instrument: AuthorizationInstrument,
        _ call: BackEndCall, at now: Timestamp
    ) -> AuthorizeCommand {
        let bankTransactionID = request.bankTransactionID ?? number.bankTransactionID
        // A published prime pays any number of times: it is no key.
        let idempotency =
            request.publishedPrime != nil
            ? nil
            : CallContext.Idempotency(
                operation: "pay-by-prime", key: PrimeText.storedName(of: request.prime),
                digest: requestDigest(call.body.digestBytes))
        return AuthorizeCommand(
            context: CallContext(merchant: call.merchant, idempotency: idempotency), instrument: instrument,
            amount: request.amount, purpose: .authorization,
            // The contract counts when it is paid, not only when the page made the prime.
            takesPendingAmount: call.settings.isDeferredPaymentActivated,
            captureDueAt: TaipeiTime.captureDueAt(
                authorizedAt: now, days: request.captureDelayDays, minute: call.settings.captureMinute),
            details: request.chargeDetails,
            labels: self.labels(for: request, number.recTradeID, bankTransactionID),
            references: [
                TradeReference.recTradeID(number.recTradeID), TradeReference.bankTransactionID(bankTransactionID),
            ])
    }

    private func labels(
        for request: PayByPrimeRequest, _ recTradeID: String, _ bankTransactionID: String
    ) -> OperationLabels {
        var fields = [
            LabelField.recTradeID: recTradeID,
            LabelField.bankTransactionID: bankTransactionID,
            LabelField.merchantID: request.merchantID,
            LabelField.paymentMethod: (request.publishedPrime ?? .applePay).paymentMethod,
        ]
        fields[LabelField.orderNumber] = request.orderNumber
        fields[LabelField.eventCode] = request.eventCode
        for (name, text) in [
            (LabelField.cardholderName, request.cardholder.name),
            (LabelField.cardholderPhoneNumber, request.cardholder.phoneNumber),
            (LabelField.cardholderEmail, request.cardholder.email),
            (LabelField.cardholderMemberID, request.cardholder.memberID),
        ] where !text.isEmpty { fields[name] = text }
        return OperationLabels(
            reference: request.orderNumber, memo: request.details, notifyURL: request.resultURL?.backendNotify,
            fields: fields)
    }
}

// MARK: - The answer

extension TapPay {
    /// The answer of pay-by-prime, from the authorization in the version in which it was resolved.
    func payAnswer(_ outcome: OperationOutcome, _ merchant: MerchantContext) -> JSONObject {
        let payment = outcome.payment
        let authorization = outcome.operation
        let standing = OperationStanding(authorization)
        var answer = TapPayFailure(standing.code, standing.detail).members
        answer["rec_trade_id"] = .string(payment.recTradeID)
        answer["merchant_id"] = .string(payment.label(LabelField.merchantID) ?? "")
        answer["bank_transaction_id"] = .string(payment.label(LabelField.bankTransactionID) ?? "")
        answer["bank_order_number"] = .string(authorization.answer.reference ?? "")
        answer["auth_code"] = .string(authorization.answer.authorizationCode ?? "")
        answer["amount"] = payment.amount.wireJSON
        answer["currency"] = .string(payment.amount.currency.code)
        answer["order_number"] = .string(payment.label(LabelField.orderNumber) ?? "")
        answer["acquirer"] = .string(payment.acquirer.text)
        answer["transaction_time_millis"] = authorization.begunAt.millisJSON
        // Strings here, integers in records: so has the vendor.
        answer["bank_transaction_time"] = [
            "start_time_millis": .string(String(authorization.begunAt.milliseconds)),
            "end_time_millis": .string(String((authorization.resolvedAt ?? authorization.begunAt).milliseconds)),
        ]
        answer["bank_result_code"] = .string(authorization.answer.responseCode ?? "")
        answer["bank_result_msg"] = .string(standing.bankMessage)
        answer["card_info"] = self.backEndCardInfo(payment, withExpiry: true)
        answer["card_identifier"] = .string(Self.cardIdentifier(of: payment))
        answer["merchant_reference_info"] = self.referenceInfo(payment, merchant)
        answer["event_code"] = payment.label(LabelField.eventCode).map(JSON.string)
        answer["is_rba_verified"] = false
        return answer
    }

    func backEndCardInfo(_ payment: Payment, withExpiry: Bool) -> JSON {
        let card = CardInfo(of: payment.instrument, in: self.cards)
        var info = JSONObject()
        info["bin_code"] = .string(card.bin)
        info["last_four"] = .string(card.lastFour)
        info["issuer"] = .string(card.issuer)
        info["issuer_zh_tw"] = .string(card.issuerZhTw)
        info["bank_id"] = .string(card.bankID)
        info["funding"] = JSON(card.funding)
        info["type"] = JSON(card.type)
        info["level"] = .string(card.level)
        info["country"] = .string(card.country)
        info["country_code"] = .string(card.countryCode)
        if withExpiry {
            let isKnown = payment.instrument.isOpened
            info["expiry_date"] = .string(isKnown ? "20" + payment.instrument.expiryYearMonth : "")
        }
        return .object(info)
    }

    func referenceInfo(_ payment: Payment, _ merchant: MerchantContext) -> JSON? {
        let codes = AccountSettings(merchant).affiliateCodes.codes(of: payment.instrument.maskedPAN.prefix)
        return codes.isEmpty ? nil : ["affiliate_codes": .array(codes.map(JSON.string))]
    }

    /// 32 hexadecimal digits that are the same whenever a merchant is paid with the same device account. Made of what
    /// is shown of the card anyway: two cards alike in all of that have the same. Empty for a token that the acquirer
    /// opened, of whose account nothing is known here: else all of them would be one card.
    static func cardIdentifier(of payment: Payment) -> String {
        let instrument = payment.instrument
        guard instrument.isOpened else { return "" }
        let text = [
            payment.merchantID.text, instrument.maskedPAN.prefix, instrument.maskedPAN.suffix,
            String(instrument.maskedPAN.length), instrument.expiryYearMonth, instrument.network.rawValue,
        ].joined(separator: "/")
        return Hex.encode(requestDigest(text.utf8).prefix(16))
    }
}
