//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import Money
import StrictJSON

/// The body of `apple-pay/preOrder`.
struct PreOrderRequest: Sendable {
    let paymentRequestID: String
    let merchantIdentifier: String?
    let amount: Money
    let summary: String
    let notifyURL: String?

    init(reading body: RequestObject, for merchant: MerchantContext) throws(AlphaPayResult) {
        let amount: WireAmount
        do throws(FieldError) {
            self.paymentRequestID = try body.string("paymentRequestId", charactersMax: AlphaPay.requestIDCharactersMax)
            self.merchantIdentifier = try body.optionalString("merchantIdentifier", charactersMax: 255)
            let order = try body.object("order")
            amount = try WireAmount(reading: try order.object("orderAmount"), requiresCurrency: true)
            self.summary = Self.cut(try order.string("description", charactersMax: 4096, as: .text))
            self.notifyURL = try order.notifyURL(for: merchant)
        } catch {
            throw AlphaPayResult(error)
        }
        self.amount = try amount.money()
    }

    /// What goes beyond 128 characters is cut off (AlphaPay's documentation in Chinese, "payment").
    private static func cut(_ description: String) -> String {
        String(String.UnicodeScalarView(description.unicodeScalars.prefix(128)))
    }

    /// What a repeated call must ask for again. Of the merchant identifier the gateway knows what it stands for where it
    /// is left out.
    var digest: [UInt8] {
        let fields: JSON = [
            .string(self.paymentRequestID), .string(String(self.amount.minorUnits)),
            .string(self.amount.currency.code), .string(self.summary), self.notifyURL.json,
        ]
        return requestDigest(fields.serialized())
    }
}

extension RequestObject {
    /// The optional `notifyUrl`: https, or http too where the account allows it.
    func notifyURL(for merchant: MerchantContext) throws(FieldError) -> String? {
        guard let text = try self.optionalString("notifyUrl", charactersMax: 2048) else { return nil }
        guard let target = NotificationTarget(text) else {
            throw self.error("notifyUrl", "must be an https URL with a host, e.g. \"https://shop.example/notify\"")
        }
        guard target.isSecure || AccountSettings(merchant).allowsInsecureNotify else {
            throw self.error("notifyUrl", "must begin with https://")
        }
        return text
    }
}

extension String? {
    /// The text, or `null`.
    var json: JSON { self.map(JSON.string) ?? .null }
}
