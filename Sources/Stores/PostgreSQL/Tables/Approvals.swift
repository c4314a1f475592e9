//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

extension PostgreSQLReading {
    /// Of two who decide at once, the second sees what the first has decided.
    func approval(_ id: ApprovalID) throws -> Approval? {
        try self.transaction.lockName("approval", [id.text])
        return try self.transaction.record(sql.byID, id.text)
    }

    func approval(askedUnder key: String) throws -> Approval? {
        try self.transaction.lockName("approval key", [key])
        return try self.transaction.record(sql.byKey, key)
    }

    func approvals(_ query: ApprovalQuery) throws -> [Approval] {
        try self.transaction.all(query.page(parameters), table: "approvals") { try Approval(&$0) }
    }

    func approvalContent(_ part: ApprovalContent.Part, of approval: ApprovalID) throws -> ApprovalContent? {
        try self.transaction.record(sql.contentQuery, approval.text, part.rawValue)
    }

    /// An act that needs nobody, and a change that has it need somebody, come one after the other.
    func approvalPolicies() throws -> [ApprovalPolicy] {
        try self.transaction.lockName("approval policies", [])
        return try self.transaction.records(ApprovalPolicy.all)
    }

    func domains(of merchant: MerchantID?) throws -> [MerchantDomain] {
        guard let merchant else { return try self.transaction.records(MerchantDomain.all) }
        return try self.transaction.records(sql.domainsOfMerchant, merchant.text)
    }

    /// Of two merchants who register one domain, the second sees the first one's file.
    func domains(named name: String) throws -> [MerchantDomain] {
        try self.transaction.lockName("domain", [name])
        return try self.transaction.records(sql.domainsByName, name)
    }
}

extension PostgreSQLTransaction {
    func insert(_ approval: Approval) throws {
        try self.transaction.write { try self.transaction.execute(sql.insert, approval.columnValues) }
    }

    func update(_ approval: Approval) throws {
        try self.transaction.write {
            try self.transaction.require(
                approvalUpdate, approval.values(of: Approval.change.columns), orElse: .corrupt("approvals.id"))
        }
    }

    func upsert(_ content: ApprovalContent) throws {
        try self.transaction.write { try self.transaction.execute(sql.contentUpsert, content.columnValues) }
    }

    func deleteApprovalContent(_ part: ApprovalContent.Part, of approval: ApprovalID) throws {
        try self.transaction.write {
            try self.transaction.execute(sql.contentDelete, approval.text, part.rawValue)
        }
    }

    func upsert(_ policy: ApprovalPolicy) throws {
        try self.transaction.write { try self.transaction.execute(sql.policyUpsert, policy.columnValues) }
    }

    func upsert(_ domain: MerchantDomain) throws {
        try self.transaction.write { try self.transaction.execute(sql.domainUpsert, domain.columnValues) }
    }

    func deleteDomain(named name: String, of merchant: MerchantID) throws {
        try self.transaction.write { try self.transaction.execute(sql.domainDelete, merchant.text, name) }
    }
}

private let sql = ApprovalStatements(parameters)
private let approvalUpdate = RequiredChange(sql.update)
