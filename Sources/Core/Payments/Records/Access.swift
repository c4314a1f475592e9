//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money

/// One thing that somebody may do in the administration, by the name that tokens carry.
public enum Scope: String, Hashable, Sendable, CaseIterable, Comparable {
    case merchantsRead = "merchants:read"
    case merchantsWrite = "merchants:write"
    /// Accounts in dialects: their settings, and credentials once, when they are made.
    case accountsRead = "accounts:read"
    case accountsWrite = "accounts:write"
    case acquirersRead = "acquirers:read"
    case acquirersWrite = "acquirers:write"
    case routesRead = "routes:read"
    case routesWrite = "routes:write"
    /// Apple Pay certificates and domains.
    case applePayRead = "apple-pay:read"
    case applePayWrite = "apple-pay:write"
    case paymentsRead = "payments:read"
    /// Captures and voids.
    case paymentsCapture = "payments:capture"
    case paymentsRefund = "payments:refund"
    /// Decides how an operation ended whose acquirer does not say.
    case paymentsResolve = "payments:resolve"
    case webhooksRead = "webhooks:read"
    case webhooksWrite = "webhooks:write"
    case reportsRead = "reports:read"
    /// Settlement files, differences, the end of a day.
    case reportsWrite = "reports:write"
    case auditRead = "audit:read"
    /// Health, findings of the doctor, alarms.
    case systemRead = "system:read"
    /// The end of an alarm by hand, the keys that seal secrets.
    case systemWrite = "system:write"
    /// People and tokens.
    case peopleRead = "people:read"
    case peopleWrite = "people:write"

    /// Whether it lets somebody look, and no more.
    public var isReading: Bool { self.rawValue.hasSuffix(":read") }

    public static func < (lhs: Scope, rhs: Scope) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// What somebody is to the operator's house: a named set of scopes.
public enum Role: String, Hashable, Sendable, CaseIterable {
    case owner
    case `operator`
    /// Payments, and refunds up to a limit.
    case support
    /// Accounts and webhooks; changes those of sandbox merchants alone.
    case developer
    case viewer

    public var scopes: Set<Scope> {
        switch self {
        case .owner: Set(Scope.allCases)
        case .operator: Set(Scope.allCases).subtracting([.peopleWrite])
        case .support: [.merchantsRead, .paymentsRead, .paymentsCapture, .paymentsRefund, .webhooksRead, .reportsRead]
        case .developer:
            [
                .merchantsRead, .accountsRead, .accountsWrite, .acquirersRead, .routesRead, .applePayRead,
                .paymentsRead,
                .webhooksRead, .webhooksWrite, .systemRead,
            ]
        case .viewer: Set(Scope.allCases.filter { $0.isReading && $0 != .peopleRead })
        }
    }

    /// Whether what it changes must be a sandbox merchant's.
    public var changesSandboxOnly: Bool { self == .developer }
}

/// What somebody may do, and for whom.
public struct Access: Hashable, Sendable {
    public var scopes: Set<Scope>
    /// For these merchants; `nil` for all, those made later included.
    public var merchants: Set<MerchantID>?
    /// Whether what is changed must be a sandbox merchant's.
    public var changesSandboxOnly: Bool
    /// As a person's, see ``Person/refundLimits``.
    public var refundLimits: [Currency: Int64]?

    public init(
        scopes: Set<Scope>, merchants: Set<MerchantID>? = nil, changesSandboxOnly: Bool = false,
        refundLimits: [Currency: Int64]? = nil
    ) {
        self.scopes = scopes
        self.merchants = merchants
        self.changesSandboxOnly = changesSandboxOnly
        self.refundLimits = refundLimits
    }

    public init(_ role: Role, merchants: Set<MerchantID>? = nil, refundLimits: [Currency: Int64]? = nil) {
        self.init(
            scopes: role.scopes, merchants: merchants, changesSandboxOnly: role.changesSandboxOnly,
            refundLimits: refundLimits)
    }

    /// Whether it may do that to something of the merchant's.
    public func allows(_ scope: Scope, _ merchant: Merchant) -> Bool {
        self.allows(scope) && self.merchants.map { $0.contains(merchant.id) } != false
            && (scope.isReading || !self.changesSandboxOnly || merchant.mode == .sandbox)
    }

    /// Whether it may do that at all, to something of somebody's.
    public func allows(_ scope: Scope) -> Bool { self.scopes.contains(scope) }

    /// Whether whoever has this one may give that one away: nobody hands on more than he has.
    public func covers(_ other: Access) -> Bool {
        let coversMerchants =
            switch (self.merchants, other.merchants) {
            case (nil, _): true
            case (.some, nil): false
            // Nobody's merchants are not some of one's own.
            case (let own?, let given?): !given.isEmpty && given.isSubset(of: own)
            }
        return coversMerchants && self.coversRefunds(of: other) && other.scopes.isSubset(of: self.scopes)
            && (!self.changesSandboxOnly || other.changesSandboxOnly)
    }

    private func coversRefunds(of other: Access) -> Bool {
        guard let own = self.refundLimits, other.allows(.paymentsRefund) else { return true }
        guard let given = other.refundLimits else { return false }
        return given.allSatisfy { currency, minorUnits in minorUnits <= own[currency] ?? 0 }
    }
}
