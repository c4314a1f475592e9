//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Gateway
import Redaction
import Time

/// Keeps sessions: sealed, by the gateway, and no longer than an hour.
struct SessionStore: Sendable {
    static let kind = "session"
    static let lifetimeSeconds: Int64 = 3600
    /// How often a change that met another one is tried again.
    private static let attemptsMax = 3

    let gateway: Gateway

    func exists(_ id: String, of merchant: MerchantContext) async throws(CommWebError) -> Bool {
        try await self.find(id, of: merchant) != nil
    }

    /// - Throws: that there is none.
    func session(_ id: String, of merchant: MerchantContext) async throws(CommWebError) -> Session {
        guard let session = try await self.find(id, of: merchant) else {
            throw CommWebError(.sessionNotFound, field: "session.id")
        }
        return session
    }

    func create(authenticationLimit: Int, of merchant: MerchantContext) async throws(CommWebError) -> Session {
        let key = Redacted(Base64.encode(self.gateway.randomBytes(32)))
        let session = Session(
            id: Session.makeID(random: self.gateway.randomBytes(15)), aes256Key: key,
            authenticationLimit: authenticationLimit)
        try await self.keep(session, of: merchant)
        return session
    }

    /// Reads a session, changes it and keeps it; anew if somebody else has changed it in between.
    ///
    /// - Parameter change: what it throws leaves the session as it was.
    func change(
        _ id: String, of merchant: MerchantContext,
        _ change: (inout Session) throws(CommWebError) -> Void
    ) async throws(CommWebError) -> Session {
        for _ in 0..<Self.attemptsMax {
            var session = try await self.session(id, of: merchant)
            try change(&session)
            do throws(CommWebError) {
                try await self.keep(session, of: merchant)
                return session
            } catch {
                guard error.code == .sessionConflict else { throw error }
            }
        }
        throw CommWebError(.sessionConflict)
    }

    private func find(_ id: String, of merchant: MerchantContext) async throws(CommWebError) -> Session? {
        guard Session.isID(id) else { return nil }
        do throws(GatewayRefusal) {
            guard
                let item = try await self.gateway.kept(
                    kind: Self.kind, id: Session.storedName(of: id), merchant: merchant),
                var session = Session(id: id, decoding: item.content)
            else { return nil }
            session.keptVersion = item.version
            session.expiresAt = item.expiresAt
            return session
        } catch {
            throw CommWebError(error, of: nil)
        }
    }

    /// A change does not lengthen a session's life.
    private func keep(_ session: Session, of merchant: MerchantContext) async throws(CommWebError) {
        let left = session.expiresAt.map { $0.milliseconds(since: self.gateway.now()) / 1000 }
        do throws(GatewayRefusal) {
            _ = try await self.gateway.keep(
                session.encoded, kind: Self.kind, id: Session.storedName(of: session.id),
                lifetimeSeconds: max(left ?? Self.lifetimeSeconds, 1), merchant: merchant,
                replacing: session.keptVersion)
        } catch {
            throw CommWebError(error, of: nil)
        }
    }
}
