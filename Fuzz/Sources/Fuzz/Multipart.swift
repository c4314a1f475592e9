//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes

@testable import PAYONE

/// PAYONE's form as PHP's curl sends it, in parts, with the charset that the form itself names.
func fuzzMultipart(_ bytes: [UInt8]) {
    let request = WireRequest(
        method: .post, path: "/post-gateway/", headers: [.contentType: "multipart/form-data; boundary=b"], body: bytes)
    guard let form = try? ReceivedForm(request) else { return }
    for name in ["request", "mid", "amount", "encoding", "add_paydata[paymentdata_token_data]"] {
        let text = try? form.text(name)
        precondition(text == form.readableText(name), "a parameter reads in two ways")
        precondition(text?.isEmpty != true, "an empty parameter is not left out")
    }
}
