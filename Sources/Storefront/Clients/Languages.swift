//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Clients
import Money
import Redaction

extension AlphaPayClient: PaymentClient {
    public func facts(of purchase: Purchase) -> [OrderFact] {
        [
            OrderFact("paymentRequestId", purchase.reference),
            OrderFact("paymentId", purchase.handle[Self.paymentID]),
            OrderFact("orderAmount.value", String(purchase.amount.minorUnits)),
            OrderFact("orderAmount.currency", purchase.amount.currency.code),
        ].compactMap { $0 }
    }

    public func notes(_ body: ReplyBody) -> [CodeNote] { AlphaPayCodes.notes(body) }
}

extension CommWebClient: PaymentClient {
    public func facts(of purchase: Purchase) -> [OrderFact] {
        [
            OrderFact("order.id", purchase.reference),
            OrderFact("transaction.id", purchase.newestKey),
            OrderFact("order.amount", purchase.amount.decimalText),
            OrderFact("order.currency", purchase.amount.currency.code),
        ].compactMap { $0 }
    }

    public func notes(_ body: ReplyBody) -> [CodeNote] { CommWebCodes.notes(body) }
}

extension PAYONEClient: PaymentClient {
    public func facts(of purchase: Purchase) -> [OrderFact] {
        [
            OrderFact("reference", purchase.reference), OrderFact("txid", purchase.handle[Self.txid]),
            OrderFact("amount", String(purchase.amount.minorUnits)),
            OrderFact("currency", purchase.amount.currency.code),
        ].compactMap { $0 }
    }

    public func notes(_ body: ReplyBody) -> [CodeNote] { PAYONECodes.notes(body) }
}

extension RadialClient: PaymentClient {
    public func facts(of purchase: Purchase) -> [OrderFact] {
        [
            OrderFact("OrderId", purchase.reference),
            OrderFact(Self.account, purchase.handle[Self.account]),
            OrderFact(Self.tenderType, purchase.handle[Self.tenderType]),
            OrderFact("Amount", purchase.amount.decimalText),
            OrderFact("currencyCode", purchase.amount.currency.code),
        ].compactMap { $0 }
    }

    public func notes(_ body: ReplyBody) -> [CodeNote] { RadialCodes.notes(body) }
}

extension TapPayClient: PaymentClient {
    public func facts(of purchase: Purchase) -> [OrderFact] {
        [
            OrderFact("order_number", purchase.reference),
            OrderFact(Self.recTradeID, purchase.handle[Self.recTradeID]),
            OrderFact("amount", (try? Self.units(purchase.amount)).map { String($0) }),
            OrderFact("currency", purchase.amount.currency.code),
        ].compactMap { $0 }
    }

    public func notes(_ body: ReplyBody) -> [CodeNote] { TapPayCodes.notes(body) }

    public var pageSDK: PageSDK? {
        let app = self.app
        return app.id > 0 ? PageSDK(name: "TPDirect", appID: app.id, appKey: app.key.reveal()) : nil
    }
}
