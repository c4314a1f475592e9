//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import Payments

/// What a settlement or a cancellation is answered at once. "200 and an XML response": that the request has come; the
/// event says how it ended.
struct Acknowledgement {
    let reading: Reading
    let orderID: String
    let requestID: String

    var outcome: AcquirerOutcome {
        guard case .xml(let xml) = self.reading.body,
            ["OrderId", "RequestId", "ResponseCode"].allSatisfy({ xml.count(of: $0) <= 1 })
        else { return .unclear("answer_unreadable") }
        guard xml["OrderId"].map({ $0 == self.orderID }) ?? true,
            xml["RequestId"].map({ $0 == self.requestID }) ?? true
        else { return .unclear("answer_about_another_request") }
        let answer = AcquirerAnswer(reference: self.orderID)
        switch self.reading.outcome {
        case .approved, .accepted, .pending: return .accepted(AcquirerAcceptance(answer))
        case .declined: return .declined(AcquirerDecline(reason: .unspecified, answer: answer))
        case .refused, .unknown: return .unclear("code_not_understood")
        }
    }
}
