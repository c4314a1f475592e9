//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import HTTPTypes
import Payments

// Everything that can go wrong, mapped by `switch` without `default`: a new refusal does not compile until it has a
// code.

extension CommWebError {
    init(wire failure: WireFailure) {
        switch failure {
        case .pathUnknown: self.init(.pathUnknown)
        case .methodNotAllowed(let allowed):
            let names = allowed.map(\.rawValue).joined(separator: ", ")
            self.init(.methodNotAllowed, "The path does not take this method; it takes \(names).")
        case .bodyTooLarge(let bytesMax):
            self.init(.bodyTooLarge, "The body must have at most \(bytesMax) bytes.")
        case .bodyIncomplete: self.init(.bodyIncomplete)
        case .timedOut: self.init(.gatewayTimedOut)
        case .overloaded: self.init(.gatewayBusy)
        }
    }

    /// - Parameter operation: what was asked for; `nil` before that is known.
    init(_ refusal: GatewayRefusal, of operation: APIOperation?) {
        CallNotes.note(refusal)
        let token = CardFields.tokenPath
        switch refusal {
        case .token:
            self.init(Self.code(of: refusal.tokenStage), refusal.explanation, field: token)
        case .tokenReplayed: self.init(.tokenUsed, field: Self.instrumentField)
        case .tokenAmountUnreadable: self.init(.tokenNotReadable, refusal.explanation, field: token)
        case .amountDiffersFromToken: self.init(.tokenAmountDiffers, field: "order.amount")
        case .currencyDiffersFromToken: self.init(.tokenCurrencyDiffers, field: "order.currency")
        case .modeCrossed: self.init(.tokenModeDiffers, refusal.explanation, field: token)
        case .merchantNotReady: self.init(.merchantNotReady, field: "merchant")
        case .merchantSuspended, .merchantIdentifierUnknown, .merchantIdentityMissing:
            self.init(.merchantNotReady, refusal.explanation, field: "merchant")
        case .merchantSessionFailed: self.init(.acquirerNotConnected, refusal.explanation)
        case .networkNotSupported:
            self.init(.networkNotSupported, field: Self.instrumentField, .unsupported)
        case .currencyNotSupported:
            self.init(.fieldNotSupported, refusal.explanation, field: "order.currency", .unsupported)
        case .amountNotSupported:
            self.init(.amountInvalid, refusal.explanation, field: "\(Self.scope(of: operation)).amount")
        case .acquirerNotConnected: self.init(.acquirerNotConnected)
        case .cardNumberInText(let place):
            let field: String? =
                switch place {
                case .orderName: "order.id"
                case .description: "order.description"
                case .other: nil
                }
            self.init(.fieldInvalid, refusal.explanation, field: field, .invalid)
        case .operationNotSupported, .cardDataDeleted:
            self.init(.operationInvalid, refusal.explanation, field: "apiOperation", .unsupported)
        case .payment(let refusal): self.init(refusal, of: operation)
        case .paymentNotFound: self.init(.transactionNotFound, field: "transaction.id")
        case .orderNotFound: self.init(.orderNotFound, field: "order.id")
        case .orderExpired, .orderCanceled: self.init(.orderClosed, field: "order.id")
        case .orderPaid: self.init(.orderPaid, field: "order.id")
        case .orderInProcess: self.init(.orderLocked, field: "order.id")
        case .idempotencyConflict, .referenceTaken: self.init(.transactionConflict, field: "transaction.id")
        case .keptItemConflict, .keptTokenUnknown, .keptTokenExpired: self.init(.sessionConflict)
        case .storeUnavailable: self.init(.storeUnavailable)
        }
    }

    /// A rule of the payment's state machine.
    init(_ refusal: PaymentRefusal, of operation: APIOperation?) {
        let scope = Self.scope(of: operation)
        let operationField = "apiOperation"
        switch refusal {
        case .amountNotPositive: self.init(.amountInvalid, field: "\(scope).amount")
        case .currencyDiffers: self.init(.currencyDiffers, field: "\(scope).currency")
        case .tooManyOperations: self.init(.tooManyTransactions, field: "order.id")
        case .authorizationPending, .authorizationUnknown, .voidPending, .capturePending, .refundPending,
            .adjustmentPending, .reversalPending:
            self.init(.orderLocked, field: "order.id")
        case .authorizationFailed: self.init(.orderNotAuthorized, field: operationField)
        case .alreadyVoided where operation == .void || operation == .refund:
            self.init(.alreadyVoided, "The transaction, or its payment, has been voided.", field: operationField)
        case .alreadyVoided: self.init(.alreadyVoided, field: operationField)
        case .alreadyCaptured, .captureIsFinal: self.init(.alreadyCaptured, field: operationField)
        case .captureExceedsAuthorized: self.init(.captureExceedsAuthorized, field: "transaction.amount")
        case .notCaptured: self.init(.notCaptured, field: operationField)
        case .alreadyRefunded where operation == .void:
            self.init(
                .alreadyRefunded,
                "What was captured has been refunded, or charged back. Void the refund first, or refund what is left.",
                field: operationField)
        case .alreadyRefunded:
            self.init(
                .alreadyRefunded, "All of the payment, or of the named capture, has been refunded or charged back.",
                field: operationField)
        case .refundExceedsCaptured: self.init(.refundExceedsCaptured, field: "transaction.amount")
        case .adjustmentBelowCaptured: self.init(.updateBelowCaptured, field: "transaction.amount")
        case .notVoidable: self.init(.notVoidable, field: operationField)
        case .verificationOnly: self.init(.orderVerifiedOnly, field: operationField)
        case .operationNotFound: self.init(.transactionNotFound, field: "transaction.targetTransactionId")
        case .operationAlreadyResolved, .approvalExceedsRequest, .partialApprovalNotAccepted:
            self.init(.orderLocked, field: "order.id")
        }
    }

    /// Where an operation's amount stands.
    private static func scope(of operation: APIOperation?) -> String {
        operation == .authorize || operation == .pay || operation == .verify ? "order" : "transaction"
    }

    private static func code(of stage: GatewayRefusal.TokenStage?) -> ErrorCode {
        switch stage {
        case .parse, nil: .tokenMalformed
        case .verification: .tokenNotGenuine
        case .decryption: .tokenNotReadable
        }
    }

    /// What is paid with may be a token or what a merchant took out of one; no request says both.
    private static let instrumentField = "sourceOfFunds.provided.card"
}
