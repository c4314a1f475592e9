//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

extension SQLiteReading {
    func approval(_ id: ApprovalID) throws -> Approval? { try self.connection.record(sql.byID, id.text) }

    func approval(askedUnder key: String) throws -> Approval? { try self.connection.record(sql.byKey, key) }

    func approvals(_ query: ApprovalQuery) throws -> [Approval] {
        try self.connection.all(query.page(parameters), table: "approvals") { try Approval(&$0) }
    }

    func approvalContent(_ part: ApprovalContent.Part, of approval: ApprovalID) throws -> ApprovalContent? {
        try self.connection.record(sql.contentQuery, approval.text, part.rawValue)
    }

    func approvalPolicies() throws -> [ApprovalPolicy] { try self.connection.records(ApprovalPolicy.all) }

    func domains(of merchant: MerchantID?) throws -> [MerchantDomain] {
        guard let merchant else { return try self.connection.records(MerchantDomain.all) }
        return try self.connection.records(sql.domainsOfMerchant, merchant.text)
    }

    func domains(named name: String) throws -> [MerchantDomain] {
        try self.connection.records(sql.domainsByName, name)
    }
}

extension SQLiteTransaction {
    func insert(_ approval: Approval) throws { try self.connection.execute(sql.insert, approval.columnValues) }

    func update(_ approval: Approval) throws {
        let changesCount = try self.connection.execute(sql.update, approval.values(of: Approval.change.columns))
        guard changesCount == 1 else { throw StoreError.corrupt("approvals.id") }
    }

    func upsert(_ content: ApprovalContent) throws {
        try self.connection.execute(sql.contentUpsert, content.columnValues)
    }

    func deleteApprovalContent(_ part: ApprovalContent.Part, of approval: ApprovalID) throws {
        try self.connection.execute(sql.contentDelete, approval.text, part.rawValue)
    }

    func upsert(_ policy: ApprovalPolicy) throws {
        try self.connection.execute(sql.policyUpsert, policy.columnValues)
    }

    func upsert(_ domain: MerchantDomain) throws {
        try self.connection.execute(sql.domainUpsert, domain.columnValues)
    }

    func deleteDomain(named name: String, of merchant: MerchantID) throws {
        try self.connection.execute(sql.domainDelete, merchant.text, name)
    }
}

private let sql = ApprovalStatements(parameters)
