//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Foundation
import Gateway
import Payments
import SimulatorAcquirer
import TestGateway
import Testing
import WalletSimulator

@testable import Radial

/// Replies, events and requests by the published schema.
@Suite struct SchemaTests {
    /// One of every kind of document that goes either way.
    static func documents() async throws -> [(name: String, bytes: [UInt8])] {
        var documents: [(name: String, bytes: [UInt8])] = []
        let keep = { (name: String, reply: Reply) in documents.append((name, reply.response.body)) }
        for usesLists in [true, false] {
            let shop = try await RadialShop.open(usesLists: usesLists)
            let wallet = Sample.walletAuthorization(try shop.token(1499))
            documents.append(("wallet request", Array(wallet.utf8)))
            let approved = try await shop.send("creditcard/auth/DW.xml", wallet)
            keep("approved", approved)
            keep("declined", try await shop.authorize(5757, order: "2", request: "2"))
            keep("unknown", try await shop.authorize(5858, order: "3", request: "3"))
            let token = approved.accountToken
            documents.append(("settlement", Array(Sample.settlement(token, "1.00", request: "s").utf8)))
            keep("settled", try await shop.settle(token, "5.00", request: "s1"))
            keep("refused", try await shop.settle(token, "1000.00", request: "s2"))
            keep("credited", try await shop.settle(token, "2.00", "Credit", request: "s3"))
            shop.test.script.append(.init(.refund, .nth(2), fault: .decline(.doNotHonor)))
            keep("credit declined", try await shop.settle(token, "1.00", "Credit", request: "s4"))
            documents.append(("confirm request", Array(Sample.confirmFunds(token, "1.00", request: "f").utf8)))
            keep("funds", try await shop.confirm(token, "14.99"))
            let other = try await shop.authorized(700, order: "4", card: .amex)
            documents.append(("cancel request", Array(Sample.cancel(other, "7.00", request: "c").utf8)))
            keep("canceled", try await shop.cancel(other, "7.00", order: "4", tender: "AM"))
            let third = try await shop.authorized(800, order: "5")
            shop.test.script.append(.init(.reverse, .nth(2), fault: .decline(.invalidOperation)))
            keep("cancel declined", try await shop.cancel(third, "8.00", order: "5", request: "c2"))
            documents += try await shop.sent().map { ("event", $0.notification.body) }
            try await self.addLookups(shop, &documents)
        }
        return documents
    }

    private static func addLookups(_ shop: RadialShop, _ documents: inout [(name: String, bytes: [UInt8])]) async throws
    {
        for kind in [PaymentRequest.Kind.threeDSecure, .emv] {
            let blob = Sample.decryptBlob(try shop.token(100, kind: kind))
            documents.append(("decrypt request", Array(blob.utf8)))
            documents.append(("decrypted", try await shop.send("decryptblob", blob).response.body))
        }
        for pan in ["4111111111111111", "4111111111111112", "1234567890123452"] {
            let lookup = Sample.tenderLookup(pan)
            documents.append(("lookup request", Array(lookup.utf8)))
            documents.append(("lookup", try await shop.send("tendertype/lookup.xml", lookup).response.body))
        }
        let card = Sample.cardAuthorization(
            "4111111111111111", order: "9", verification: Sample.verification("QUJDREVGR0hJSktMTU5PUFFSU1Q="))
        documents.append(("card request", Array(card.utf8)))
        documents.append(("card", try await shop.send("creditcard/auth/VC.xml", card).response.body))
    }

    @Test func everyDocumentIsValid() async throws {
        let schema = try Schema()
        let documents = try await Self.documents()
        #expect(documents.count > 40)
        for document in documents {
            let problems = try schema.problems(document.bytes)
            #expect(problems.isEmpty, "\(document.name): \(problems)")
        }
        #expect(documents.count { $0.name == "event" } == 10)
        #expect(try XMLLint.complaints(documents.map(\.bytes)).isEmpty)
    }

    /// What the schema must refuse, both judges alike.
    @Test(arguments: [
        ("<Fault xmlns='\(Sample.namespace)'/>", "Fault lacks something"),
        ("<Other xmlns='\(Sample.namespace)'/>", "Other is no message"),
        (
            "<AckReply xmlns='\(Sample.namespace)'><RequestId>1</RequestId><OrderId></OrderId><ResponseCode>No</ResponseCode></AckReply>",
            "AckReply/OrderId breaks minLength"
        ),
        (
            "<AckReply xmlns='\(Sample.namespace)'><OrderId>1</OrderId><RequestId>1</RequestId></AckReply>",
            "AckReply lacks something"
        ),
        (
            "<ConfirmFundsReply xmlns='\(Sample.namespace)'><PaymentContext><OrderId>1</OrderId><PaymentAccountUniqueId isToken='false'>4111111111111111</PaymentAccountUniqueId></PaymentContext><FundsAvailable>Success</FundsAvailable><ReauthorizationAttempted>false</ReauthorizationAttempted></ConfirmFundsReply>",
            "ConfirmFundsReply/PaymentContext/PaymentAccountUniqueId breaks pattern"
        ),
    ])
    func refusesWhatIsNotValid(document: String, problem: String) throws {
        let bytes = Array(document.utf8)
        #expect(try Schema().problems(bytes).contains(problem))
        #expect(try !XMLLint.complaints([bytes]).isEmpty)
    }

    @Test func listsTheCodesOfTheSource() throws {
        let schema = try Schema()
        let lists: [(String, [String])] = [
            ("ResponseCodeType", ResponseCode.allCases.map(\.rawValue)),
            ("AuthorizationResponseCodeType", AuthorizationResponseCode.allCases.map(\.rawValue)),
            ("CVV2ResponseCodeType", CVV2ResponseCode.allCases.map(\.rawValue)),
            ("AVSResponseCodeType", AVSResponseCode.allCases.map(\.rawValue)),
            ("TenderTypeType", TenderType.allCases.map(\.rawValue)),
            ("SuccessFailResponseCodeType", SuccessFailCode.allCases.map(\.rawValue)),
            ("SettlementTypeType", SettlementType.allCases.map(\.rawValue)),
            ("SettlementStatusType", SettlementStatus.allCases.map(\.rawValue)),
            ("RefusalReasonType", RefusalReason.allCases.map(\.rawValue)),
            ("TenderLookupCodeType", TenderLookupCode.allCases.map(\.rawValue)),
            ("FaultCodeType", FaultCode.allCases.map(\.rawValue)),
        ]
        for (type, codes) in lists { #expect(schema.words(of: type).sorted() == codes.sorted(), "\(type)") }
    }
}
