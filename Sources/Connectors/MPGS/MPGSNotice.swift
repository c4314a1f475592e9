//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Redaction
import StrictJSON

/// A webhook notification: the answer to a RETRIEVE of the transaction, after every change of it, with the secret of
/// Merchant Administration in a header (docs/connectors/mpgs.md, "Notices").
///
/// It is taken as a reason to ask: the transaction itself says how it ended, under credentials of ours, whatever a
/// notification that was delayed says of it.
enum MPGSNotice {
    private static let secretHeader = "x-notification-secret"

    static func read(_ call: NoticeCall, secret: Redacted<String>) -> NoticeReading {
        guard let sent = call.headers[self.secretHeader], self.areEqual(sent, secret.reveal()) else {
            return .refused(NoticeAnswer(status: 401), word: "notification_secret_wrong")
        }
        guard let json = try? JSON.parse(call.body) else {
            return .refused(NoticeAnswer(status: 400), word: "notification_not_json")
        }
        // What somebody has done in Merchant Administration has an id of the bank's, and nothing here waits for it.
        guard let id = json[path: "transaction.id"]?.string.flatMap(OperationID.init) else {
            return .notices([], answer: NoticeAnswer())
        }
        return .notices([AcquirerNotice(.operation(id), .changed)], answer: NoticeAnswer())
    }

    /// In a time that does not depend on where they differ.
    private static func areEqual(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count == right.count, !right.isEmpty else { return false }
        return zip(left, right).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
