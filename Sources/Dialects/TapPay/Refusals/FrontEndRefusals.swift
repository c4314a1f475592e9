//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments

// Everything that the gateway can refuse a front end with, mapped by `switch` without `default`: a new refusal does
// not compile until it has a number.

extension TapPayFailure {
    init(frontEnd refusal: GatewayRefusal) {
        CallNotes.note(refusal)
        self.init(TapPayFailure.frontEndCode(of: refusal), refusal.explanation)
    }

    static func frontEndCode(of refusal: GatewayRefusal) -> TapPayCode {
        switch refusal {
        case .token: self.tokenCode(of: refusal)
        // Sandbox and live tokens are distinguished by who signed them.
        case .modeCrossed: .signatureVerificationError
        case .tokenReplayed: .signatureVerificationError
        case .tokenAmountUnreadable: .cardEncryptError
        case .networkNotSupported: .paymentMethodNotSupported
        case .merchantIdentifierUnknown: .appleMerchantIDDisabled
        case .merchantIdentityMissing, .merchantSessionFailed: .getSessionError
        case .merchantNotReady, .merchantSuspended, .acquirerNotConnected, .operationNotSupported, .storeUnavailable,
            .keptItemConflict:
            .systemError
        // None of these comes of making a prime or a session.
        case .keptTokenUnknown, .keptTokenExpired, .amountDiffersFromToken, .currencyDiffersFromToken,
            .currencyNotSupported, .amountNotSupported, .cardNumberInText, .cardDataDeleted, .payment,
            .paymentNotFound, .orderNotFound, .orderExpired, .orderCanceled, .orderPaid, .orderInProcess,
            .idempotencyConflict, .referenceTaken:
            .systemError
        }
    }

    /// By how far the token came: 916 that its signature could not be looked at, 917 that it is not Apple's, 122 that
    /// it does not open, 41 that no card is in it.
    private static func tokenCode(of refusal: GatewayRefusal) -> TapPayCode {
        switch refusal.tokenStage {
        case .parse, nil: return .signatureVerificationNotProceeded
        case .verification: return .signatureVerificationError
        case .decryption:
            let isCard = refusal.tokenCode.map(Self.cardCodes.contains) ?? false
            return isCard ? .wrongCardFormat : .cardEncryptError
        }
    }

    private static let cardCodes: Set = ["account_number_malformed", "expiration_date_malformed"]
}

extension GatewayRefusal.TokenStage {
    /// As it stands in `token_stage`.
    var wireName: String {
        switch self {
        case .parse: "parse"
        case .verification: "verification"
        case .decryption: "decryption"
        }
    }
}
