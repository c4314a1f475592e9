//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
import Logging
public import Payments
public import Redaction
import Settings
import Time

/// What an access token is to be.
public struct AccessTokenDraft: Hashable, Sendable {
    /// What it is for: 1–64 characters.
    public var name: String
    public var access: Access
    /// How long it opens anything: 1–366.
    public var days: Int

    public init(name: String, access: Access, days: Int = 90) {
        self.name = name
        self.access = access
        self.days = days
    }
}

/// An access token that has just been made.
public struct MadeAccessToken: Sendable {
    public let token: AccessToken
    /// What the machine shows. It is not kept, and cannot be shown again.
    public let secret: Redacted<String>
}

extension AuditAct {
    public static let accessTokenMake = AuditAct("access.create")
    public static let accessTokenRevoke = AuditAct("access.revoke")
}

extension Administration {
    /// The longest life of an access token: a year.
    public static let accessTokenDaysMax = 366

    /// Makes an access token.
    ///
    /// - Parameters:
    ///   - access: of whoever makes it, who gives away no more than that.
    ///   - maker: who that is: a user name, or an operator as the operating system knows him.
    /// - Throws: ``AdministrationError`` `access_not_allowed`, `token_name_malformed`, `token_duration_invalid`,
    ///   `merchant_unknown`; `StoreError`.
    public func makeAccessToken(
        _ draft: AccessTokenDraft, by access: Access, madeBy maker: String
    ) async throws -> MadeAccessToken {
        try access.checkGiving(draft.access)
        if let problem = SettingRules.text(64)(draft.name) {
            throw AdministrationError(.tokenNameMalformed, "A token's name \(problem).")
        }
        guard (1...Self.accessTokenDaysMax).contains(draft.days) else {
            throw AdministrationError(
                .tokenDurationInvalid, "A token is for 1 to \(Self.accessTokenDaysMax) days; make another one then.")
        }
        let now = self.gateway.now()
        let secret = AccessTokenText.make(self.gateway.randomBytes(MadeSecret.bytesCount))
        let token = AccessToken(
            id: self.gateway.makeID(), name: draft.name, digest: MadeSecret.digest(secret), access: draft.access,
            madeBy: maker, createdAt: now, endsAt: now.adding(seconds: Int64(draft.days) * 86_400))
        let details = [
            "token": token.id.text, "days": "\(draft.days)",
            "scopes": draft.access.scopes.map(\.rawValue).sorted().joined(separator: " "),
        ]
        try await self.gateway.administer(AuditDraft(.accessTokenMake, draft.name, details)) { transaction, entry in
            entry.details["merchants"] = try draft.access.merchantNames(in: transaction)
            try transaction.insert(token)
        }
        return MadeAccessToken(token: token, secret: secret)
    }

    /// All access tokens, oldest first; those that are revoked or have ended included.
    public func accessTokens() async throws -> [AccessToken] { try await self.read { try $0.accessTokens() } }

    /// Ends an access token, for ever. The next request with it is refused.
    ///
    /// - Throws: ``AdministrationError`` `token_unknown`, `access_not_allowed` for one that may do more than whoever
    ///   revokes it; `StoreError`.
    @discardableResult
    public func revokeAccessToken(_ id: AccessTokenID, by access: Access) async throws -> AccessToken {
        try access.checkAdministersPeople()
        let now = self.gateway.now()
        return try await self.gateway.administer(AuditDraft(.accessTokenRevoke, "")) { transaction, entry in
            guard var token = try transaction.accessToken(id) else {
                throw AdministrationError(.tokenUnknown, "The store has no access token with the id \(id).")
            }
            try access.checkGiving(token.access)
            entry.subject = token.name
            entry.details["token"] = id.text
            entry.isNothing = token.revokedAt != nil
            token.revokedAt = token.revokedAt ?? now
            try transaction.update(token)
            return token
        }
    }

    /// What a machine that shows a secret may do.
    ///
    /// That it was used is written at most once a minute; where that fails, the machine goes on.
    /// - Returns: `nil` for a secret that is none of a token's, or of one that is revoked or has ended. Which of these is
    ///   nothing that a caller needs to know.
    /// - Throws: `StoreError`.
    public func authenticate(
        accessToken secret: Redacted<String>
    ) async throws -> (token: AccessToken, access: Access)? {
        guard AccessTokenText.isPlausible(secret) else { return nil }
        let (now, digest) = (self.gateway.now(), MadeSecret.digest(secret))
        guard var token = try await self.read({ try $0.accessToken(digest: digest) }), token.isValid(at: now) else {
            return nil
        }
        guard token.lastUsedAt?.isOlder(than: 60, at: now) ?? true else { return (token, token.access) }
        do {
            token.lastUsedAt = now
            let id = token.id
            let isValid = try await self.gateway.store.write { transaction in
                guard var stored = try transaction.accessToken(id), stored.isValid(at: now) else { return false }
                stored.lastUsedAt = now
                try transaction.update(stored)
                return true
            }
            return isValid ? (token, token.access) : nil
        } catch {
            self.gateway.logger.warning(
                "use of an access token was not written", metadata: ["token": "\(token.id)", "reason": "\(error)"])
            return (token, token.access)
        }
    }
}

extension Timestamp {
    /// Whether it is at least so long ago.
    func isOlder(than seconds: Int64, at now: Timestamp) -> Bool { now.milliseconds(since: self) >= seconds * 1000 }
}
