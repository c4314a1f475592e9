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
        (.modeCrossed(merchant: .live, token: .sandbox), .tokenModeDiffers), (.merchantNotReady, .tokenNotDecrypted),
        (.merchantIdentifierUnknown, .tokenNotDecrypted), (.networkNotSupported, .cardTypeInvalid),
        (.acquirerNotConnected, .configurationError), (.operationNotSupported, .functionNotAvailable),
        (.merchantIdentityMissing, .merchantIdentityMissing),
        (.merchantSessionFailed(.timedOut), .merchantSessionFailed),
        (.paymentNotFound, .transactionUnknown), (.orderNotFound, .referenceExists),
        (.orderExpired, .referenceExists), (.orderCanceled, .referenceExists), (.orderPaid, .referenceExists),
        (.orderInProcess, .referenceExists), (.idempotencyConflict, .referenceExists),
        (.keptItemConflict, .referenceExists),
        (.keptTokenUnknown, .referenceExists), (.keptTokenExpired, .referenceExists),
        (.referenceTaken(kind: "txid"), .referenceExists),
        (.storeUnavailable, .databaseFailed), (.cardNumberInText(.orderName), .referenceFaulty),
        (.cardNumberInText(.description), .parameterFaulty), (.cardNumberInText(.other), .parameterFaulty),
    ])
    func mapsEveryRefusal(refusal: GatewayRefusal, code: ErrorCode) {
        let error = PAYONEError(refusal)
        #expect(error.code == code && error.message.hasPrefix(code.message))
    }

    @Test(arguments: PaymentRefusal.allCases)
    func mapsEveryRefusalOfAPayment(refusal: PaymentRefusal) {
        let expected: [PaymentRefusal: ErrorCode] = [
            .amountNotPositive: .amountFaulty, .currencyDiffers: .currencyDiffers,
            .tooManyOperations: .actionsTooMany, .authorizationPending: .temporaryError,
            .authorizationUnknown: .temporaryError, .authorizationFailed: .statusChangeNotPossible,
            .voidPending: .temporaryError, .alreadyVoided: .amountNoLongerAvailable,
            .capturePending: .temporaryError, .alreadyCaptured: .statusChangeNotPossible,
            .captureIsFinal: .alreadyCompleted, .captureExceedsAuthorized: .captureTooHigh,
            .notCaptured: .refundNotPossible, .alreadyRefunded: .refundTooHigh,
            .refundExceedsCaptured: .refundTooHigh, .adjustmentPending: .temporaryError,
            .reversalPending: .temporaryError, .refundPending: .temporaryError,
            .verificationOnly: .statusChangeNotPossible,
            .notVoidable: .statusChangeNotPossible,
        ]
        let error = PAYONEError(.payment(refusal))
        #expect(error.code == expected[refusal] ?? .activityNotProcessed)
        // The vendor's sentence, and ours behind it.
        #expect(error.message.hasPrefix(error.code.message) && error.message.count > error.code.message.count + 10)
    }

    @Test func everyReasonOfADeclineHasANumberOfTheCardTable() {
        let codes = DeclineReason.allCases.map { PAYONEError(.declined($0)).code }
        #expect(Set(codes).count == DeclineReason.allCases.count)
        #expect(codes.allSatisfy { (1...104).contains($0.rawValue) })
        #expect(PAYONEError(.reversed).code == .activityNotProcessed)
        // 7 is about a security code, which no token has.
        #expect(PAYONEError(.declined(.notPermitted)).code == .cardNotApproved && !codes.contains(.securityCodeFaulty))
    }

    /// "NUMERIC(1..6)", "CHAR(1..1024)".
    @Test(arguments: ErrorCode.allCases)
    func hasItsMessages(code: ErrorCode) {
        #expect((1...6).contains(String(code.rawValue).count))
        #expect((1...1024).contains(code.message.count) && !code.message.contains("\n"))
        for language in CustomerLanguage.allCases {
            let text = code.customerMessage(of: .authorization).text(in: language)
            #expect((1...1024).contains(text.count) && text.hasSuffix("."))
        }
        #expect(PAYONEError(code, String(repeating: "a", count: 2000)).message.count == 1024)
    }

    /// A capture names no language: the customer's is that of the authorization.
    @Test(arguments: [
        (["language": "fr"], "commerçant"), (["country": "PL"], "sprzedawcą"), (["language": "ja"], "merchant"),
        (["country": "CH"], "merchant"),
    ])
    func followUpsSpeakTheCustomersLanguage(changes: [String: String], text: String) async throws {
        let shop = try await TestShop.open()
        let reply = try await shop.send(shop.preauthorization().merging(changes.mapValues { $0 }))
        let tooMuch = ShopForm.capture(reply.txid, 1001)
        #expect(try await shop.send(tooMuch)["customermessage"]?.contains(text) == true)
        // Also where the request itself is wrong; unless it names a language of its own.
        #expect(try await shop.send(tooMuch.with("amount", "x"))["customermessage"]?.contains(text) == true)
        #expect(try await shop.send(tooMuch.with("language", "de"))["customermessage"]?.contains("Händler") == true)
        let refund = ShopForm.debit(reply.txid, -1, sequenceNumber: 1)
        #expect(try await shop.send(refund)["customermessage"]?.contains(text) == true)
        #expect(
            try await shop.send(tooMuch.with("txid", "999999999"))["customermessage"]?.contains("merchant") == true)
    }

    /// After the payment there is nothing that the customer could do, and nothing of another card to say.
    @Test(arguments: [RequestName.capture, .debit, .refund])
    func asksNoCustomerToPayOtherwiseForAFollowUp(name: RequestName) {
        #expect(ErrorCode.allCases.allSatisfy { $0.customerMessage(of: name) == .shopError })
        #expect(ErrorCode.doNotHonor.customerMessage(of: .authorization) == .declined)
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
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

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

    /// The vendor's card table, where it is at hand; in the words of the plugins' list where that has the number.
    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: cardTable.path), "extra is absent: ../shared/codes/payone.csv"))
    func theCardTableIsTheVendors() throws {
        let text = try String(contentsOf: Self.cardTable, encoding: .utf8)
        let sentences = try Self.listed()
        let rows = try text.split(whereSeparator: \.isNewline).dropFirst().map { line in
            let cells = line.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
            let number = try #require(Int(cells[0]))
            return "\(number) \(sentences[number] ?? String(cells[1]))"
        }
        #expect(rows == ErrorCode.allCases.filter { $0.rawValue <= 104 }.map { "\($0.rawValue) \($0.message)" })
    }

    private static let list = Self.root.appending(path: "../shared/codes/payone-errors.csv")

    private static func listed() throws -> [Int: String] {
        let text = try String(contentsOf: Self.list, encoding: .utf8)
        var sentences: [Int: String] = [:]
        for line in text.split(whereSeparator: \.isNewline).dropFirst() {
            let cells = line.split(separator: ",", maxSplits: 1)
            let sentence = cells[1].hasPrefix("\"") ? cells[1].dropFirst().dropLast() : cells[1]
            sentences[try #require(Int(cells[0]))] = String(sentence)
        }
        return sentences
    }

    /// The list that the vendor's plugins carry, where it is at hand: every number above the card table that is not this
    /// gateway's own is one of it, with its sentence; and every parameter that has a number of its own there has it here.
    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: list.path), "extra is absent: ../shared/codes/payone-errors.csv")
    )
    func theNumbersAreThoseOfTheVendorsList() throws {
        let sentences = try Self.listed()
        for code in ErrorCode.allCases
        where code.isVendors && code.rawValue > 104 && !(2700...2704).contains(code.rawValue) {
            #expect(sentences[code.rawValue] == code.message)
        }
        let tables =
            ParameterTables.account + ParameterTables.authorization + ParameterTables.state
            + ParameterTables.capture + ParameterTables.debit + ParameterTables.session
        for rule in tables {
            let listed = sentences.first { $0.value.hasPrefix("Parameter {\(rule.name)} faulty") }?.key
            #expect(listed == nil || listed == ErrorCode(parameter: rule.name).rawValue, "\(rule.name)")
        }
    }
}
