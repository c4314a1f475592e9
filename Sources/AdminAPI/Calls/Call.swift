//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Administration
import DialectKit
import Gateway
import HTTPTypes
public import Payments
import StrictJSON
import Time

/// A call that is proven, whose parameters and body are as its endpoint describes them.
struct Call: Sendable {
    let endpoint: Endpoint
    let request: WireRequest
    let caller: Caller
    let house: House
    let path: RouteParameters
    /// The parameters of the query, decoded.
    let query: [String: String]
    /// Empty where the endpoint takes none.
    let body: JSONObject
    /// What is written with an act of this call, before anything else.
    var claim: AdminClaim?
    /// By what right, where an act may need a second person; the caller's own if left out.
    var authority: Authority?
    /// Finds out anew who calls, for an answer that takes long. Whether that is a use of a session, says whoever asks.
    var identify: @Sendable (_ isUse: Bool) async throws -> Caller = { _ in throw Problem.unauthorized }

    /// The operator's side, on the caller's behalf.
    var administration: Administration {
        self.acting(if: { _ in })
    }

    /// The same, for an act that is one commit.
    ///
    /// - Parameter condition: what must hold in the act's own transaction.
    func acting(
        if condition: @escaping @Sendable (any StoreTransaction) throws -> Void
    ) -> Administration {
        let claim = self.claim
        let administration = self.house.administration.by(self.authority ?? self.caller.authority)
        return administration.acting(as: self.caller.actor) { transaction in
            if let claim {
                if let earlier = try transaction.adminClaim(claim.key) {
                    guard earlier.expiresAt <= claim.createdAt else { throw ClaimTaken() }
                    try transaction.deleteAdminClaims(expiredBy: claim.createdAt)
                }
                try transaction.insert(claim)
            }
            try condition(transaction)
        }
    }

    /// The same, for a change of what a view shows: refused in the transaction if it is not as the caller has read it.
    ///
    /// - Parameter view: what is shown of it; `nil` where it is gone.
    func acting(
        changing view: @escaping @Sendable (any StoreReader) throws -> JSONObject?
    ) throws -> Administration {
        guard let header = self.request.headers[.ifMatch] else {
            throw Problem(
                .ifMatchMissing, "Read the resource and send its ETag as If-Match, so that nobody's change is lost.")
        }
        guard let condition = TagCondition(header) else {
            throw Problem(.ifMatchMalformed, "If-Match must be the ETag of what was read, or * and nothing else.")
        }
        return self.acting(if: { transaction in
            guard let present = try view(transaction) else { throw Problem.notFound("such thing any more") }
            guard condition.permits(EntityTag(of: present)) else {
                throw Problem(
                    .changedMeanwhile, "It was changed since it was read. Read it again and decide anew.")
            }
        })
    }

    /// Whether whoever called may still see what the call has begun to answer: all that was allowed to it at its beginning.
    ///
    /// - Throws: ``Problem``, such as `unauthorized`, `session_ended`, `scope_missing`; `StoreError`.
    func checkGoesOn() async throws {
        // The one who called waits for the answer, and takes it part by part: that keeps a session from ending idle.
        let access = try await self.identify(true).access
        let before = self.caller.access.merchants
        let seesAsMuch = access.merchants.map { merchants in before?.isSubset(of: merchants) == true } ?? true
        guard let scope = self.endpoint.scope, access.allows(scope), seesAsMuch else {
            throw Problem.forbidden(self.endpoint.scope)
        }
    }

    // MARK: - Merchants

    /// The merchant that the path names.
    ///
    /// - Throws: ``Problem``: 404 for one that there is not, and for one that the caller cannot see; 403 where he may look
    ///   and not do this.
    func merchant() async throws -> Merchant {
        let name = self.path["merchant"] ?? ""
        let merchant = try await self.house.administration.read { try $0.merchant(named: name) }
        guard let merchant, self.sees(merchant) else { throw Problem.notFound("merchant \(name)") }
        try self.check(self.endpoint.scope, of: merchant)
        return merchant
    }

    /// Whether the caller may know that there is such a merchant.
    func sees(_ merchant: Merchant) -> Bool { self.sees(merchant.id) }

    func sees(_ merchant: MerchantID) -> Bool {
        self.caller.access.merchants.map { $0.contains(merchant) } ?? true
    }

    /// - Parameter scope: `nil` for what nobody has.
    /// - Throws: ``Problem`` `scope_missing`.
    func check(_ scope: Scope?, of merchant: Merchant) throws {
        guard let scope, self.caller.access.allows(scope, merchant) else { throw Problem.forbidden(scope) }
    }

    /// The names of merchants, for views.
    func merchantNames() async throws -> [MerchantID: String] {
        try await self.house.administration.read { try Administration.merchantNames(in: $0) }
    }

    // MARK: - The body

    func text(_ name: String) -> String? { self.body[name]?.string }

    /// What is there because the endpoint's schema demands it.
    func required(_ name: String) -> String { self.text(name) ?? "" }

    func flag(_ name: String) -> Bool { self.body[name]?.bool ?? false }

    /// Texts in their order; empty where they are left out.
    func list(_ name: String) -> [String] { (self.body[name]?.array ?? []).compactMap(\.string) }

    /// Texts by name; empty for what is left out.
    func texts(_ name: String) -> [String: String] {
        var values: [String: String] = [:]
        for (key, value) in self.body[name]?.object?.members ?? [] { values[key] = value.string }
        return values
    }

    /// Texts by name, `nil` for those that are to go.
    func textChanges(_ name: String) -> [String: String?] {
        var values: [String: String?] = [:]
        for (key, value) in self.body[name]?.object?.members ?? [] { values[key] = .some(value.string) }
        return values
    }
}

/// Somebody has used the idempotency key since it was looked up.
struct ClaimTaken: Error {}

/// Of one merchant, or of all and of the machine; without a question to anybody outside where it is offline.
public typealias Examine =
    @Sendable (
        _ administration: Administration, _ merchant: Merchant?, _ isOffline: Bool
    ) async throws -> [Finding]

/// What the API stands on.
struct House: Sendable {
    let administration: Administration
    let people: People
    let site: AdminSite
    let plans: [AccountPlan]
    let tools: AccountTools
    /// Those that are spoken here, for what they report.
    var dialects: [any Dialect] = []
    /// Looks for what keeps payments from being taken, as `pomona doctor` does.
    var examine: Examine = Self.examineStore
    let examinations = Examinations()
    /// Looks at a domain from outside, as Apple does.
    var examineDomain: @Sendable (RegisteredDomain) async -> [Finding] = { _ in [] }
    /// Registers merchants at Apple.
    var registrar: any MerchantRegistrar = NoRegistrar()
    /// Who listens to what happens.
    var streams = StreamDesk { try await Task.sleep(for: .milliseconds($0)) }

    /// What the store alone knows, and its acquirers.
    static let examineStore: Examine = { try await $0.examine($1, asksAcquirers: !$2) }

    /// - Throws: ``Problem`` 404.
    func plan(_ dialect: String) throws -> AccountPlan {
        guard let plan = self.plans.first(where: { $0.dialect.text == dialect }) else {
            throw Problem.notFound("dialect \(dialect)")
        }
        return plan
    }
}
