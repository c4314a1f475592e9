//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit

/// The form codec: the first byte chooses the content type, the rest is the body.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzForm(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let contentTypes = [
        "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", nil, "multipart/form-data",
    ]
    guard let selector = bytes.first,
        let form = try? FormFields(
            body: Array(bytes.dropFirst()), contentType: contentTypes[Int(selector) % contentTypes.count])
    else { return 0 }
    for name in form.names {
        _ = try? form.text(name, as: .utf8)
        precondition((try? form.text(name, as: .latin1)) != nil || form[name] != nil, "a named field is not there")
    }
    return 0
}
