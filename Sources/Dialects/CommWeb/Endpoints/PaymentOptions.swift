//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import HTTPTypes
import Money
import Payments
import StrictJSON

extension CommWeb {
    /// PAYMENT_OPTIONS_INQUIRY: what the merchant can be paid with. With `order.currency`, what can be paid in that.
    func paymentOptions(_ call: Call, _ caller: Caller) async throws(CommWebError) -> Answer {
        let settings = AccountSettings(caller.merchant)
        let networks: Set<CardNetwork>
        do throws(GatewayRefusal) {
            networks = try await self.gateway.networks(of: caller.merchant)
        } catch {
            throw CommWebError(error, of: call.operation)
        }
        let asked = try call.fields.currency("order.currency")
        let currencies = settings.currencies.filter { asked == nil || asked == $0 }
        var fields = AnswerFields()
        fields.set("merchant", caller.merchant.accountKey)
        fields.set("result", TransactionResult.success.rawValue)
        if currencies.isEmpty {
            fields["paymentTypes"] = .object(JSONObject())
        } else {
            fields.merge(Self.cardOptions(networks, currencies), under: "paymentTypes.card")
        }
        fields["supportedPaymentOperations"] = Self.list(
            "supportedPaymentOperation",
            [("AUTHORIZE", APIOperation.authorize), ("PURCHASE", .pay)].filter { settings.permits($1) }.map(\.0))
        if call.version.number < APIVersion.firstWithPaymentOperations {
            fields.set("transactionMode", settings.permits(.authorize) ? "AUTHORIZE_CAPTURE" : "PURCHASE")
        }
        return Answer(status: .created, fields)
    }

    private static func cardOptions(_ networks: Set<CardNetwork>, _ currencies: [Currency]) -> AnswerFields {
        let schemes = Set(networks.map(CardScheme.init))
        var fields = AnswerFields()
        fields["cardTypes"] = self.list(
            "cardType", CardScheme.allCases.filter { $0 != .other && schemes.contains($0) }.map(\.rawValue))
        fields["currencies"] = self.list("currency", currencies.map(\.code))
        fields["transactionSources"] = self.list(
            "transactionSource", TransactionSource.allCases.filter(\.isSupported).map(\.rawValue))
        fields["walletProviders"] = self.list(
            "walletProvider", WalletProvider.allCases.filter(\.isSupported).map(\.rawValue))
        return fields
    }

    /// The vendor's lists hold objects of one member.
    private static func list(_ name: String, _ values: [String]) -> JSON {
        .array(values.map { .object(JSONObject([(name: name, value: .string($0))])) })
    }
}
