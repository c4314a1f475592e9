//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Foundation
import Gateway
import HTTPTypes
import Payments
import Testing

@testable import CommWeb

@Suite struct MappingTests {
    @Test(arguments: [
        (GatewayRefusal.tokenReplayed, ErrorCode.tokenUsed, "sourceOfFunds.provided.card"),
        (.amountDiffersFromToken, .tokenAmountDiffers, "order.amount"),
        (.currencyDiffersFromToken, .tokenCurrencyDiffers, "order.currency"),
        (.tokenAmountUnreadable, .tokenNotReadable, CardFields.tokenPath),
        (.modeCrossed(merchant: .live, token: .sandbox), .tokenModeDiffers, CardFields.tokenPath),
        (.merchantNotReady, .merchantNotReady, "merchant"),
        (.merchantIdentifierUnknown, .merchantNotReady, "merchant"),
        (.merchantIdentityMissing, .merchantNotReady, "merchant"),
        (.networkNotSupported, .networkNotSupported, "sourceOfFunds.provided.card"),
        (.cardNumberInText(.orderName), .fieldInvalid, "order.id"),
        (.cardNumberInText(.description), .fieldInvalid, "order.description"),
        (.amountNotSupported, .amountInvalid, "order.amount"),
        (.operationNotSupported, .operationInvalid, "apiOperation"), (.orderNotFound, .orderNotFound, "order.id"),
        (.paymentNotFound, .transactionNotFound, "transaction.id"), (.orderExpired, .orderClosed, "order.id"),
        (.orderCanceled, .orderClosed, "order.id"), (.orderPaid, .orderPaid, "order.id"),
        (.orderInProcess, .orderLocked, "order.id"),
        (.idempotencyConflict, .transactionConflict, "transaction.id"),
        (.referenceTaken(kind: "transaction"), .transactionConflict, "transaction.id"),
    ])
    func mapsEveryRefusalToItsField(refusal: GatewayRefusal, code: ErrorCode, field: String) {
        let error = CommWebError(refusal, of: .pay)
        #expect(error.code == code && error.field == field && error.validation != nil)
    }

    /// The amount of a part stands elsewhere than that of a payment.
    @Test(arguments: [APIOperation.capture, .refund, .updateAuthorization])
    func amountOfAPartIsTheTransactions(operation: APIOperation) {
        let error = CommWebError(GatewayRefusal.amountNotSupported, of: operation)
        #expect(error.code == .amountInvalid && error.field == "transaction.amount")
    }

    @Test(arguments: [
        (GatewayRefusal.acquirerNotConnected, ErrorCode.acquirerNotConnected),
        (.cardNumberInText(.other), .fieldInvalid),
        (.merchantSessionFailed(.timedOut), .acquirerNotConnected), (.keptItemConflict, .sessionConflict),
        (.keptTokenUnknown, .sessionConflict), (.keptTokenExpired, .sessionConflict),
        (.storeUnavailable, .storeUnavailable),
    ])
    func mapsWhatNoFieldIsToBlameFor(refusal: GatewayRefusal, code: ErrorCode) {
        let error = CommWebError(refusal, of: .pay)
        #expect(error.code == code && error.field == nil && error.validation == nil)
    }

    @Test(arguments: PaymentRefusal.allCases)
    func mapsEveryRuleToAField(refusal: PaymentRefusal) {
        let expected: [PaymentRefusal: (ErrorCode, String)] = [
            .amountNotPositive: (.amountInvalid, "transaction.amount"),
            .currencyDiffers: (.currencyDiffers, "transaction.currency"),
            .tooManyOperations: (.tooManyTransactions, "order.id"),
            .authorizationFailed: (.orderNotAuthorized, "apiOperation"),
            .alreadyVoided: (.alreadyVoided, "apiOperation"), .alreadyCaptured: (.alreadyCaptured, "apiOperation"),
            .captureIsFinal: (.alreadyCaptured, "apiOperation"),
            .captureExceedsAuthorized: (.captureExceedsAuthorized, "transaction.amount"),
            .notCaptured: (.notCaptured, "apiOperation"), .alreadyRefunded: (.alreadyRefunded, "apiOperation"),
            .refundExceedsCaptured: (.refundExceedsCaptured, "transaction.amount"),
            .adjustmentBelowCaptured: (.updateBelowCaptured, "transaction.amount"),
            .notVoidable: (.notVoidable, "apiOperation"), .verificationOnly: (.orderVerifiedOnly, "apiOperation"),
            .operationNotFound: (.transactionNotFound, "transaction.targetTransactionId"),
        ]
        let error = CommWebError(.payment(refusal), of: .capture)
        let (code, field) = expected[refusal] ?? (.orderLocked, "order.id")
        #expect(error.code == code && error.field == field)
        if refusal == .amountNotPositive { #expect(CommWebError(.payment(refusal), of: .pay).field == "order.amount") }
    }

    @Test func everyErrorHasAStatusOfItsCauseAndASentence() {
        for code in ErrorCode.allCases {
            switch code.cause {
            case .invalidRequest: #expect((400...499).contains(code.status.code))
            case .requestRejected: #expect(code.status.code == 403)
            case .serverBusy: #expect(code.status.code == (code == .tooManyRequests ? 429 : 503))
            case .serverFailed: #expect((500...599).contains(code.status.code))
            }
            #expect(code.explanation.hasSuffix(".") && code.explanation.count > 15)
        }
    }

    @Test func everyReasonOfADeclineHasACode() {
        let codes = Dictionary(uniqueKeysWithValues: DeclineReason.allCases.map { ($0, GatewayCode($0)) })
        #expect(codes[.doNotHonor] == .declined && codes[.lostOrStolenCard] == .declined)
        #expect(codes[.insufficientFunds] == .insufficientFunds && codes[.expiredCard] == .expiredCard)
        #expect(codes[.systemError] == .systemError && codes[.issuerUnavailable] == .acquirerSystemError)
        #expect(codes[.timedOut] == .timedOut && codes[.unspecified] == .unspecifiedFailure)
        #expect(codes[.invalidOperation] == .notSupported)
    }

    @Test func everyStateOfAPaymentHasAStatus() {
        let statuses = PaymentState.allCases.map { "\($0.rawValue) \(OrderStatus($0).rawValue)" }
        #expect(
            statuses.sorted() == [
                "authorizationUnknown INITIATED", "authorized AUTHORIZED", "authorizing INITIATED",
                "captured CAPTURED", "declined FAILED", "notProcessed FAILED", "partiallyCaptured PARTIALLY_CAPTURED",
                "partiallyRefunded PARTIALLY_REFUNDED", "refunded REFUNDED", "reversed FAILED", "verified VERIFIED",
                "voided CANCELLED",
            ])
    }

    // MARK: - The document and the code

    private static func document() throws -> [[String]] {
        let file = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "../../../../docs/dialects/commweb.md")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| `") }
            .map { line in line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    }

    private static func name(_ cell: String) -> String { cell.filter { $0 != "`" } }

    @Test func theDocumentListsEveryError() throws {
        let causes = Set(ErrorCause.allCases.map(\.rawValue))
        let listed = try Self.document().filter { $0.count == 4 && causes.contains($0[2]) }
        #expect(
            listed.map { "\(Self.name($0[0])) \($0[1]) \($0[2])" }
                == ErrorCode.allCases.map { "\($0.rawValue) \($0.status.code) \($0.cause.rawValue)" })
    }

    @Test func theDocumentListsEveryGatewayCode() throws {
        let rows = try Self.document().filter { $0.count == 3 && ["yes", "no"].contains($0[1]) }
        let names = Set(GatewayCode.allCases.map(\.rawValue))
        let codes = rows.filter { names.contains(Self.name($0[0])) && $0[2].hasPrefix("code:") }
        #expect(codes.map { Self.name($0[0]) } == GatewayCode.allCases.map(\.rawValue) && codes.count == 37)
        let occurring = Set(DeclineReason.allCases.map { GatewayCode($0).rawValue }).union([
            "APPROVED", "PARTIALLY_APPROVED", "SUBMITTED", "UNKNOWN", "TIMED_OUT", "UNSPECIFIED_FAILURE",
        ])
        #expect(Set(codes.filter { $0[1] == "yes" }.map { Self.name($0[0]) }) == occurring)
    }

    @Test func theDocumentListsEveryOrderStatus() throws {
        let rows = try Self.document().filter { $0.count == 3 && $0[2].hasPrefix("status:") }
        #expect(rows.map { Self.name($0[0]) } == OrderStatus.allCases.map(\.rawValue) && rows.count == 19)
        let occurring = Set(PaymentState.allCases.map { OrderStatus($0).rawValue })
            .union([OrderStatus.chargebackProcessed.rawValue])
        #expect(Set(rows.filter { $0[1] == "yes" }.map { Self.name($0[0]) }) == occurring)
    }
}
