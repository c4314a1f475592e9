//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Redaction

extension TransactionWriter {
    /// `sourceOfFunds`: the device's account masked in its middle (6.4), and of the card behind it what the acquirer
    /// returned (0.4). A typed card has one number, masked 6.4. What is in a token that the acquirer opened is not known.
    func sourceOfFunds(_ payment: Payment, number: Redacted<String>?) -> AnswerFields {
        let summary = payment.instrument
        let labels = payment.opening?.labels.fields ?? [:]
        let isDevice = labels[TransactionLabel.instrument] != ProvidedInstrument.Kind.card.rawValue
        let shown = number?.reveal() ?? summary.maskedPAN.description
        let expiry = Self.expiry(summary.expiryYearMonth)
        var card = AnswerFields()
        card.set("brand", CardScheme(summary.network).rawValue)
        card.set("fundingMethod", "UNKNOWN")
        card.set("nameOnCard", labels[TransactionLabel.nameOnCard])
        // "Supported from version 65 onwards" (the vendor's page "Payment Account Reference").
        if self.version.number >= 65 {
            card.set("paymentAccountReference", payment.opening?.answer.paymentAccountReference)
        }
        card.set("scheme", CardScheme(summary.network).rawValue)
        card.set("storedOnFile", "NOT_STORED")
        if isDevice {
            card.set("devicePayment.cryptogramFormat", summary.isOpened ? CryptogramFormat.threeDSecure.rawValue : nil)
            card.set("deviceSpecificExpiry.month", expiry?.month)
            card.set("deviceSpecificExpiry.year", expiry?.year)
            card.set("deviceSpecificNumber", summary.isOpened ? shown : nil)
            card.set("encryption", "DEVICE")
            self.setFundingCard(payment, in: &card)
        } else {
            card.set("expiry.month", expiry?.month)
            card.set("expiry.year", expiry?.year)
            card.set("number", shown)
        }
        var fields = AnswerFields()
        fields.merge(card, under: "sourceOfFunds.provided.card")
        fields.set("sourceOfFunds.type", SourceOfFundsType.card.rawValue)
        return fields
    }

    /// The card behind the device's account.
    private func setFundingCard(_ payment: Payment, in card: inout AnswerFields) {
        let answer = payment.opening?.answer
        card.set("number", String(repeating: "x", count: 12) + (answer?.fundingPANSuffix ?? "xxxx"))
        let expiry = answer?.fundingExpiryYearMonth.flatMap(Self.expiry)
        card.set("expiry.month", expiry?.month)
        card.set("expiry.year", expiry?.year)
    }

    /// "3901" as ("1", "39"): the month without a leading zero.
    private static func expiry(_ yearMonth: String) -> (month: String, year: String)? {
        guard yearMonth.utf8.count == 4 else { return nil }
        let month = yearMonth.suffix(2)
        return (month.hasPrefix("0") ? String(month.dropFirst()) : String(month), String(yearMonth.prefix(2)))
    }
}

/// `sourceOfFunds.provided.card.brand` and `scheme`.
enum CardScheme: String, CaseIterable, Hashable, Sendable {
    case amex = "AMEX"
    case chinaUnionPay = "CHINA_UNIONPAY"
    case discover = "DISCOVER"
    case jcb = "JCB"
    case mastercard = "MASTERCARD"
    case visa = "VISA"
    case other = "OTHER"

    init(_ network: CardNetwork) {
        switch network {
        case .visa: self = .visa
        case .mastercard: self = .mastercard
        case .amex: self = .amex
        case .jcb: self = .jcb
        case .discover: self = .discover
        case .unionPay: self = .chinaUnionPay
        case .girocard, .other: self = .other
        }
    }
}
