//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import TestUpstream

@testable import RadialUpstream

/// Answers of the service, after the samples of its Apple Pay page.
enum TestReply {
    static let namespace = #"xmlns="http://api.gsicommerce.com/schema/checkout/1.0""#

    struct Authorization {
        var order = Bench.orderID
        var account: String? = "4054131ImpMJ6965"
        var isToken = "true"
        var code: String? = "APPROVED"
        var issuerCode: String? = "AP01"
        var bankCode = "614653"
        var amount = "30.10"
        var currency = "USD"
        var tender: String? = "VC"
        var address = "E"
        var securityCode = "0"
        var suffix = "3238"
        var extra = ""

        var text: String {
            let account = self.account.map {
                "<PaymentAccountUniqueId isToken=\"\(self.isToken)\">\($0)</PaymentAccountUniqueId>"
            }
            return """
                <?xml version="1.0" encoding="UTF-8"?>
                <CreditCardAuthReply \(TestReply.namespace)>
                <PaymentContext><OrderId>\(self.order)</OrderId>
                <!-- You will receive a token in the response -->
                \(account ?? "")</PaymentContext>
                \(TestReply.element("ResponseCode", self.code))
                \(TestReply.element("AuthorizationResponseCode", self.issuerCode))
                <BankAuthorizationCode>\(self.bankCode)</BankAuthorizationCode>
                <CVV2ResponseCode>\(self.securityCode)</CVV2ResponseCode>
                <AVSResponseCode>\(self.address)</AVSResponseCode>
                <PhoneResponseCode></PhoneResponseCode><NameResponseCode/><EmailResponseCode></EmailResponseCode>
                <AmountAuthorized currencyCode="\(self.currency)">\(self.amount)</AmountAuthorized>
                \(TestReply.element("TenderType", self.tender))
                <PaymentAccountInformation><BinPrefix>4054131</BinPrefix><PanSuffix>6965</PanSuffix>\
                <OriginalPanSuffix>\(self.suffix)</OriginalPanSuffix></PaymentAccountInformation>\(self.extra)
                </CreditCardAuthReply>
                """
        }
    }

    static let answer = AcquirerAnswer(
        reference: Bench.orderID, authorizationCode: "614653", responseCode: "AP01", addressCheck: "E",
        fundingPANSuffix: "3238")

    static func element(_ name: String, _ text: String?) -> String { text.map { "<\(name)>\($0)</\(name)>" } ?? "" }

    static func fault(_ code: String) -> String {
        "<Fault \(self.namespace)><CreateTimestamp>2026-06-15T12:00:00Z</CreateTimestamp><Code>\(code)</Code>"
            + "<Description>No.</Description></Fault>"
    }

    static func acknowledgement(
        _ code: String? = "Success", order: String? = Bench.orderID, request: String? = Bench.operationID.text
    ) -> String {
        "<AckReply \(self.namespace)>\(self.element("RequestId", request))\(self.element("OrderId", order))"
            + "\(self.element("ResponseCode", code))</AckReply>"
    }

    static func funds(_ code: String, reauthorized: String = "false", order: String = Bench.orderID) -> String {
        "<ConfirmFundsReply \(self.namespace)><PaymentContext><OrderId>\(order)</OrderId></PaymentContext>"
            + "<FundsAvailable>\(code)</FundsAvailable>"
            + "<ReauthorizationAttempted>\(reauthorized)</ReauthorizationAttempted></ConfirmFundsReply>"
    }

    /// Confirms all funds, and gives this answer to everything else.
    static func confirming(_ answer: StubAnswer) -> StubUpstream.Script {
        { request, _ in
            request.path.contains("/funds/confirm/")
                ? StubAnswer(status: 200, body: TestReply.funds("Success")) : answer
        }
    }
}
