//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import TestRandom

extension NoticeCall {
    /// The call from where it came from, with something else in it.
    func with(headers: [String: String]? = nil, query: String? = nil, body: [UInt8]) -> NoticeCall {
        NoticeCall(
            headers: headers ?? self.headers, query: query ?? self.query, body: body, address: self.address)
    }

    /// Each byte of body and query another, and each beginning of both.
    var changes: [NoticeCall] {
        let query = Array((self.query ?? "").utf8)
        let bodies = self.body.indices.flatMap { index in
            var changed = self.body
            changed[index] ^= 0x01
            return [changed, Array(self.body.prefix(index))]
        }
        let queries = query.indices.flatMap { index in
            var changed = query
            changed[index] ^= 0x01
            return [changed, Array(query.prefix(index))]
        }
        return bodies.map { self.with(body: $0) }
            + queries.map { self.with(query: String(decoding: $0, as: UTF8.self), body: self.body) }
    }
}

/// What no acquirer has ever sent.
enum Garbage {
    static func all(_ random: inout SeededRandom) -> [[UInt8]] {
        let lengths = Array(0..<64) + [255, 256, 1024, 4096, 65_536]
        let bytes = lengths.map { length in (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) } }
        let texts = lengths.map { length in (0..<length).map { _ in UInt8.random(in: 32...126, using: &random) } }
        let notations = [
            "{}", "[]", "null", "\"\"", "0", "{\"\":{}}", "=", "&&&", "a=b", "a=%", "<a/>", "<a>", "<?xml?>",
            String(repeating: "[", count: 10_000), String(repeating: "{\"a\":", count: 10_000),
            String(repeating: "<a>", count: 10_000), String(repeating: "a=b&", count: 10_000), "\u{0}", "\u{FEFF}{}",
        ].map { Array($0.utf8) }
        return bytes + texts + notations
    }
}
