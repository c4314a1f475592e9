//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
public import Payments

/// What needs a second person: for the house, and for merchants besides.
extension Administration {
    /// The house's first.
    ///
    /// - Throws: `StoreError`.
    public func approvalPolicies() async throws -> [ApprovalPolicy] {
        try await self.read { try $0.approvalPolicies() }
    }

    /// The house's, or a merchant's; one that asks for nothing where nobody has set any.
    public static func approvalPolicy(of merchant: MerchantID?, in reader: any StoreReader) throws -> ApprovalPolicy {
        try reader.approvalPolicies().first { $0.merchantID == merchant } ?? ApprovalPolicy(merchantID: merchant)
    }

    /// Sets what needs a second person. Once anything does, so does this.
    ///
    /// - Throws: ``AdministrationError`` `refund_limit_invalid`, `merchant_unknown`, `approval_required`; `StoreError`.
    @discardableResult
    public func setApprovalPolicy(_ policy: ApprovalPolicy) async throws -> ApprovalPolicy {
        try policy.refundsAbove?.check()
        return try await self.gateway.administer(AuditDraft(.approvalPolicy, "house")) { transaction, entry in
            if let merchant = policy.merchantID {
                entry.subject = try Self.merchant(merchant, in: transaction).name
            }
            let earlier = try Self.approvalPolicy(of: policy.merchantID, in: transaction)
            entry.isNothing = earlier == policy
            // It is the house's act, whosever the policy is.
            try self.permit(.policy, of: nil, isChange: earlier != policy, in: transaction, &entry)
            entry.details["refundsAbove"] = policy.refundsAbove?.limitsText(orNone: "every refund waits")
            let flags = [
                ("aboveOwnLimit", policy.aboveOwnLimit), ("liveCredentials", policy.liveCredentials),
                ("routes", policy.routes),
            ]
            entry.details["needs"] = flags.filter(\.1).map(\.0).joined(separator: " ")
            if earlier != policy { try transaction.upsert(policy) }
            return policy
        }
    }
}
