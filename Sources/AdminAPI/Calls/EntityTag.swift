//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import StrictJSON

/// What a resource was like when it was read (RFC 9110, section 8.8.3): a digest over what is shown of it, so that it
/// changes with whatever a caller could have seen, and with nothing else.
struct EntityTag: Hashable, Sendable {
    /// With its quotes.
    let text: String

    init(of view: JSONObject) {
        let digest = SHA256.hash(data: JSON.object(view).serialized())
        self.text = "\"\(Hex.encode(Array(digest.prefix(16))))\""
    }

    /// Whether the header If-Match names it. `*` names any.
    func isNamed(in header: String) -> Bool {
        header.split(separator: ",").contains { part in
            let name = part.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed()
            return String(name) == self.text || String(name) == "*"
        }
    }
}
