//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
public import Payments
import Settings

extension Administration {
    /// Makes a merchant. It takes no payments until it has an account in a dialect, a certificate, and a route to an
    /// acquirer account.
    ///
    /// - Parameters:
    ///   - name: what commands call it: 1–64 lower-case letters, digits and hyphens, the first no hyphen, and not `house`,
    ///     which names what is of all merchants.
    ///   - displayName: what the customer sees in the payment sheet: 1–64 characters.
    ///   - countryCode: ISO 3166-1 alpha-2.
    ///   - timeZone: where its days begin and end, by the zone's name in the IANA time zone database.
    /// - Throws: ``AdministrationError``, `StoreError`.
    public func createMerchant(
        name: String, displayName: String, mode: Mode, countryCode: String,
        timeZone: String = Merchant.defaultTimeZone
    ) async throws -> Merchant {
        if let problem = SettingRules.name(name) {
            throw AdministrationError(.merchantNameMalformed, "A merchant's name \(problem).")
        }
        guard name != ApprovalPolicy.houseName else {
            throw AdministrationError(
                .merchantNameMalformed, "No merchant's name is \(name): it names what is of all merchants.")
        }
        try Self.check(displayName: displayName, countryCode: countryCode, timeZone: timeZone)
        let merchant = Merchant(
            id: self.gateway.makeID(), name: name, displayName: displayName, mode: mode, countryCode: countryCode,
            timeZone: timeZone, createdAt: self.gateway.now())
        let details = ["id": merchant.id.text, "mode": mode.rawValue]
        try await self.gateway.administer(AuditDraft(.merchantCreate, name, details)) { transaction, _ in
            guard try transaction.merchant(named: name) == nil else {
                throw AdministrationError(.merchantNameTaken, "There is a merchant named \(name) already.")
            }
            try transaction.insert(merchant)
        }
        return merchant
    }

    /// Changes what customers and Apple are shown of a merchant, and where its days begin. What is `nil` stays.
    ///
    /// Days that are closed stay as they are when the zone changes: the next one begins where the last of them ended.
    ///
    /// - Throws: ``AdministrationError``, `StoreError`.
    @discardableResult
    public func changeMerchant(
        _ id: MerchantID, displayName: String? = nil, countryCode: String? = nil, timeZone: String? = nil
    ) async throws -> Merchant {
        try await self.gateway.administer(AuditDraft(.merchantChange, "")) { transaction, draft in
            let merchant = try Self.openMerchant(id, in: transaction)
            var changed = merchant
            changed.displayName = displayName ?? merchant.displayName
            changed.countryCode = countryCode ?? merchant.countryCode
            changed.timeZone = timeZone ?? merchant.timeZone
            try Self.check(
                displayName: changed.displayName, countryCode: changed.countryCode,
                timeZone: timeZone ?? Merchant.defaultTimeZone)
            draft.setSubject(merchant, nil)
            draft.isNothing = changed == merchant
            try transaction.update(changed)
            return changed
        }
    }

    /// Lets a merchant take no new payments. What has begun can be captured, refunded and looked up.
    @discardableResult
    public func suspendMerchant(_ id: MerchantID) async throws -> Merchant { try await self.set(.suspended, of: id) }

    /// Lets a suspended merchant take payments again.
    @discardableResult
    public func resumeMerchant(_ id: MerchantID) async throws -> Merchant { try await self.set(.active, of: id) }

    /// Ends a merchant, for ever: its credentials are not known any more. What has begun comes to its end, and its payments
    /// and books stay.
    @discardableResult
    public func closeMerchant(_ id: MerchantID) async throws -> Merchant { try await self.set(.closed, of: id) }

    private func set(_ state: Merchant.State, of id: MerchantID) async throws -> Merchant {
        let details = ["state": state.rawValue]
        return try await self.gateway.administer(AuditDraft(.merchantState, "", details)) { transaction, draft in
            var merchant =
                state == .closed
                ? try Self.merchant(id, in: transaction) : try Self.openMerchant(id, in: transaction)
            draft.setSubject(merchant, nil)
            draft.isNothing = merchant.state == state
            merchant.state = state
            try transaction.update(merchant)
            return merchant
        }
    }

    private static func check(
        displayName: String, countryCode: String, timeZone: String
    ) throws(AdministrationError) {
        if let problem = SettingRules.text(64)(displayName) {
            throw AdministrationError(.displayNameMalformed, "The display name \(problem).")
        }
        if let problem = SettingRules.country(countryCode) {
            throw AdministrationError(.countryUnknown, "The country \(problem).")
        }
        guard ReportZone(timeZone) != nil else {
            throw AdministrationError(
                .timeZoneUnknown,
                "The time zone must be UTC or a place of the IANA time zone database, such as Europe/Berlin.")
        }
    }
}
