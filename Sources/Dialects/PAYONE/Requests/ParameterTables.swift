//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The tables of the vendor's Apple Pay page, row by row. docs/dialects/payone.md says which rows are not from there.
enum ParameterTables {
    /// "Account Parameters" of authorizations. The page's table says 7 digits for the portal and spells it portalId; its
    /// sample has 6 and spells it portalid.
    static let account = Self.account(.required("aid", .numeric(5...5)))

    /// Of all other requests: the vendor's own shop plugins send no sub-account there.
    static let accountWithoutSubAccount = Self.account(.optional("aid", .numeric(5...5)))

    static func account(of name: RequestName) -> [ParameterRule] {
        switch name {
        case .preauthorization, .authorization: self.account
        case .capture, .debit, .refund, .genericpayment: self.accountWithoutSubAccount
        }
    }

    private static func account(_ subAccount: ParameterRule) -> [ParameterRule] {
        [
            .required("mid", .numeric(5...5)),
            subAccount,
            .required("portalid", .numeric(6...7), aliases: ["portalId"]),
            .required("key", .keyDigest),
            .required("mode", .list(["test", "live"])),
        ]
    }

    /// "PERSONAL DATA Parameters". What they may be together is in ``AuthorizationRequest``.
    static let person: [ParameterRule] = [
        .optional("firstname", .characters(1...50)),
        .optional("lastname", .characters(2...50)),
        .optional("company", .characters(2...50)),
        .optional("street", .characters(1...50)),
        .optional("addressaddition", .characters(1...50)),
        .optional("zip", .symbols(2...50, "_.-/ ")),
        .optional("city", .characters(2...50)),
        .required("country", .country),
        .optional("email", .email),
        .optional("birthday", .date),
        .optional("telephonenumber", .characters(1...50)),
        .optional("ip", .characters(1...39)),
        .optional("add_paydata[b2b]", .list(["yes", "no"])),
    ]

    /// Where the goods go, in the formats of the customer's own address. The Apple Pay page has none of them; the vendor's
    /// list of errors has numbers for them.
    static let shipping: [ParameterRule] = [
        .optional("shipping_firstname", .characters(1...50)),
        .optional("shipping_lastname", .characters(1...50)),
        .optional("shipping_company", .characters(2...50)),
        .optional("shipping_street", .characters(1...50)),
        .optional("shipping_addressaddition", .characters(1...50)),
        .optional("shipping_zip", .symbols(2...50, "_.-/ ")),
        .optional("shipping_city", .characters(2...50)),
        .optional("shipping_state", .state),
        .optional("shipping_country", .country),
    ]

    /// "Some countries require additional information in parameter state": ``Country/withStates``.
    static let state: [ParameterRule] = [.required("state", .state)]

    static let payment: [ParameterRule] = [
        .required("clearingtype", .fixed("wlt")),
        .required("wallettype", .fixed("APL")),
        .optional("cardtype", .cardType),
        .required("reference", .symbols(1...20, ".-_/")),
        .required("amount", .amount),
        .required("currency", .currency),
        .optional("narrative_text", .lines(1...81)),
        .optional("customerid", .line(1...20)),
        .optional("param", .line(1...255)),
        .optional("sequencenumber", .number(digits: 1...3, values: 0...0)),
    ]

    /// "add_paydata PARAMETERS".
    static let token: [ParameterRule] = [
        .required(TokenParameter.version, .tokenPart),
        .required(TokenParameter.data, .tokenPart),
        .required(TokenParameter.signature, .tokenPart),
        .required(TokenParameter.ephemeralPublicKey, .tokenPart),
        .required(TokenParameter.publicKeyHash, .tokenPart),
        .required(TokenParameter.transactionID, .tokenPart),
    ]

    /// "POST Request Pre- /Authorization".
    static let authorization = Self.person + Self.shipping + Self.payment + Self.token

    private static let clearing: [ParameterRule] = [
        .optional("clearingtype", .fixed("wlt")),
        .optional("wallettype", .fixed("APL")),
    ]

    private static let settleAccount = ParameterRule.optional("settleaccount", .list(["yes", "no", "auto"]))

    /// "POST Request Capture".
    static let capture = Self.capture(.required("capturemode", Self.captureMode))

    /// For accounts that have a mode of their own, because their client sends none.
    static let captureWithoutMode = Self.capture(.optional("capturemode", Self.captureMode))

    private static let captureMode = ParameterFormat.list(PAYONE.CaptureMode.allCases.map(\.rawValue))

    private static func capture(_ captureMode: ParameterRule) -> [ParameterRule] {
        [.required("txid", .numeric(9...12))] + Self.clearing + [
            captureMode,
            .optional("sequencenumber", .number(digits: 1...3, values: 0...Int64(Turn.numberMax))),
            .required("amount", .amount),
            .required("currency", .currency),
            .optional("narrative_text", .lines(1...81)),
            Self.settleAccount,
        ]
    }

    /// "POST Request Debit"; the request refund has the same.
    static let debit: [ParameterRule] =
        [.required("txid", .numeric(9...12))] + Self.clearing + [
            .required("sequencenumber", .number(digits: 1...3, values: 0...Int64(Turn.numberMax))),
            .required("amount", .amount),
            .required("currency", .currency),
            .optional("narrative_text", .lines(1...81)),
            Self.settleAccount,
        ]

    /// `genericpayment` with `init_applepay_session`.
    static let session: [ParameterRule] =
        [.required("add_paydata[action]", .fixed("init_applepay_session"))] + Self.clearing + [
            .required("add_paydata[domain_name]", .domainName),
            .optional("add_paydata[display_name]", .line(1...64)),
            .optional("currency", .currency),
        ]
}

/// The names of a token's parts.
enum TokenParameter {
    static let version = "add_paydata[paymentdata_token_version]"
    static let data = "add_paydata[paymentdata_token_data]"
    static let signature = "add_paydata[paymentdata_token_signature]"
    static let ephemeralPublicKey = "add_paydata[paymentdata_token_ephemeral_publickey]"
    static let publicKeyHash = "add_paydata[paymentdata_token_publickey_hash]"
    static let transactionID = "add_paydata[paymentdata_token_transaction_id]"
}
