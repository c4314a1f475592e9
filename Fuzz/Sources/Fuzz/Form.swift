//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit

/// The form codec: the first byte chooses the content type, the rest is the body.
func fuzzForm(_ bytes: [UInt8]) {
    let contentTypes = [
        "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", nil, "multipart/form-data",
    ]
    guard let selector = bytes.first,
        let form = try? FormFields(
            body: Array(bytes.dropFirst()), contentType: contentTypes[Int(selector) % contentTypes.count])
    else { return }
    for name in form.names {
        _ = try? form.text(name, as: .utf8)
        precondition((try? form.text(name, as: .latin1)) != nil || form[name] != nil, "a named field is not there")
    }
}
