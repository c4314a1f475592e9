//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit

/// The body of `inquiryPayment`: either id, or both if they name the same payment. The vendor's library has setters for both.
struct InquiryPaymentRequest: Sendable {
    let paymentID: String?
    let paymentRequestID: String?

    init(reading body: RequestObject) throws(AlphaPayResult) {
        do throws(FieldError) {
            self.paymentID = try body.optionalString("paymentId", charactersMax: 64)
            self.paymentRequestID = try body.optionalString(
                "paymentRequestId", charactersMax: AlphaPay.requestIDCharactersMax)
            guard self.paymentID != nil || self.paymentRequestID != nil else {
                throw body.error("paymentId", "is required, unless paymentRequestId is given")
            }
        } catch {
            throw AlphaPayResult(error)
        }
    }
}

/// The body of `cancel`: which payment is meant.
struct PaymentNameRequest: Sendable {
    let paymentID: String

    init(reading body: RequestObject) throws(AlphaPayResult) {
        do throws(FieldError) {
            self.paymentID = try body.string("paymentId", charactersMax: 64)
        } catch {
            throw AlphaPayResult(error)
        }
    }
}

/// The body of `inquiryRefund`: either id, or both if they name the same refund.
struct InquiryRefundRequest: Sendable {
    let refundID: String?
    let refundRequestID: String?

    init(reading body: RequestObject) throws(AlphaPayResult) {
        do throws(FieldError) {
            self.refundID = try body.optionalString("refundId", charactersMax: 64)
            self.refundRequestID = try body.optionalString(
                "refundRequestId", charactersMax: AlphaPay.requestIDCharactersMax)
            guard self.refundID != nil || self.refundRequestID != nil else {
                throw body.error("refundId", "is required, unless refundRequestId is given")
            }
        } catch {
            throw AlphaPayResult(error)
        }
    }
}
