//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
public import StrictJSON
public import Time

/// What is to be done with a certificate, so that payments never lack a key.
public enum CertificateStep: String, Hashable, Sendable, CaseIterable {
    /// Apple has the signing request.
    case `import`
    case activate
    /// It is in use, and no token has come for it yet.
    case observe
    /// It ends soon, and nothing takes its place yet.
    case renew
    /// Another one does its work, and no token has come for it any more.
    case retire
    case none
}

/// A merchant's certificates with what was seen of them.
public struct CertificateList: Sendable {
    /// Before so many days a successor is to be asked for.
    public static let renewalDays: Int64 = 60

    /// For so many days no token may have come for a key before it is said that it may be retired. Wallets learn of a new
    /// certificate one after the other; Apple says to keep the old key until its hash comes no more (TN3206).
    public static let quietDays: Int64 = 7

    public let merchant: Merchant
    public let credentials: [AppleCredential]
    private let firstUse: [String: Timestamp]
    private let lastUse: [String: Timestamp]
    private let now: Timestamp

    /// - Throws: `StoreError`.
    public init(of merchant: Merchant, at now: Timestamp, in reader: any StoreReader) throws {
        self.merchant = merchant
        self.now = now
        self.credentials = try reader.appleCredentials(of: merchant.id)
        var (first, last): ([String: Timestamp], [String: Timestamp]) = ([:], [:])
        for use in try reader.observations(.keyUse, of: merchant.id, subject: nil, limit: 10_000) {
            if use.number == 0 { first[use.subject] = use.at } else { last[use.subject] = use.at }
        }
        self.firstUse = first
        self.lastUse = last
    }

    public func view(of credential: AppleCredential) -> JSONObject {
        var object = credential.view(of: self.merchant, at: self.now)
        object["daysLeft"] = credential.daysLeft(at: self.now).map { JSON($0) } ?? .null
        object["firstUsedAt"] = .string(orNull: self.firstUse[credential.id]?.description)
        object["lastUsedAt"] = .string(orNull: self.lastUse(of: credential)?.description)
        object["mayRetire"] = .bool(self.mayRetire(credential))
        object["next"] = .string(self.step(of: credential).rawValue)
        return object
    }

    /// When a token was last opened with it.
    func lastUse(of credential: AppleCredential) -> Timestamp? {
        self.lastUse[credential.id] ?? self.firstUse[credential.id]
    }

    /// Whether another one has taken its place, as far as that is seen.
    func isFollowed(_ credential: AppleCredential) -> Bool {
        credential.isFollowed(among: self.credentials) { self.firstUse[$0.id] != nil }
    }

    /// The one that wallets may still seal for: made before it, and in use.
    func earlierInUse(than credential: AppleCredential) -> AppleCredential? {
        self.others(than: credential).last { $0.isInUse && $0.createdAt < credential.createdAt }
    }

    public func step(of credential: AppleCredential) -> CertificateStep {
        switch credential.state {
        case .requested: return .import
        case .imported: return .activate
        case .retired: return .none
        case .active: break
        }
        let daysLeft = credential.daysLeft(at: self.now) ?? 0
        if self.mayRetire(credential) { return .retire }
        if daysLeft < Self.renewalDays, !self.hasSuccessor(credential) { return .renew }
        if credential.purpose == .paymentProcessing, self.firstUse[credential.id] == nil { return .observe }
        return .none
    }

    /// Whether a newer one does its work: in use, not at its end, and, of those that open tokens, with tokens for it for some
    /// days (``quietDays``) and since the last for this one, which is as many days ago. The newest has none.
    public func mayRetire(_ credential: AppleCredential) -> Bool {
        guard credential.state == .active else { return false }
        return credential.followers(among: self.credentials).contains { follower in
            guard (follower.daysLeft(at: self.now) ?? -1) >= 0 else { return false }
            guard credential.purpose == .paymentProcessing else { return true }
            let quiet = self.now.adding(seconds: -Self.quietDays * 86_400)
            // Its first token shows that it works, and not that every wallet has learned of it.
            guard let first = self.firstUse[follower.id], first <= quiet, let seen = self.lastUse(of: follower)
            else { return false }
            guard let last = self.lastUse(of: credential) else { return true }
            return last < seen && last <= quiet
        }
    }

    /// Whether one is there, or on its way, that ends later.
    private func hasSuccessor(_ credential: AppleCredential) -> Bool {
        self.others(than: credential).contains { other in
            guard other.state != .retired else { return false }
            guard let end = other.notAfter else { return other.createdAt > credential.createdAt }
            return end > (credential.notAfter ?? credential.createdAt)
        }
    }

    private func others(than credential: AppleCredential) -> [AppleCredential] {
        self.credentials.filter {
            $0.id != credential.id && $0.purpose == credential.purpose
                && $0.merchantIdentifier == credential.merchantIdentifier
        }
    }
}
