//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes

/// What a browser's request must show before its cookie counts, so that no page of anybody else's can have a browser ask
/// for anything here in a person's name.
///
/// The header is one that only a script can send, and to another origin only if that origin allows it in a preflight
/// (Fetch, "CORS-preflight request"), which is never granted here. It does not depend on what browsers say of themselves;
/// where they do say whence a request comes, that must agree. SameSite alone would not do: all ports of a host are one site.
enum PortalRule {
    /// - Throws: ``Problem`` `host_unknown`, `origin_foreign`, `portal_header_missing`.
    static func check(_ request: WireRequest, _ site: AdminSite) throws(Problem) {
        guard let origin = site.origin(of: request) else {
            throw Problem(
                .hostUnknown, "The administration does not sign in by this name. Open it by localhost or 127.0.0.1.")
        }
        if let sender = request.headers[.origin], sender.lowercased() != origin { throw Self.foreign }
        if let place = request.headers[.secFetchSite], place != "same-origin" { throw Self.foreign }
        guard request.headers[.pomonaPortal] == "1" else {
            throw Problem(
                .portalHeaderMissing, "Send the header Pomona-Portal: 1. Without it a session does not count.")
        }
    }

    private static var foreign: Problem {
        Problem(
            .originForeign, "The request comes from a page of another origin. A session does not count there.")
    }
}

extension HTTPField.Name {
    static let pomonaPortal = HTTPField.Name.known("Pomona-Portal")
    /// With what a page asks for by itself, and no person has asked for.
    static let pomonaBackground = HTTPField.Name.known("Pomona-Background")
    static let secFetchSite = HTTPField.Name.known("Sec-Fetch-Site")
}
