//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import HTTPTypes
import Payments
import Redaction

/// A webhook notification: the answer to a RETRIEVE of the transaction, after every change of it, with the secret of
/// Merchant Administration in a header (docs/connectors/mpgs.md, "Notices").
///
/// It is taken as a reason to ask: the transaction itself says how it ended, under credentials of ours, whatever a
/// notification that was delayed says of it.
enum MPGSNotice {
    static func read(_ call: NoticeCall, secret: Redacted<String>) -> NoticeReading {
        var headers = HTTPFields()
        for header in call.headers {
            guard let name = HTTPField.Name(header.key) else { continue }
            headers[name] = header.value
        }
        let client = CommWebClient(
            CommWebClient.Credentials(merchantID: "", password: nil, notificationSecret: secret))
        let body = DeclaredCharset.utf8(call.body, contentType: call.headers["content-type"])
        let notice = client.read(ClientNotification(path: "", headers: headers, body: body))
        // One without a secret proves nothing.
        guard notice.isGenuine == true else {
            return .refused(NoticeAnswer(status: 401), word: "notification_secret_wrong")
        }
        guard notice.body.json != nil else {
            return .refused(NoticeAnswer(status: 400), word: "notification_not_json")
        }
        // What somebody has done in Merchant Administration has an id of the bank's, and nothing here waits for it.
        guard let id = notice.key.flatMap(TransactionID.operation) else { return .notices([], answer: NoticeAnswer()) }
        return .notices([AcquirerNotice(.operation(id), .changed)], answer: NoticeAnswer())
    }
}
