//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// `order.walletProvider`.
enum WalletProvider: String, PermittedValue {
    case applePay = "APPLE_PAY"
    case amexExpressCheckout = "AMEX_EXPRESS_CHECKOUT"
    case chasePay = "CHASE_PAY"
    case googlePay = "GOOGLE_PAY"
    case masterpassOnline = "MASTERPASS_ONLINE"
    case samsungPay = "SAMSUNG_PAY"
    case secureRemoteCommerce = "SECURE_REMOTE_COMMERCE"
    case visaCheckout = "VISA_CHECKOUT"

    var isSupported: Bool { self == .applePay }
}

/// `transaction.source`: how the merchant came by the payment.
enum TransactionSource: String, PermittedValue {
    case callCentre = "CALL_CENTRE"
    case cardPresent = "CARD_PRESENT"
    case internet = "INTERNET"
    case mailOrder = "MAIL_ORDER"
    case merchant = "MERCHANT"
    case moto = "MOTO"
    case payerPresent = "PAYER_PRESENT"
    case telephoneOrder = "TELEPHONE_ORDER"
    case voiceResponse = "VOICE_RESPONSE"

    /// There is no terminal here.
    var isSupported: Bool { self != .cardPresent && self != .payerPresent }
}

/// `agreement.type`: what the customer has agreed to.
enum AgreementType: String, PermittedValue {
    case installment = "INSTALLMENT"
    case other = "OTHER"
    case recurring = "RECURRING"
    case unscheduled = "UNSCHEDULED"
}

/// `posTerminal.location`.
enum TerminalLocation: String, PermittedValue {
    case merchantOffPremises = "MERCHANT_TERMINAL_OFF_PREMISES"
    case merchantOnPremises = "MERCHANT_TERMINAL_ON_PREMISES"
    case noTerminal = "NO_TERMINAL_VOICE_OR_AUDIO_RESPONSE"
    case payerOffPremises = "PAYER_TERMINAL_OFF_PREMISES"
    case payerOnPremises = "PAYER_TERMINAL_ON_PREMISES"
}

/// `sourceOfFunds.provided.card.devicePayment.cryptogramFormat`.
enum CryptogramFormat: String, PermittedValue {
    case threeDSecure = "3DSECURE"
    case emv = "EMV"

    /// An EMV cryptogram comes in a token that the gateway decrypts, and in no field.
    var isSupported: Bool { self == .threeDSecure }
}

/// `order.certainty`: whether all of the amount is expected to be captured.
enum OrderCertainty: String, PermittedValue {
    case final = "FINAL"
    case estimated = "ESTIMATED"
}

/// `sourceOfFunds.type`.
enum SourceOfFundsType: String, PermittedValue {
    case card = "CARD"
    case ach = "ACH"
    case alipay = "ALIPAY"
    case browserPayment = "BROWSER_PAYMENT"
    case giftCard = "GIFT_CARD"
    case openBankingBankTransfer = "OPEN_BANKING_BANK_TRANSFER"
    case payPal = "PAYPAL"
    case schemeToken = "SCHEME_TOKEN"

    var isSupported: Bool { self == .card }
}
