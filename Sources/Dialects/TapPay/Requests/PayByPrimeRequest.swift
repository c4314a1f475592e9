//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import DialectKit
import Money
import Payments
import StrictJSON

/// What pay-by-prime asks.
struct PayByPrimeRequest: Sendable {
    let prime: String
    let merchantID: String
    let currency: WireCurrency
    let amount: Money
    let details: String
    let cardholder: WireCardholder
    let orderNumber: String?
    let bankTransactionID: String?
    let captureDelayDays: Int64
    let resultURL: ResultURL?
    let eventCode: String?

    /// What the acquirer is sent beside the amount. A cardholder's field may be empty.
    var chargeDetails: ChargeDetails {
        let text = { (text: String) in text.isEmpty ? nil : text }
        return ChargeDetails(
            orderReference: self.orderNumber, description: text(self.details),
            customer: Customer(
                id: text(self.cardholder.memberID), lastName: text(self.cardholder.name),
                email: text(self.cardholder.email), phone: text(self.cardholder.phoneNumber)),
            billing: self.cardholder.billing)
    }

    /// The merchant_id is only read here; whose it is, the caller finds out.
    init(reading body: BackEndBody, settings: AccountSettings) throws(TapPayFailure) {
        guard let prime = body.value("prime"), prime.string != "" else { throw TapPayFailure(.missingPrime) }
        guard let text = prime.string, text.utf8.count <= PrimeText.charactersMax else {
            throw TapPayFailure(.invalidPrime, "A prime is a string of at most 71 characters.")
        }
        self.prime = text
        self.merchantID = try Self.merchantID(body, settings)
        self.currency = try Self.currency(body, settings)
        self.amount = try Self.amount(body, self.currency)
        self.details = try body.text(
            "details", missing: .missingDetails, outOfRange: .detailsOutOfRange, charactersMax: 100, mayBeEmpty: true)
        self.cardholder = try WireCardholder(reading: body)
        self.orderNumber = try body.optionalText(
            "order_number", outOfRange: .orderNumberOutOfRange, charactersMax: 50, form: .line)
        self.bankTransactionID = try Self.bankTransactionID(body)
        self.captureDelayDays = try Self.captureDelayDays(body)
        self.resultURL = try ResultURL(reading: body, allowsInsecure: settings.allowsInsecureNotify)
        self.eventCode = try body.optionalText("event_code", outOfRange: .wrongJSONFormat, charactersMax: 50)
        // Taken and not kept: nothing here would ever ask for it.
        _ = try body.optionalText("additional_data", outOfRange: .invalidAdditionalData, charactersMax: 5000)
        try Self.refuseWhatAppleHasNot(body)
    }

    private static func merchantID(
        _ body: BackEndBody, _ settings: AccountSettings
    ) throws(TapPayFailure) -> String {
        if let id = try body.optionalText("merchant_id", outOfRange: .merchantIDOutOfRange, charactersMax: 100) {
            return id
        }
        guard
            let group = try body.optionalText(
                "merchant_group_id", outOfRange: .merchantIDOutOfRange, charactersMax: 100)
        else { throw TapPayFailure(.missingMerchantID) }
        guard settings.merchantGroupIDs.contains(where: group.isExactly) else {
            throw TapPayFailure(.merchantGroupNotFound)
        }
        guard let id = settings.merchantIDs.first else { throw TapPayFailure(.merchantGroupSettingError) }
        return id
    }

    private static func currency(
        _ body: BackEndBody, _ settings: AccountSettings
    ) throws(TapPayFailure) -> WireCurrency {
        guard let code = try body.rawText("currency") else { return .twd }
        guard !code.isEmpty else { throw TapPayFailure(.missingCurrency) }
        guard code.utf8.count == 3 else { throw TapPayFailure(.currencyOutOfRange) }
        guard let currency = WireCurrency(exactly: code) else {
            throw TapPayFailure(.invalidCurrency, "The currencies are TWD, HKD, MYR, USD and JPY.")
        }
        guard settings.currencies.contains(currency) else { throw TapPayFailure(notAmongCurrencies: currency) }
        return currency
    }

    private static func amount(_ body: BackEndBody, _ currency: WireCurrency) throws(TapPayFailure) -> Money {
        guard let units = try body.optionalInteger("amount", invalid: .invalidAmount),
            let amount = currency.money(units)
        else {
            throw TapPayFailure(
                .invalidAmount,
                "amount must be an integer greater than 0: whole dollars of TWD, cents of HKD, MYR and USD, yen of JPY."
            )
        }
        guard units <= currency.amountMax else {
            throw TapPayFailure(.amountOutOfRange, "At most \(currency.amountMax) of \(currency.rawValue)'s unit.")
        }
        return amount
    }

    private static func bankTransactionID(_ body: BackEndBody) throws(TapPayFailure) -> String? {
        let id = try body.optionalText(
            "bank_transaction_id", outOfRange: .bankTransactionIDOutOfRange, charactersMax: 40)
        guard let id else { return nil }
        guard id.utf8.allSatisfy(ASCII.isNameCharacter) else {
            throw TapPayFailure(
                .bankTransactionIDOutOfRange, "bank_transaction_id may hold letters, digits, hyphens and underscores.")
        }
        return id
    }

    /// 0 is the same day, -1 never by itself.
    private static func captureDelayDays(_ body: BackEndBody) throws(TapPayFailure) -> Int64 {
        let days = try body.optionalInteger("delay_capture_in_days", invalid: .invalidDelayCaptureInDays) ?? 0
        guard (-1...30).contains(days) else {
            throw TapPayFailure(.delayCaptureInDaysOutOfRange, "delay_capture_in_days must be -1, or 0 to 30.")
        }
        return days
    }

    /// TapPay, "Pay by Prime API": remember, instalment, three_domain_secure and redeem are not for Apple Pay.
    private static func refuseWhatAppleHasNot(_ body: BackEndBody) throws(TapPayFailure) {
        // Read and without effect: the vendor's own Apple Pay examples send true, and get no card_secret.
        _ = try body.optionalBool("remember", invalid: .invalidRemember)
        let instalments = try body.optionalInteger("instalment", invalid: .invalidInstalment) ?? 0
        guard (0...60).contains(instalments) else { throw TapPayFailure(.instalmentOutOfRange) }
        if instalments > 0 { throw TapPayFailure(.instalmentNotSupported, "Apple Pay has no instalments.") }
        if try body.optionalBool("three_domain_secure", invalid: .wrongJSONFormat) == true {
            throw TapPayFailure(
                .threeDSecureNotSupportedByAcquirer, "Apple Pay has made sure of the customer already.")
        }
        if try body.optionalBool("redeem", invalid: .wrongJSONFormat) == true {
            throw TapPayFailure(.redeemNotSupportedByAcquirer, "Apple Pay redeems no points.")
        }
        if let verify = body.value("cardholder_verify") {
            let wishes = verify.object?.members.map(\.value) ?? [verify]
            if wishes.contains(where: { WireText.bool($0) == true }) {
                throw TapPayFailure(.cardholderVerifyNotSupported)
            }
        }
        if let merchant = body.value("kyc_verification_merchant_id"), merchant.string != "" {
            throw TapPayFailure(.cardholderVerifyNotSupported)
        }
    }
}

/// Who pays, in the merchant's words. Each field may be empty, and three must be there.
struct WireCardholder: Hashable, Sendable {
    let phoneNumber: String
    let name: String
    let email: String
    let memberID: String
    /// For the acquirer alone: it is not kept.
    let billing: PostalAddress?

    init(reading body: BackEndBody) throws(TapPayFailure) {
        guard let cardholder = try body.optionalObject("cardholder", invalid: .missingCardholder) else {
            throw TapPayFailure(.missingCardholder)
        }
        self.phoneNumber = try cardholder.text(
            "phone_number", missing: .missingCardholderPhoneNumber, outOfRange: .cardholderPhoneNumberOutOfRange,
            charactersMax: 30, mayBeEmpty: true)
        self.name = try cardholder.text(
            "name", missing: .missingCardholderName, outOfRange: .cardholderNameOutOfRange, charactersMax: 100,
            mayBeEmpty: true)
        self.email = try cardholder.text(
            "email", missing: .missingCardholderEmail, outOfRange: .cardholderEmailOutOfRange, charactersMax: 256,
            mayBeEmpty: true)
        self.memberID =
            try cardholder.optionalText("member_id", outOfRange: .wrongJSONFormat, charactersMax: 100) ?? ""
        let postalCode = try cardholder.optionalText(
            "zip_code", outOfRange: .cardholderZipCodeOutOfRange, charactersMax: 20)
        let line = try cardholder.optionalText("address", outOfRange: .cardholderAddressOutOfRange, charactersMax: 300)
        self.billing = PostalAddress(lines: [line].compactMap(\.self), postalCode: postalCode).filled
        // Read and dropped: no acquirer asks for it, and a gateway that does not need an identity number should not have it.
        _ = try cardholder.optionalText(
            "national_id", outOfRange: .cardholderNationalIDOutOfRange, charactersMax: 30)
    }
}

/// Where the result is reported. Apple Pay sends no customer away, so that nobody is redirected: of
/// `frontend_redirect_url` only the form is checked, as the vendor does.
struct ResultURL: Hashable, Sendable {
    let backendNotify: String

    /// - Returns: `nil` where the request has no result_url.
    init?(reading body: BackEndBody, allowsInsecure: Bool) throws(TapPayFailure) {
        guard let urls = try body.optionalObject("result_url", invalid: .missingResultURL) else { return nil }
        let (notify, target) = try Self.url(
            urls, "backend_notify_url", missing: .missingBackendNotifyURL, invalid: .invalidBackendNotifyURL,
            allowsInsecure)
        guard allowsInsecure || target.port == 443 else {
            throw TapPayFailure(.invalidBackendNotifyURL, "backend_notify_url must be at port 443.")
        }
        self.backendNotify = notify
        _ = try Self.url(
            urls, "frontend_redirect_url", missing: .missingFrontendRedirectURL, invalid: .invalidFrontendRedirectURL,
            allowsInsecure)
    }

    private static func url(
        _ urls: BackEndBody, _ name: String, missing: TapPayCode, invalid: TapPayCode, _ allowsInsecure: Bool
    ) throws(TapPayFailure) -> (text: String, target: NotificationTarget) {
        guard let text = try urls.rawText(name), !text.isEmpty else { throw TapPayFailure(missing) }
        guard let target = NotificationTarget(text) else {
            throw TapPayFailure(invalid, "\(name) must be an absolute https URL.")
        }
        guard allowsInsecure || target.isSecure else { throw TapPayFailure(invalid, "\(name) must be https.") }
        return (text, target)
    }
}
