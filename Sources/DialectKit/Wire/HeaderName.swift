//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HTTPTypes

extension HTTPField.Name {
    /// The name of a header that this program knows: a token of RFC 9110, section 5.6.2, written in the source.
    public static func known(_ name: StaticString) -> HTTPField.Name {
        guard let parsed = HTTPField.Name("\(name)") else { preconditionFailure("\(name) is no header name") }
        return parsed
    }
}
