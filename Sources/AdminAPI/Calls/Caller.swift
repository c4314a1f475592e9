//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Crypto
import DialectKit
import Foundation
import HTTPTypes
import Payments
import Redaction
import Time

/// Who calls, and what that one may do.
struct Caller: Sendable {
    /// The token's or the session's id.
    let holder: String
    /// For the audit log: "token deploy from 192.0.2.7".
    let actor: String
    let access: Access
    /// Under what answers are sealed that may be given again: from the secret that only the caller has.
    let sealingKey: SymmetricKey

    init(holder: String, actor: String, access: Access, secret: Redacted<String>) {
        self.holder = holder
        self.actor = actor
        self.access = access
        self.sealingKey = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Data(secret.reveal().utf8)), salt: Data(holder.utf8),
            info: Data("pomona admin answer 1".utf8), outputByteCount: 32)
    }
}

/// Finds out who calls, and slows those down who guess.
struct CallerDesk: Sendable {
    let administration: Administration
    let limits: CallerLimits

    /// - Throws: ``Problem`` `unauthorized`, `too_many_attempts`; `StoreError`.
    func caller(of request: WireRequest) async throws -> Caller {
        guard let secret = Self.bearer(request.headers[.authorization]) else { throw Problem.unauthorized }
        // The token is itself the guess, so that all of an address' guesses count together.
        let attempt = self.limits.attempt(
            DialectName("admin"), account: "tokens", credential: secret.reveal(), from: request)
        if let seconds = attempt.waitSeconds {
            var problem = Problem(
                .tooManyRequests, "too_many_attempts",
                "Too many wrong tokens came from this address. Wait, then try again.")
            problem.headers[.retryAfter] = "\(seconds)"
            throw problem
        }
        guard let (token, access) = try await self.administration.authenticate(accessToken: secret) else {
            attempt.failed()
            throw Problem.unauthorized
        }
        attempt.succeeded()
        let place = request.remoteAddress.map { " from \($0)" } ?? ""
        return Caller(holder: token.id.text, actor: "token \(token.name)\(place)", access: access, secret: secret)
    }

    /// RFC 6750, section 2.1.
    private static func bearer(_ header: String?) -> Redacted<String>? {
        guard let header, header.utf8.count <= 512 else { return nil }
        let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bearer", !parts[1].isEmpty else { return nil }
        return Redacted(String(parts[1]))
    }
}
