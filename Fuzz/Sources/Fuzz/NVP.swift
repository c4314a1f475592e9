//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@testable import CommWeb

/// CommWeb's names and values: the first byte chooses the content type, the rest is the body. What is read is written and
/// read again alike.
func fuzzNVP(_ bytes: [UInt8]) {
    let contentTypes = [
        "application/x-www-form-urlencoded", "application/x-www-form-urlencoded; charset=iso-8859-1", nil, "text/plain",
    ]
    guard let selector = bytes.first,
        let fields = try? NVPCodec.fields(
            of: Array(bytes.dropFirst()), contentType: contentTypes[Int(selector) % contentTypes.count])
    else { return }
    // A name of 256 letters of ISO-8859-1 takes up to 512 bytes of UTF-8, which is too long a name.
    guard fields.paths.allSatisfy({ $0.utf8.count <= 256 }) else { return }
    var answer = AnswerFields()
    for path in fields.paths { answer[path] = fields[path] }
    let again = try? NVPCodec.fields(of: NVPCodec.body(of: answer), contentType: NVPCodec.mediaType)
    precondition(again?.paths == fields.paths, "a field was lost by being written")
    for path in fields.paths { precondition(again?[path] == fields[path], "a field changed by being written") }
}
