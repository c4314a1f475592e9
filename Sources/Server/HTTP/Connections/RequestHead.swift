//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import NIOHTTP1

extension HTTPRequestHead {
    /// The head with what the codec behind it would lose, which hands on neither the version nor the host of the target;
    /// `nil` where it would lose nothing, as of nearly every head.
    var complete: HTTPRequestHead? {
        let hasPath = self.uri.utf8.first == UInt8(ascii: "/")
        guard !hasPath || self.version != .http1_1 else { return nil }
        var head = self
        // HTTP/1.0 needs no Host (RFC 1945); an empty one says the same to whoever comes next, and a request of HTTP/1.1
        // without any can still be refused (RFC 9112, section 3.2).
        if self.version == .http1_0, !self.headers.contains(name: "Host") {
            head.headers.add(name: "Host", value: "")
        }
        if self.version != .http1_1, self.headers.contains(name: "Transfer-Encoding") {
            head.headers.replaceOrAdd(name: "Transfer-Encoding", value: RequestFraming.codingOfOtherVersions)
        }
        if !hasPath { head.takeHostOfTarget() }
        return head
    }

    /// Of a whole URL the host is the one that is asked, whatever Host says (RFC 9112, section 3.2.2). Its path and query
    /// become the target. One without a host, with user information (RFC 9110, section 4.2.4) or with another scheme becomes
    /// a target that is no path, and is refused as such.
    private mutating func takeHostOfTarget() {
        let target = Array(self.uri.utf8)
        guard let colon = target.firstIndex(of: UInt8(ascii: ":")), target[colon...].starts(with: "://".utf8) else {
            return
        }
        let scheme = String(decoding: target[..<colon], as: UTF8.self).lowercased()
        let afterScheme = target[(colon + 3)...]
        let authority = String(decoding: afterScheme.prefix { !"/?#".utf8.contains($0) }, as: UTF8.self)
        guard ["http", "https"].contains(scheme), RequestFraming.isHost(authority),
            let first = authority.utf8.first, first != UInt8(ascii: ":")
        else {
            self.uri = "*"
            return
        }
        let rest = String(decoding: afterScheme.dropFirst(authority.utf8.count), as: UTF8.self)
        self.uri = rest.utf8.first == UInt8(ascii: "/") ? rest : "/" + rest
        // None, two and one that is no host are refused nevertheless (section 3.2).
        let hosts = self.headers["Host"]
        if hosts.count == 1, hosts.allSatisfy(RequestFraming.isHost) {
            self.headers.replaceOrAdd(name: "Host", value: authority)
        }
    }
}
