//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A getprime: what is sent to turn an authorized payment into a prime.
struct PrimeRequest: Sendable {
    var appID: Int
    var appKey: String
    var appName: String
    var appleMerchantIdentifier: String
    var isAmountPending: Bool
    /// `PKPaymentToken.paymentData`, as an object.
    var paymentData: JSON
    var host: URL

    static let path = "/tpc/applepay/getprime"
    /// "1" for an iOS app; pages send "2".
    static let platformType = "1"
    /// Apple gives the app 30 seconds from the authorization to the result, and pay-by-prime needs its share of them.
    static let timeoutSeconds: TimeInterval = 15

    var json: JSON {
        [
            "app_id": JSON(self.appID), "app_key": .string(self.appKey), "app_name": .string(self.appName),
            "platform_type": .string(Self.platformType), "pay_token_data": self.paymentData,
            "apple_merchant_id": .string(self.appleMerchantIdentifier),
            // TapPay's fraud detection is a service of its own, which this SDK does not speak to.
            "fraud_id": "", "is_amount_pending": .bool(self.isAmountPending),
            "tappay_sdk_version": .string(Device.sdkVersion),
        ]
    }

    var urlRequest: URLRequest {
        var request = URLRequest(
            url: self.host.appending(path: Self.path), cachePolicy: .reloadIgnoringLocalCacheData,
            timeoutInterval: Self.timeoutSeconds)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue(self.appKey, forHTTPHeaderField: "x-api-key")
        request.httpBody = Data(self.json.serialized())
        return request
    }
}

extension PrimeRequest: CustomStringConvertible, CustomReflectable {
    /// Names the request and shows neither its key nor its token, wherever it may be printed.
    var description: String { "PrimeRequest(\(self.appID))" }

    var customMirror: Mirror { Mirror(self, children: ["appID": self.appID]) }
}
