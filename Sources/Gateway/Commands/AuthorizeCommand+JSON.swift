//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
public import Money
public import Payments
public import StrictJSON

extension AuthorizeCommand {
    /// A command with the token as it stands on the wire: paymentData, a PKPaymentToken, or a whole Apple Pay JS
    /// payment.
    ///
    /// - Throws: ``GatewayRefusal/token(_:)`` of the stage `parse`.
    public init(
        context: CallContext, tokenJSON: JSON, amount: Money?, orderID: OrderID? = nil, capturesAtOnce: Bool,
        labels: OperationLabels = OperationLabels()
    ) throws(GatewayRefusal) {
        let token: UnverifiedToken
        do throws(TokenError) {
            token = try UnverifiedToken(json: tokenJSON)
        } catch {
            throw .token(error)
        }
        self.init(
            context: context, token: token, amount: amount, orderID: orderID, capturesAtOnce: capturesAtOnce,
            labels: labels)
    }
}
