//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments

extension XMLNode {
    /// A PaymentContext with our token.
    static func paymentContext(orderID: String, _ token: AccountToken) -> XMLNode {
        XMLNode(
            "PaymentContext",
            [
                XMLNode("OrderId", text: orderID),
                XMLNode(
                    "PaymentAccountUniqueId", [.init(name: "isToken", value: "true")], text: token.text),
            ])
    }

    /// A CreditCardAuthReply, in the order of the seed's sample.
    ///
    /// A client that does not say a SchemaVersion gets everything, as in the sample; one that says an old one does not
    /// get what came later, but for the TenderType, which wallets always get.
    static func authorizationReply(
        _ outcome: OperationOutcome, to request: AuthorizationRequest
    ) -> XMLNode {
        let operation = outcome.operation
        let isWallet = request.isWallet
        let answer = AuthorizationAnswer(operation, of: outcome.payment.instrument.network, isWallet: isWallet)
        let token = AccountToken(of: outcome.payment)
        let knows = { (version: SchemaVersion) in request.schemaVersion.map { $0 >= version } ?? true }
        var children = [XMLNode.paymentContext(orderID: request.orderID, token)]
        if knows(.withResponseCode) {
            children.append(XMLNode("ResponseCode", text: answer.responseCode.rawValue))
        }
        children += [
            XMLNode("AuthorizationResponseCode", text: answer.authorizationResponseCode.rawValue),
            XMLNode("BankAuthorizationCode", text: operation.answer.authorizationCode ?? ""),
            XMLNode("CVV2ResponseCode", text: answer.securityCode.rawValue),
            XMLNode("AVSResponseCode", text: answer.address.rawValue),
            XMLNode("PhoneResponseCode", text: answer.phone?.rawValue ?? ""),
            XMLNode("NameResponseCode", text: answer.name?.rawValue ?? ""),
            XMLNode("EmailResponseCode", text: answer.email?.rawValue ?? ""),
            WireAmount.node("AmountAuthorized", operation.shownAmount),
        ]
        if isWallet || knows(.withTenderType) {
            children.append(XMLNode("TenderType", text: TenderType(outcome.payment.instrument.network).rawValue))
        }
        // Of a token that the acquirer opens no digit is known here.
        if request.includesAccountInformation, outcome.payment.instrument.isOpened {
            children.append(.accountInformation(token, fundingPANSuffix: operation.answer.fundingPANSuffix))
        }
        return XMLNode("CreditCardAuthReply", children)
    }

    private static func accountInformation(_ token: AccountToken, fundingPANSuffix: String?) -> XMLNode {
        var children = [XMLNode("BinPrefix", text: token.prefix), XMLNode("PanSuffix", text: token.suffix)]
        // "Subject to availability of the data": of a device account the acquirer alone can know it.
        if let fundingPANSuffix { children.append(XMLNode("OriginalPanSuffix", text: fundingPANSuffix)) }
        return XMLNode("PaymentAccountInformation", children)
    }
}

extension Operation {
    /// What is authorized: what was asked for while nobody knows, since a client that takes the order keeps it, and "positive
    /// decimal" is what the page says of it.
    fileprivate var shownAmount: Money {
        self.approvedAmount ?? (self.state.isResolved ? .zero(self.amount.currency) : self.amount)
    }
}

extension AuthorizationRequest {
    var isWallet: Bool {
        switch self.instrument {
        case .wallet: true
        case .card: false
        }
    }
}

extension AccountToken {
    /// The name under which the authorization keeps its token's middle.
    static let field = "account"

    init(of payment: Payment) {
        self.init(name: payment.opening?.labels.fields[Self.field] ?? "", payment.instrument)
    }
}
