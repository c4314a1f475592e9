//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
public import Payments

extension GatewayRefusal {
    /// Its stable name, in snake case: that of the check for a token, that of the rule for a payment. Operators
    /// search by it, and docs/refusals.md says what to do.
    public var code: String {
        switch self {
        case .token(let error): error.code.rawValue
        case .tokenReplayed: "token_replayed"
        case .amountDiffersFromToken: "amount_differs_from_token"
        case .currencyDiffersFromToken: "currency_differs_from_token"
        case .tokenAmountUnreadable: "token_amount_unreadable"
        case .modeCrossed: "mode_crossed"
        case .merchantNotReady: "merchant_not_ready"
        case .merchantSuspended: "merchant_suspended"
        case .merchantIdentifierUnknown: "merchant_identifier_unknown"
        case .networkNotSupported: "network_not_supported"
        case .currencyNotSupported: "currency_not_supported"
        case .amountNotSupported: "amount_not_supported"
        case .acquirerNotConnected: "acquirer_not_connected"
        case .operationNotSupported: "operation_not_supported"
        case .cardNumberInText: "card_number_in_text"
        case .cardDataDeleted: "card_data_deleted"
        case .merchantIdentityMissing: "merchant_identity_missing"
        case .merchantSessionFailed(let failure): failure.rawValue
        case .payment(let refusal): refusal.code
        case .paymentNotFound: "payment_not_found"
        case .orderNotFound: "order_not_found"
        case .orderExpired: "order_expired"
        case .orderCanceled: "order_canceled"
        case .orderPaid: "order_paid"
        case .orderInProcess: "order_in_process"
        case .idempotencyConflict: "idempotency_conflict"
        case .keptItemConflict: "kept_item_conflict"
        case .keptTokenUnknown: "kept_token_unknown"
        case .keptTokenExpired: "kept_token_expired"
        case .referenceTaken: "reference_taken"
        case .storeUnavailable: "store_unavailable"
        }
    }

    /// How far the call came.
    public var stage: RefusedCall.Stage {
        switch self {
        case .token(let error): RefusedCall.Stage(rawValue: error.stage.rawValue) ?? .payload
        case .tokenReplayed, .amountDiffersFromToken, .currencyDiffersFromToken, .modeCrossed, .keptTokenUnknown,
            .keptTokenExpired:
            .binding
        case .tokenAmountUnreadable: .payload
        case .cardNumberInText: .fields
        case .merchantNotReady, .merchantSuspended, .merchantIdentifierUnknown, .networkNotSupported,
            .currencyNotSupported, .amountNotSupported, .acquirerNotConnected, .operationNotSupported,
            .merchantIdentityMissing:
            .merchant
        case .merchantSessionFailed: .session
        case .payment, .cardDataDeleted, .orderExpired, .orderCanceled, .orderPaid, .orderInProcess: .state
        case .paymentNotFound, .orderNotFound: .lookup
        case .idempotencyConflict, .keptItemConflict, .referenceTaken: .idempotency
        case .storeUnavailable: .store
        }
    }
}

extension PaymentRefusal {
    /// Its stable name, in snake case.
    public var code: String {
        // A name of the enumeration's is camel case and ASCII.
        "\(self)".reduce(into: "") { text, character in
            text += character.isUppercase ? "_\(character.lowercased())" : String(character)
        }
    }
}
