//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The tables of "Credit Card Auth API", Request Elements, row by row.

extension MessageRules {
    /// By Apple Pay: `creditcard/auth/DW.xml`.
    static let walletAuthorization = MessageRules(
        "CreditCardAuthRequest", hasRequestID: true,
        [
            FieldRule("WalletPaymentInformation", .required, .complex(isOpen: false)),
            FieldRule("WalletPaymentInformation/ApplePayTransactionId", .required, .encoded),
            FieldRule("WalletPaymentInformation/EphemeralPublicKey", .required, .encoded),
            FieldRule("WalletPaymentInformation/PublicKeyHash", .required, .encoded),
            FieldRule("WalletPaymentInformation/Version", .required, .filledText(1...20)),
            FieldRule("WalletPaymentInformation/Data", .required, .encoded),
            FieldRule("WalletPaymentInformation/Signature", .required, .encoded),
            FieldRule("OrderId", .required, .filledText(1...20)),
            FieldRule("Amount", .optional, .amount, .anywhere),
        ] + customer + flags)

    /// By card number: `creditcard/auth/VC.xml` and its like.
    static let cardAuthorization = MessageRules(
        "CreditCardAuthRequest", hasRequestID: true,
        paymentContext + [
            FieldRule("ExpirationDate", .required, .yearMonth),
            FieldRule("CardSecurityCode", .optional, .securityCode),
            FieldRule("EncryptedCardSecurityCode", .optional, .anything),
            FieldRule("Amount", .required, .amount),
        ] + customer + flags + [
            FieldRule("SecureVerificationData", .optional, .complex(isOpen: true), .anywhere),
            FieldRule("SecureVerificationData/AuthenticationAvailable", .optional, .text(1...1), .anywhere),
            FieldRule("SecureVerificationData/AuthenticationStatus", .optional, .text(1...1), .anywhere),
            FieldRule("SecureVerificationData/CavvUcaf", .optional, .text(0...64), .anywhere),
            FieldRule("SecureVerificationData/TransactionId", .optional, .text(0...64), .anywhere),
            FieldRule("SecureVerificationData/ECI", .optional, .eci, .anywhere),
            FieldRule("SecureVerificationData/PayerAuthenticationResponse", .optional, .text(0...10_000), .anywhere),
        ])

    private static let customer =
        [
            FieldRule("BillingFirstName", .required, .text(0...charactersMax)),
            FieldRule("BillingLastName", .required, .text(0...charactersMax)),
            FieldRule("BillingPhoneNo", .required, .text(0...charactersMax)),
        ] + address("BillingAddress") + [
            FieldRule("CustomerEmail", .required, .text(1...70)),
            FieldRule("CustomerIPAddress", .required, .ipv4),
            FieldRule("ShipToFirstName", .required, .text(0...charactersMax)),
            FieldRule("ShipToLastName", .required, .text(0...charactersMax)),
            FieldRule("ShipToPhoneNo", .optional, .text(0...charactersMax)),
        ] + address("ShippingAddress")

    private static let flags = [
        FieldRule("isRequestToCorrectCVVOrAVSError", .optional, .flag, .anywhere),
        FieldRule("SchemaVersion", .optional, .schemaVersion, .anywhere),
        FieldRule("Features", .optional, .complex(isOpen: true), .anywhere),
        FieldRule("Features/IncludePaymentAccountInformation", .optional, .boolean, .anywhere),
        FieldRule("Extension", .optional, .anything, .anywhere),
    ]

    /// What the table calls "String" without a restriction: as much as a body may have.
    private static let charactersMax = 64 * 1024

    private static func address(_ name: String) -> [FieldRule] {
        [
            FieldRule(name, .required, .complex(isOpen: false)),
            FieldRule(name + "/Line1", .required, .filledText(1...70)),
            FieldRule(name + "/Line2", .optional, .filledText(1...70)),
            FieldRule(name + "/Line3", .optional, .filledText(1...70)),
            FieldRule(name + "/Line4", .optional, .filledText(1...70)),
            FieldRule(name + "/City", .required, .text(1...40)),
            FieldRule(name + "/MainDivision", .optional, .text(1...35)),
            // The name in the vendor's newer samples.
            FieldRule(name + "/MainDivisionCode", .optional, .text(1...35)),
            FieldRule(name + "/CountryCode", .required, .text(2...40)),
            FieldRule(name + "/PostalCode", .optional, .text(1...15)),
        ]
    }

    static let paymentContext = [
        FieldRule("PaymentContext", .required, .complex(isOpen: false)),
        FieldRule("PaymentContext/OrderId", .required, .filledText(1...20)),
        FieldRule("PaymentContext/PaymentAccountUniqueId", .optional, .account),
        FieldRule("PaymentContext/EncryptedPaymentAccountUniqueId", .optional, .anything),
    ]
}
