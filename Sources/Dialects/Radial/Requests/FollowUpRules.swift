//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The other messages, after the vendor's public pages and what its clients send.

extension MessageRules {
    static let settlement = MessageRules(
        "PaymentSettlementRequest", hasRequestID: true,
        paymentContext + [
            FieldRule("InvoiceId", .optional, .text(0...20)),
            FieldRule("Amount", .required, .amount),
            FieldRule("TaxAmount", .optional, .amountOrZero),
            FieldRule("SettlementType", .required, .oneOf(SettlementType.allCases.map(\.rawValue))),
            FieldRule("AuthorizationResponseCode", .optional, .text(0...16)),
            FieldRule("AuthorizationDate", .optional, .text(0...40)),
            FieldRule("ExpirationDate", .optional, .text(0...40)),
            FieldRule("ClientContext", .optional, .text(0...255)),
            FieldRule("FinalDebit", .optional, .flag),
            FieldRule("BillingAddress", .optional, .anything, .anywhere),
            FieldRule("InvoiceData", .optional, .anything, .anywhere),
            FieldRule("RefundReason", .optional, .anything, .anywhere),
        ])

    static let authorizationCancel = MessageRules(
        "PaymentAuthCancelRequest", hasRequestID: true,
        paymentContext + [FieldRule("Amount", .required, .amount)])

    static let fundsConfirmation = MessageRules(
        "ConfirmFundsRequest", hasRequestID: true,
        paymentContext + [
            FieldRule("Amount", .required, .amount),
            FieldRule("PerformReauthorization", .optional, .flag),
        ])

    static let decryption = MessageRules(
        "DecryptBlobRequest", hasRequestID: false,
        [
            FieldRule("AlgorithmVersion", .optional, .oneOf(["apd"])),
            FieldRule("EncryptionHeader", .required, .complex(isOpen: false)),
            FieldRule("EncryptionHeader/EphemeralPublicKey", .required, .encoded, .anywhere),
            FieldRule("EncryptionHeader/TransactionId", .required, .encoded, .anywhere),
            FieldRule("EncryptionHeader/PublicKeyHash", .required, .encoded, .anywhere),
            FieldRule("Version", .required, .filledText(1...20)),
            FieldRule("Data", .required, .encoded),
            FieldRule("Signature", .required, .encoded),
        ])

    static let tenderLookup = MessageRules(
        "TenderTypeLookupRequest", hasRequestID: false,
        [
            FieldRule("PaymentAccountUniqueId", .optional, .account),
            FieldRule("EncryptedPaymentAccountUniqueId", .optional, .anything),
            FieldRule("TenderClass", .required, .filledText(1...40)),
            FieldRule("CurrencyCode", .required, .text(3...3)),
        ])
}
