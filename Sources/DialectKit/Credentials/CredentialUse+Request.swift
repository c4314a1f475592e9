//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Gateway
import HTTPTypes

extension Gateway {
    /// Notes that a request was proved to be the merchant's.
    ///
    /// - Parameters:
    ///   - place: the name of the account's secret, or of its setting, by which it was.
    ///   - isOfCustomer: whether a customer's device has sent it, whose address is not kept.
    public func noteUse(
        of place: String, by merchant: MerchantContext, in request: WireRequest, isOfCustomer: Bool = false
    ) {
        self.noteUse(
            of: place, by: merchant, from: isOfCustomer ? nil : request.remoteAddress,
            client: request.headers[.userAgent])
    }
}
