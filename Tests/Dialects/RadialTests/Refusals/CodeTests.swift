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

@testable import Radial

@Suite struct CodeTests {
    private static let repository = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "../../../..")

    /// The first cells of the tables below each heading of the document, and the second ones.
    private static func tables() throws -> [String: [(code: String, second: String)]] {
        let document = self.repository.appending(path: "docs/dialects/radial.md")
        let text = try String(contentsOf: document, encoding: .utf8)
        var tables: [String: [(code: String, second: String)]] = [:]
        var heading = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("#") { heading = line.drop { $0 == "#" || $0 == " " }.description }
            guard line.hasPrefix("| `") else { continue }
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            tables[heading, default: []].append((cells[0].filter { $0 != "`" }, cells[1]))
        }
        return tables
    }

    /// The published lists and the code are the same lists.
    @Test func theDocumentListsEveryCode() throws {
        let tables = try Self.tables()
        let lists: [(String, [String])] = [
            ("ResponseCode", ResponseCode.allCases.map(\.rawValue)),
            ("AuthorizationResponseCode", AuthorizationResponseCode.allCases.map(\.rawValue)),
            ("CVV2ResponseCode", CVV2ResponseCode.allCases.map(\.rawValue)),
            ("AVSResponseCode", AVSResponseCode.allCases.map(\.rawValue)),
            ("PhoneResponseCode, NameResponseCode, EmailResponseCode", AmexVerificationCode.allCases.map(\.rawValue)),
            ("TenderType", TenderType.allCases.map(\.rawValue)),
            ("DeclineReason and ExtendedResponseCode", RefusalReason.allCases.map(\.rawValue)),
            ("TenderTypeLookupReply", TenderLookupCode.allCases.map(\.rawValue)),
            ("Fault", FaultCode.allCases.map(\.rawValue)),
        ]
        for (heading, codes) in lists { #expect(tables[heading]?.map(\.code).sorted() == codes.sorted(), "\(heading)") }
    }

    @Test func theDocumentSaysTheStatusOfEveryFault() throws {
        let listed = try Self.tables()["Fault"] ?? []
        for (code, status) in listed { #expect(FaultCode(rawValue: code)?.status.code == Int(status), "\(code)") }
    }

    @Test func theDocumentListsEverySettingOfTheAccount() throws {
        let names = [
            AccountSettings.webhookURLName, AccountSettings.cancelWebhookURLName, AccountSettings.webhookFormName,
            AccountSettings.webhookUserName, AccountSettings.allowedTendersName, AccountSettings.decryptBlobName,
            AccountSettings.apiKey, AccountSettings.secondAPIKey, AccountSettings.webhookPassword,
        ]
        #expect(try Self.tables()["Accounts"]?.map(\.code) == names)
    }

    /// The vendor's codes, as they were gathered beside the repository.
    private static let gathered = repository.appending(path: "../shared/codes/radial.csv").standardizedFileURL

    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: gathered.path), "extra is absent: ../shared/codes/radial.csv"))
    func listsTheVendorsCodes() throws {
        let text = try String(contentsOf: Self.gathered, encoding: .utf8)
        var codes: [String: Set<String>] = [:]
        for line in text.split(whereSeparator: \.isNewline).dropFirst() {
            let cells = line.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
            codes[String(cells[0]), default: []].insert(String(cells[1]))
        }
        #expect(codes["ResponseCode"] == Set(ResponseCode.allCases.map(\.rawValue)))
        #expect(codes["AuthorizationResponseCode"] == Set(AuthorizationResponseCode.allCases.map(\.rawValue)))
        #expect(codes["CVV2ResponseCode"] == Set(CVV2ResponseCode.allCases.map(\.rawValue)))
        // Of American Express's own codes the list has the one that asks the customer to correct the address.
        let amex: Set = ["AD", "AE", "AF", "AK", "AL", "AM", "AO"]
        #expect(codes["AVSResponseCode"] == Set(AVSResponseCode.allCases.map(\.rawValue)).subtracting(amex))
        let faults = (codes["FaultCode"] ?? []).map { $0.split(separator: " ").first.map(String.init) ?? "" }
        #expect(faults.allSatisfy { FaultCode(rawValue: $0) != nil } && faults.count == 4)
        #expect(codes["ExtendedResponseCode"] == [RefusalReason.noAuthorization.rawValue])
    }

    /// The letters of American Express, which mean something else with other networks.
    @Test func readsTheNetworksLetters() {
        for letter in ["D", "E", "F", "K", "L", "M", "O", "W"] {
            #expect(AVSResponseCode(letter, isAmex: true, ifNone: .unavailable).rawValue == "A" + letter)
            #expect(AVSResponseCode("A" + letter, isAmex: true, ifNone: .unavailable).rawValue == "A" + letter)
            #expect(AVSResponseCode("A" + letter, isAmex: false, ifNone: .unavailable) == .error)
        }
        for letter in ["A", "N", "R", "S", "U", "Y", "Z"] {
            #expect(AVSResponseCode(letter, isAmex: true, ifNone: .error).rawValue == letter)
        }
        for letter in ["B", "X", "?", "", "AWW"] {
            #expect(AVSResponseCode(letter, isAmex: true, ifNone: .unavailable) == .error)
        }
        for letter in ["D", "M", "W", "B", "X", "T"] {
            #expect(AVSResponseCode(letter, isAmex: false, ifNone: .error).rawValue == letter)
        }
        #expect(AVSResponseCode(nil, isAmex: true, ifNone: .unavailable) == .unavailable)
        let named = AVSResponseCode.allCases.filter { AmexVerificationCode(nameIn: $0) == .match }.map(\.rawValue)
        #expect(named == ["AK", "AL", "AM", "AO"])
        let misnamed = AVSResponseCode.allCases.filter { AmexVerificationCode(nameIn: $0) == .noMatch }.map(\.rawValue)
        #expect(misnamed == ["AD", "AE", "AF", "AW"])
    }

    // MARK: - Faults

    @Test(arguments: [
        (GatewayRefusal.tokenReplayed, FaultCode.tokenReplayed), (.amountDiffersFromToken, .amountDiffersFromToken),
        (.currencyDiffersFromToken, .currencyDiffers), (.tokenAmountUnreadable, .tokenNotDecryptable),
        (.modeCrossed(merchant: .live, token: .sandbox), .tokenModeDiffers), (.merchantNotReady, .merchantNotReady),
        (.merchantIdentifierUnknown, .merchantNotReady), (.networkNotSupported, .tenderNotConfigured),
        (.acquirerNotConnected, .merchantNotReady), (.operationNotSupported, .operationNotAllowed),
        (.merchantIdentityMissing, .merchantNotReady), (.merchantSessionFailed(.timedOut), .merchantNotReady),
        (.paymentNotFound, .authorizationNotFound), (.orderNotFound, .authorizationNotFound),
        (.orderExpired, .orderClosed),
        (.orderCanceled, .orderClosed), (.orderPaid, .orderPaid), (.orderInProcess, .orderInProcess),
        (.idempotencyConflict, .requestIDReused), (.keptItemConflict, .requestIDReused),
        (.keptTokenUnknown, .requestIDReused), (.keptTokenExpired, .requestIDReused),
        (.referenceTaken(kind: "x"), .unavailable), (.storeUnavailable, .unavailable),
        (.cardNumberInText(.orderName), .requestInvalid), (.cardNumberInText(.other), .requestInvalid),
    ])
    func mapsEveryRefusal(refusal: GatewayRefusal, code: FaultCode) {
        #expect(RadialFault(refusal: refusal).code == code)
    }

    @Test(arguments: PaymentRefusal.allCases)
    func mapsEveryRefusalOfAPayment(refusal: PaymentRefusal) {
        let expected: [PaymentRefusal: FaultCode] = [
            .amountNotPositive: .requestInvalid, .currencyDiffers: .currencyDiffers,
            .tooManyOperations: .tooManyOperations,
            .authorizationPending: .operationPending, .authorizationUnknown: .operationPending,
            .authorizationFailed: .authorizationFailed, .voidPending: .operationPending,
            .alreadyVoided: .authorizationCanceled, .capturePending: .operationPending,
            .alreadyCaptured: .alreadySettled,
            .captureIsFinal: .finalDebitMade, .captureExceedsAuthorized: .debitExceedsAuthorization,
            .notCaptured: .nothingSettled, .alreadyRefunded: .alreadyCredited,
            .refundExceedsCaptured: .creditExceedsDebits,
            .adjustmentPending: .operationPending, .reversalPending: .operationPending,
            .adjustmentBelowCaptured: .operationPending,
            .refundPending: .operationPending,
            .operationNotFound: .authorizationNotFound,
        ]
        #expect(RadialFault(refusal: .payment(refusal)).code == expected[refusal] ?? .operationNotAllowed)
    }

    @Test func everyMessageIsASentence() {
        for code in FaultCode.allCases {
            #expect(code.message.count > 20 && code.message.hasSuffix("."))
            #expect((400...599).contains(code.status.code))
        }
    }
}
