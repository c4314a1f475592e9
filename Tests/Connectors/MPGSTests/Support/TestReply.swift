//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import StrictJSON
import TestUpstream

@testable import MPGS

/// Answers of the gateway, after the example of its Apple Pay page.
struct TestReply {
    var order = Bench.paymentID.text
    var transaction = Bench.operationID.text
    var merchant = Bench.merchantID
    var type = "AUTHORIZATION"
    var result = "SUCCESS"
    var code = "APPROVED"
    var acquirerCode: String? = "00"
    var amount: String? = "30.10"
    var currency = "USD"
    var status = "AUTHORIZED"
    var totalAuthorized: String? = "30.10"
    var extra = ""

    var text: String {
        let codes = self.acquirerCode.map { #""acquirerCode": "\#($0)", "# } ?? ""
        let response = #"{\#(codes)"acquirerMessage": "Approved", "gatewayCode": "\#(self.code)"}"#
        let stated = self.amount.map { #""amount": \#($0), "# } ?? ""
        let total = self.totalAuthorized.map { #", "totalAuthorizedAmount": \#($0)"# } ?? ""
        return """
            {"authorizationResponse": {"responseCode": \(self.acquirerCode.map { "\"\($0)\"" } ?? "null"), \
            "stan": "46465", "transactionIdentifier": "447345902"}, "gatewayEntryPoint": "WEB_SERVICES_API", \
            "merchant": "\(self.merchant)", "order": {"amount": 30.10, "currency": "\(self.currency)", \
            "id": "\(self.order)", "status": "\(self.status)"\(total)}, "response": \(response), \
            "result": "\(self.result)", "sourceOfFunds": {"provided": {"card": {"brand": "MASTERCARD", \
            "deviceSpecificNumber": "512345xxxxxx0008", "expiry": {"month": "1", "year": "27"}, \
            "number": "xxxxxxxxxxxx1234"}}, "type": "CARD"}, "transaction": {"acquirer": {"batch": 20230314, \
            "transactionId": "447345902"}, \(stated)"authorizationCode": "112233", "currency": "\(self.currency)", \
            "id": "\(self.transaction)", "receipt": "307310046465", "stan": "46465", "type": "\(self.type)"}, \
            "version": "100"\(self.extra)}
            """
    }

    static let answer = AcquirerAnswer(
        reference: "307310046465", authorizationCode: "112233", responseCode: "00", stan: "046465",
        networkReference: "447345902", fundingPANSuffix: "1234", fundingExpiryYearMonth: "2701",
        reconciliationID: "20230314")

    static func error(
        _ cause: String, _ explanation: String = "no", field: String? = nil, validation: String? = nil,
        supportCode: String? = nil
    ) -> String {
        let field = field.map { #", "field": "\#($0)""# } ?? ""
        let validation = validation.map { #", "validationType": "\#($0)""# } ?? ""
        let code = supportCode.map { #", "supportCode": "\#($0)""# } ?? ""
        let error = #""cause": "\#(cause)", "explanation": "\#(explanation)"\#(field)\#(code)\#(validation)"#
        return #"{"error": {\#(error)}, "result": "ERROR"}"#
    }

    /// What the gateway answers to a GET of what it does not know.
    static let notFound = TestReply.error("INVALID_REQUEST", "Unable to find order = pay_1 for merchant TESTPOMONA")
}
