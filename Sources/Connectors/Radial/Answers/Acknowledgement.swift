//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import Payments

/// What a settlement or a cancellation is answered at once. "200 and an XML response": that the request has come; the
/// event says how it ended.
struct Acknowledgement {
    let orderID: String
    let requestID: String

    func outcome(_ reading: Reading) -> AcquirerOutcome {
        guard case .xml(let xml) = reading.body else { return .unknown(RadialReply.unreadable) }
        if let problem = self.problem(xml) { return problem }
        let answer = AcquirerAnswer(reference: self.orderID)
        switch reading.outcome {
        case .approved, .accepted, .pending: return .accepted(AcquirerAcceptance(answer))
        case .declined: return .declined(AcquirerDecline(reason: .unspecified, answer: answer))
        case .refused, .unknown: return .unclear("code_not_understood")
        }
    }

    /// Of what has another name than those that are known. Taken for no acknowledgement it would be sent again, and
    /// settlements are "never resubmitted after the ACK".
    func outcome(_ document: XMLReply?) -> AcquirerOutcome {
        if let problem = document.flatMap(self.problem) { return problem }
        return .accepted(AcquirerAcceptance(AcquirerAnswer(reference: self.orderID)))
    }

    /// What says that it is about something else.
    private func problem(_ xml: XMLReply) -> AcquirerOutcome? {
        guard ["OrderId", "RequestId", "ResponseCode"].allSatisfy({ xml.count(of: $0) <= 1 }) else {
            return .unknown(RadialReply.unreadable)
        }
        let isOurs =
            xml["OrderId"].map { $0 == self.orderID } ?? true && xml["RequestId"].map { $0 == self.requestID } ?? true
            && !["CreditCardAuthReply", "ConfirmFundsReply", "TenderTypeLookupReply"].contains(xml.root)
        return isOurs ? nil : .unclear("answer_about_another_request")
    }
}
