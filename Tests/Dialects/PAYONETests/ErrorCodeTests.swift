//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import DialectKit
import Foundation
import Gateway
import Payments
import TestGateway
import Testing

@testable import PAYONE

@Suite struct ErrorCodeTests {
    @Test(arguments: [
        (GatewayRefusal.tokenReplayed, ErrorCode.tokenUsed), (.amountDiffersFromToken, .tokenAmountDiffers),
        (.currencyDiffersFromToken, .tokenCurrencyDiffers), (.tokenAmountUnreadable, .tokenNotDecrypted),
        (.modeCrossed(merchant: .live, token: .sandbox), .tokenModeDiffers), (.merchantNotReady, .merchantNotReady),
        (.merchantIdentifierUnknown, .merchantNotReady), (.networkNotSupported, .cardTypeInvalid),
        (.acquirerNotConnected, .acquirerNotConnected), (.operationNotSupported, .operationNotOffered),
        (.merchantIdentityMissing, .merchantIdentityMissing), (.merchantSessionFailed("x"), .merchantSessionFailed),
        (.paymentNotFound, .transactionUnknown), (.orderNotFound, .referenceExists),
        (.orderExpired, .referenceExists), (.orderCanceled, .referenceExists), (.orderPaid, .referenceExists),
        (.orderInProcess, .referenceExists), (.idempotencyConflict, .requestInconsistent),
        (.keptItemConflict, .requestInconsistent),
        (.keptTokenUnknown, .requestInconsistent), (.keptTokenExpired, .requestInconsistent),
        (.referenceTaken(kind: "txid"), .referenceExists),
        (.storeUnavailable, .storeUnavailable),
    ])
    func mapsEveryRefusal(refusal: GatewayRefusal, code: ErrorCode) {
        let error = PAYONEError(refusal)
        #expect(error.code == code && error.message.hasPrefix(code.message))
    }

    @Test(arguments: PaymentRefusal.allCases)
    func mapsEveryRefusalOfAPayment(refusal: PaymentRefusal) {
        let expected: [PaymentRefusal: ErrorCode] = [
            .amountNotPositive: .amountSignWrong, .currencyDiffers: .currencyDiffers,
            .tooManyOperations: .requestsTooMany, .authorizationPending: .transactionInProcess,
            .authorizationUnknown: .transactionInProcess, .authorizationFailed: .notAuthorized,
            .voidPending: .transactionInProcess, .alreadyVoided: .amountNoLongerAvailable,
            .capturePending: .transactionInProcess, .alreadyCaptured: .alreadyCaptured,
            .captureIsFinal: .captureCompleted, .captureExceedsAuthorized: .amountDiffersFromReserved,
            .notCaptured: .notCaptured, .alreadyRefunded: .alreadyRefunded,
            .refundExceedsCaptured: .refundExceedsCaptured, .adjustmentPending: .transactionInProcess,
            .reversalPending: .transactionInProcess, .verificationOnly: .notAuthorized,
        ]
        #expect(PAYONEError(.payment(refusal)).code == expected[refusal] ?? .activityNotProcessed)
    }

    @Test func everyReasonOfADeclineHasANumberOfTheCardTable() {
        let codes = DeclineReason.allCases.map { PAYONEError(.declined($0)).code }
        #expect(Set(codes).count == DeclineReason.allCases.count)
        #expect(codes.allSatisfy { (1...104).contains($0.rawValue) })
        #expect(PAYONEError(.reversed).code == .activityNotProcessed)
    }

    /// "NUMERIC(1..6)", "CHAR(1..1024)".
    @Test(arguments: ErrorCode.allCases)
    func hasItsMessages(code: ErrorCode) {
        #expect((1...6).contains(String(code.rawValue).count))
        #expect((1...1024).contains(code.message.count) && !code.message.contains("\n"))
        for language in CustomerLanguage.allCases {
            let text = code.customerMessage.text(in: language)
            #expect((1...1024).contains(text.count) && text.hasSuffix("."))
        }
        #expect(PAYONEError(code, String(repeating: "a", count: 2000)).message.count == 1024)
    }

    @Test(arguments: CustomerMessage.allCases)
    func everyLanguageHasItsOwnText(message: CustomerMessage) {
        #expect(Set(CustomerLanguage.allCases.map(message.text)).count == CustomerLanguage.allCases.count)
    }

    @Test(arguments: [
        (["language": "de"], "Die Zahlung"), (["language": "DE"], "Die Zahlung"), (["language": "en"], "The payment"),
        (["language": "fr_FR"], "Le paiement"), (["language": "nl"], "De betaling"), (["language": "it"], "pagamento"),
        (["language": "es"], "el pago"), (["language": "pl"], "płatności"),
        // A language that there are no texts for; none, and a country of one language; none and a country of several.
        (["language": "ja"], "The payment"), (["country": "AT"], "Die Zahlung"), (["country": "FR"], "Le paiement"),
        (["country": "CH"], "The payment"), (["language": "de", "country": "FR"], "Die Zahlung"),
        (["language": ""], "Die Zahlung"),
    ])
    func speaksTheCustomersLanguage(changes: [String: String], text: String) async throws {
        let shop = try await TestShop.open()
        let form = try shop.preauthorization().merging(changes.mapValues { $0 }).with("amount", "1001")
        #expect(try await shop.send(form)["customermessage"]?.contains(text) == true)
    }

    /// A value that was sent is never sent back, nor is anything that was not asked for.
    @Test func repeatsNothingOfWhatWasSent() async throws {
        let shop = try await TestShop.open()
        let form = try shop.preauthorization()
        for name in form.parameters.map(\.name) + ["email", "narrative_text", "4111111111111111"] {
            let value = "4111111111111111\u{0}" + String(repeating: "4", count: 300)
            let text = try await shop.send(form.with(name, value)).text
            #expect(!text.contains("411111"), "\(name)")
        }
        let repeated = try await shop.send(
            ShopForm(form.parameters + [("4111111111111111", ""), ("4111111111111111", "")]))
        #expect(repeated.errorCode == 900007 && !repeated.text.contains("411111"))
    }

    // MARK: - The document and the table

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Every code, its message and no other, in docs/dialects/payone.md.
    @Test func theDocumentHasTheSameTable() throws {
        let text = try String(
            contentsOf: Self.root.appending(path: "docs/dialects/payone.md"), encoding: .utf8)
        let rows = text.split(separator: "\n").compactMap { line -> String? in
            guard line.hasPrefix("| `"), let code = line.dropFirst(3).split(separator: "`").first, Int(code) != nil
            else { return nil }
            return line.split(separator: "|").prefix(2).map { $0.trimmingCharacters(in: .whitespaces) }
                .joined(separator: " ")
        }
        #expect(rows == ErrorCode.allCases.map { "`\($0.rawValue)` \($0.message)" })
    }

    private static let cardTable = Self.root.appending(path: "../shared/codes/payone.csv")

    /// The vendor's card table, where it is at hand.
    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: cardTable.path), "extra is absent: ../shared/codes/payone.csv"))
    func theCardTableIsTheVendors() throws {
        let text = try String(contentsOf: Self.cardTable, encoding: .utf8)
        let rows = text.split(whereSeparator: \.isNewline).dropFirst().map { line in
            line.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false).prefix(2).joined(separator: " ")
        }
        #expect(rows == ErrorCode.allCases.filter { $0.rawValue <= 104 }.map { "\($0.rawValue) \($0.message)" })
    }
}
