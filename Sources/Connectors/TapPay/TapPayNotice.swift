//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StrictJSON

/// TapPay's backend notification: JSON without a signature (TapPay, "Backend Notify"). Anybody could have sent it, so it
/// is a reason to ask and nothing more; what stands in it of the outcome is not even read. Whoever knows no operation's
/// name, of 80 random bits, can't make us ask.
enum TapPayNotice {
    static func read(_ call: NoticeCall) -> NoticeReading {
        guard let json = try? JSON.parse(call.body), json.object != nil else {
            return .refused(NoticeAnswer(status: 400), word: "notification_not_json")
        }
        // A trade that the merchant has made without us has a name of another shape.
        guard let name = json["bank_transaction_id"]?.string, OperationID(OperationTag.prefix + Self.time + name) != nil
        else { return .notices([], answer: NoticeAnswer()) }
        return .notices([AcquirerNotice(.shortName(name), .changed)], answer: NoticeAnswer())
    }

    /// Stands in for the first half of an id, so that the second is checked by the id's own rule.
    private static let time = "0000000000"
}
