//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Foundation
import Gateway
import Payments
import Testing

@testable import AlphaPay

@Suite struct ResultCodeTests {
    @Test(arguments: [
        (GatewayRefusal.tokenReplayed, ResultCode.tokenRepeated), (.amountDiffersFromToken, .tokenAmountDiffers),
        (.currencyDiffersFromToken, .tokenCurrencyDiffers), (.tokenAmountUnreadable, .tokenInvalid),
        (.modeCrossed(merchant: .live, token: .sandbox), .tokenModeDiffers), (.merchantNotReady, .merchantNotReady),
        (.merchantIdentifierUnknown, .merchantIdentifierUnknown), (.networkNotSupported, .cardNetworkNotSupported),
        (.acquirerNotConnected, .channelNotConnected), (.paymentNotFound, .orderNotExist),
        (.orderNotFound, .orderNotExist), (.orderExpired, .orderExpired), (.orderCanceled, .orderCanceled),
        (.orderPaid, .orderPaid), (.orderInProcess, .paymentInProcess), (.idempotencyConflict, .requestInconsistent),
        (.referenceTaken(kind: "refundRequestId"), .requestInconsistent), (.storeUnavailable, .systemBusy),
        (.cardNumberInText(.other), .parameterIllegal),
    ])
    func mapsEveryRefusal(refusal: GatewayRefusal, code: ResultCode) {
        let result = AlphaPayResult(refusal: refusal)
        #expect(result.code == code && result.message == refusal.explanation)
    }

    @Test(arguments: PaymentRefusal.allCases)
    func mapsEveryRefusalOfAPayment(refusal: PaymentRefusal) {
        let expected: [PaymentRefusal: ResultCode] = [
            .amountNotPositive: .parameterIllegal, .currencyDiffers: .currencyNotSupported,
            .tooManyOperations: .refundsTooMany, .authorizationFailed: .orderNotPaid, .notCaptured: .orderNotPaid,
            .alreadyRefunded: .orderRefunded, .refundExceedsCaptured: .refundAmountExceeds,
            .operationNotFound: .refundNotExist, .voidPending: .systemBusy, .capturePending: .systemBusy,
            .refundPending: .systemBusy, .adjustmentPending: .systemBusy, .reversalPending: .systemBusy,
        ]
        #expect(AlphaPayResult(refusal: .payment(refusal)).code == expected[refusal] ?? .orderStatusInvalid)
    }

    @Test func everyReasonOfADeclineHasACodeOfItsOwn() {
        let codes = Set(DeclineReason.allCases.map { AlphaPayResult(.declined($0)).code })
        #expect(codes.count == DeclineReason.allCases.count)
        #expect(codes.allSatisfy { $0.status == .failure })
        #expect(AlphaPayResult(.reversed).code == .takenBack)
    }

    /// Whoever is given money back does not pay, with this card or another.
    @Test(arguments: DeclineReason.allCases)
    func saysNothingOfPayingWhereARefundWasDeclined(reason: DeclineReason) {
        let (refund, payment) = (AlphaPayResult(ofRefund: .declined(reason)), AlphaPayResult(.declined(reason)))
        #expect(refund.code == payment.code && refund.message.hasSuffix("."))
        #expect(!refund.message.contains("another card") && !refund.message.contains("kind of payment"))
        #expect(refund.message == payment.message || reason.isOfTheCard)
    }

    @Test func everyStateOfAPaymentHasAStatus() {
        let statuses = Dictionary(uniqueKeysWithValues: PaymentState.allCases.map { ($0, PaymentStatus($0)) })
        #expect(statuses[.captured] == .success && statuses[.partiallyCaptured] == .success)
        #expect(statuses[.declined] == .failed && statuses[.reversed] == .failed && statuses[.voided] == .failed)
        #expect(statuses[.partiallyRefunded] == .partialRefund && statuses[.refunded] == .fullRefund)
        #expect(statuses[.authorizing] == .inProcess && statuses[.authorizationUnknown] == .inProcess)
        #expect(statuses[.authorized] == .inProcess)
    }

    @Test func everyMessageIsASentence() {
        for code in ResultCode.allCases where code != .success {
            #expect(code.message.count > 20 && code.message.hasSuffix("."))
        }
    }

    /// The published list and the code are the same list, word by word; each sentence is followed by its origin's mark.
    @Test func theDocumentListsEveryCodeWithItsStatusAndItsSentence() throws {
        let document = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "../../../../docs/dialects/alphapay.md")
        let text = try String(contentsOf: document, encoding: .utf8)
        var listed: [String: String] = [:]
        var sentences: [String: String] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count >= 3, ["S", "F", "U"].contains(cells[1]) else { continue }
            let name = cells[0].filter { $0 != "`" }
            listed[name] = cells[1]
            sentences[name] = cells[2]
        }
        let expected = Dictionary(uniqueKeysWithValues: ResultCode.allCases.map { ($0.rawValue, $0.status.rawValue) })
        #expect(listed == expected)
        for code in ResultCode.allCases where code != .success {
            let sentence = sentences[code.rawValue] ?? ""
            #expect(sentence.hasPrefix("\(code.message) ["), "\(code.rawValue)")
        }
    }
}

extension DeclineReason {
    /// Whether it says something of the card, or of who uses it, rather than of the way to the issuer.
    fileprivate var isOfTheCard: Bool {
        switch self {
        case .doNotHonor, .insufficientFunds, .expiredCard, .invalidCard, .lostOrStolenCard, .suspectedFraud,
            .exceedsLimit, .notPermitted:
            true
        case .issuerUnavailable, .timedOut, .systemError, .invalidOperation, .unspecified: false
        }
    }
}
