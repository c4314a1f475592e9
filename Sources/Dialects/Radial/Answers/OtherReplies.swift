//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Gateway
import Money
import Payments
import Redaction

extension XMLNode {
    /// The acknowledgement of a settlement or a cancellation.
    ///
    /// The vendor's says nothing but that the request has come; ours says how it stands, too. What counts is the event.
    static func acknowledgement(of operation: Operation, requestID: String, orderID: String) -> XMLNode {
        self.acknowledgement(SuccessFailCode(operation.state), requestID: requestID, orderID: orderID)
    }

    static func acknowledgement(_ code: SuccessFailCode, requestID: String, orderID: String) -> XMLNode {
        XMLNode(
            "AckReply",
            [
                XMLNode("RequestId", text: requestID), XMLNode("OrderId", text: orderID),
                XMLNode("ResponseCode", text: code.rawValue),
            ])
    }

    static func fundsReply(_ code: SuccessFailCode, orderID: String, _ token: AccountToken) -> XMLNode {
        XMLNode(
            "ConfirmFundsReply",
            [
                .paymentContext(orderID: orderID, token), XMLNode("FundsAvailable", text: code.rawValue),
                XMLNode("ReauthorizationAttempted", text: "false"),
            ])
    }

    static func tenderLookupReply(_ code: TenderLookupCode, _ tender: TenderType?) -> XMLNode {
        var children: [XMLNode] = []
        if let tender { children.append(XMLNode("TenderType", text: tender.rawValue)) }
        children.append(XMLNode("ResponseCode", text: code.rawValue))
        return XMLNode("TenderTypeLookupReply", children)
    }

    /// A token's contents under the names that a CreditCardAuthRequest has for them.
    static func decryptionReply(_ opened: OpenedToken) -> XMLNode {
        let token = opened.networkToken
        var children = [
            XMLNode(
                "PaymentAccountUniqueId", [.init(name: "isToken", value: "false")], text: token.pan.reveal()),
            // "YYMM" as "20YY-MM": no card is valid for a hundred years.
            XMLNode(
                "ExpirationDate", text: "20\(token.expiryYearMonth.prefix(2))-\(token.expiryYearMonth.suffix(2))"),
            WireAmount.node("Amount", opened.amount),
            XMLNode("TenderType", text: TenderType(opened.summary.network).rawValue),
        ]
        if let name = opened.cardholderName?.reveal() { children.append(XMLNode("CardholderName", text: name)) }
        children.append(XMLNode("DeviceManufacturerIdentifier", text: opened.deviceManufacturerIdentifier))
        children.append(XMLNode("PaymentDataType", text: opened.paymentDataType))
        switch token.proof {
        case .cryptogram(let cryptogram):
            var data = [XMLNode("CavvUcaf", text: Base64.encode(cryptogram.reveal()))]
            if let eci = token.eci { data.append(XMLNode("ECI", text: eci)) }
            children.append(XMLNode("SecureVerificationData", data))
        case .emv(let data, let encryptedPIN):
            children.append(XMLNode("EmvData", text: Base64.encode(data.reveal())))
            if let encryptedPIN { children.append(XMLNode("EncryptedPINData", text: encryptedPIN.reveal())) }
        case .securityCode: break
        }
        return XMLNode("DecryptBlobReply", children)
    }
}

extension SuccessFailCode {
    init(_ state: Operation.State) {
        switch state {
        case .succeeded: self = .success
        case .pending, .unknown, .accepted: self = .timeout
        case .failed: self = .fail
        }
    }
}
