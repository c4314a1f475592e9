//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes

extension WireRequest {
    /// Why the body is not read, as a sentence: it is compressed, or coded otherwise (RFC 9110, section 8.4); `nil` if it
    /// is not. No dialect takes that, and whoever read it all the same would complain of something else.
    public var contentCodingProblem: String? {
        // Left out by nearly all clients.
        guard !self.body.isEmpty, let codings = self.headers[.contentEncoding] else { return nil }
        let isIdentity = codings.split(separator: ",").allSatisfy { coding in
            coding.filter { $0 != " " && $0 != "\t" }.lowercased() == "identity"
        }
        return isIdentity ? nil : "Compressed bodies are not taken. Send the body as it is, without Content-Encoding."
    }
}
