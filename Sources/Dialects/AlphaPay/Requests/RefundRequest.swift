//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import Money
import Payments
import StrictJSON

/// The body of `refund`.
struct RefundRequest: Sendable {
    let paymentID: String
    let refundRequestID: String?
    let amount: Money
    let description: String?
    let notifyURL: String?

    init(reading body: RequestObject, for merchant: MerchantContext) throws(AlphaPayResult) {
        let amount: WireAmount
        do throws(FieldError) {
            self.paymentID = try body.string("paymentId", charactersMax: 64)
            // An empty one is a mistake that would refund again with every call.
            self.refundRequestID =
                body.contains("refundRequestId")
                ? try body.string("refundRequestId", charactersMax: AlphaPay.requestIDCharactersMax) : nil
            let refund = try body.object("refund")
            amount = try WireAmount(reading: try refund.object("refundAmount"), requiresCurrency: false)
            self.description = try refund.optionalString("description", charactersMax: 128, as: .text)
            self.notifyURL = try refund.notifyURL(for: merchant)
        } catch {
            throw AlphaPayResult(error)
        }
        self.amount = try amount.money()
    }

    /// `nil` without a refundRequestId: then nothing distinguishes a repeated call from a second refund.
    var idempotency: CallContext.Idempotency? {
        guard let key = self.refundRequestID else { return nil }
        let fields: JSON = [
            .string(self.paymentID), .string(key), .string(String(self.amount.minorUnits)),
            .string(self.amount.currency.code), self.description.json, self.notifyURL.json,
        ]
        return CallContext.Idempotency(operation: "refund", key: key, digest: requestDigest(fields.serialized()))
    }

    static let referenceKind = "refundRequestId"

    /// Under which an inquiry finds the refund.
    static func reference(_ refundRequestID: String) -> ReferenceName {
        ReferenceName(kind: Self.referenceKind, value: refundRequestID)
    }
}
