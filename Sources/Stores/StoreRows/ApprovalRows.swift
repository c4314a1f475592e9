//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
public import Payments
import Time

extension Approval: StoredRecord {
    public enum Column: String, ColumnName {
        case id, kind, operation
        case merchantID = "merchant_id"
        case paymentID = "payment_id"
        case minorUnits = "minor_units"
        case currency, summary, reason
        case askedBy = "asked_by"
        case askedIdentities = "asked_identities"
        case askKey = "ask_key"
        case askedAt = "asked_at"
        case endsAt = "ends_at"
        case state
        case decidedBy = "decided_by"
        case decidedIdentities = "decided_identities"
        case decidedAt = "decided_at"
        case decisionReason = "decision_reason"
        case outcome
        case outcomeDetail = "outcome_detail"
        case operationID = "operation_id"
    }

    public static let table = RecordTable<Column>("approvals", key: .id)

    public static let change = Self.table.change(of: Self.table.columns(from: .state), by: [.id])

    /// The newest under a key.
    public static func selectByKey(_ parameters: Parameters) -> String {
        self.table.select(by: .askKey, with: parameters) + " ORDER BY id DESC LIMIT 1"
    }

    public static let indexes = """
        CREATE INDEX approvals_by_key ON approvals (ask_key, id);
        CREATE INDEX approvals_by_state ON approvals (state, id);
        """

    public func value(of column: Column) -> RowValue {
        switch column {
        case .id: self.id.text
        case .kind: self.kind.rawValue
        case .operation: self.operation
        case .merchantID: self.merchantID?.text
        case .paymentID: self.paymentID?.text
        case .minorUnits: self.amount?.minorUnits
        case .currency: self.amount?.currency.code
        case .summary: self.summary
        case .reason: self.reason
        case .askedBy: self.askedBy.actor
        case .askedIdentities: LinesColumn.text(self.askedBy.identities)
        case .askKey: self.askKey
        case .askedAt: self.askedAt.milliseconds
        case .endsAt: self.endsAt.milliseconds
        case .state: self.state.rawValue
        case .decidedBy: self.decidedBy?.actor
        case .decidedIdentities: self.decidedBy.map { LinesColumn.text($0.identities) }
        case .decidedAt: self.decidedAt?.milliseconds
        case .decisionReason: self.decisionReason
        case .outcome: self.outcome?.code
        case .outcomeDetail: self.outcome?.detail
        case .operationID: self.outcome?.operationID?.text
        }
    }

    public init(_ columns: inout some RowColumns) throws {
        self.init(
            id: try columns.id(), kind: try columns.choice(), operation: try columns.name(),
            merchantID: try columns.optionalID(), paymentID: try columns.optionalID(),
            amount: try columns.optionalMoney(), summary: try columns.text(), reason: try columns.optionalText(),
            askedBy: try columns.party(), askKey: try columns.name(), askedAt: try columns.timestamp(),
            endsAt: try columns.timestamp(), state: try columns.choice(), decidedBy: try columns.optionalParty(),
            decidedAt: try columns.optionalTimestamp(), decisionReason: try columns.optionalText(),
            outcome: try Outcome(&columns))
    }
}

extension Approval.Outcome {
    /// Three columns, of which the first says whether there is any.
    fileprivate init?(_ columns: inout some RowColumns) throws {
        let code = try columns.optionalName()
        let detail = try columns.optionalText()
        let operation: OperationID? = try columns.optionalID()
        guard let code else {
            guard detail == nil, operation == nil else { throw columns.corrupt }
            return nil
        }
        self.init(code: code, detail: detail, operationID: operation)
    }
}

/// Several texts in one column, sorted, each on a line of its own.
enum LinesColumn {
    static func text(_ texts: Set<String>) -> String { texts.sorted().joined(separator: "\n") }

    static func texts(_ text: String) -> Set<String> { Set(text.split(separator: "\n").map { String($0) }) }
}

extension RowColumns {
    fileprivate mutating func party() throws -> Approval.Party {
        guard let party = try self.optionalParty() else { throw self.corrupt }
        return party
    }

    /// Two columns, of which both are there or none.
    fileprivate mutating func optionalParty() throws -> Approval.Party? {
        let actor = try self.optionalText()
        let identities = try self.optionalText()
        switch (actor, identities) {
        case (let actor?, let identities?):
            return Approval.Party(identities: LinesColumn.texts(identities), actor: actor)
        case (nil, nil): return nil
        default: throw self.corrupt
        }
    }
}

extension ApprovalQuery {
    public func page(_ parameters: Parameters) -> RowStatement {
        let filter = RowFilter(self)
        return RowStatement(
            """
            SELECT \(Approval.table.names) FROM approvals\(filter.condition { parameters($0) }) \
            ORDER BY id DESC\(parameters.limit(filter.arguments.count + 1))
            """, filter.arguments + [max(0, self.limit)])
    }
}

extension ApprovalContent: StoredRecord {
    public enum Column: String, ColumnName {
        case approvalID = "approval_id"
        case part
        case keyID = "key_id"
        case box
    }

    public static let table = RecordTable<Column>("approval_contents", key: .approvalID, .part)

    public func value(of column: Column) -> RowValue {
        switch column {
        case .approvalID: self.approvalID.text
        case .part: self.part.rawValue
        case .keyID: self.content.keyID
        case .box: self.content.box
        }
    }

    public init(_ columns: inout some RowColumns) throws {
        self.init(approvalID: try columns.id(), part: try columns.choice(), content: try columns.sealed())
    }
}

extension ApprovalPolicy: StoredRecord {
    public enum Column: String, ColumnName {
        case scope
        case refundsAbove = "refunds_above"
        case aboveOwnLimit = "above_own_limit"
        case liveCredentials = "live_credentials"
        case routes
    }

    public static let table = RecordTable<Column>("approval_policies", key: .scope)

    /// What stands in the place of a merchant's id, and comes before all of them.
    private static let house = "house"

    public static let all = "SELECT \(Self.table.names) FROM approval_policies ORDER BY scope"

    public func value(of column: Column) -> RowValue {
        switch column {
        case .scope: self.merchantID?.text ?? Self.house
        case .refundsAbove: self.refundsAbove.map(LimitsColumn.text)
        case .aboveOwnLimit: self.aboveOwnLimit
        case .liveCredentials: self.liveCredentials
        case .routes: self.routes
        }
    }

    public init(_ columns: inout some RowColumns) throws {
        let scope = try columns.name()
        let merchant = MerchantID(scope)
        guard merchant != nil || scope == Self.house else { throw columns.corrupt }
        self.init(
            merchantID: merchant, refundsAbove: try columns.optionalLimits(), aboveOwnLimit: try columns.flag(),
            liveCredentials: try columns.flag(), routes: try columns.flag())
    }
}

extension MerchantDomain: StoredRecord {
    public enum Column: String, ColumnName {
        case merchantID = "merchant_id"
        case name, file
        case registeredAt = "registered_at"
        case checkedAt = "checked_at"
        case isGood = "is_good"
        case code, text, advice
    }

    public static let table = RecordTable<Column>("domains", key: .merchantID, .name)

    public static let all = "SELECT \(Self.table.names) FROM domains ORDER BY name, merchant_id"

    public static func selectOfMerchant(_ parameters: Parameters) -> String {
        self.table.select(by: .merchantID, with: parameters) + " ORDER BY name"
    }

    public static func selectByName(_ parameters: Parameters) -> String {
        self.table.select(by: .name, with: parameters) + " ORDER BY merchant_id"
    }

    public static let indexes = "CREATE INDEX domains_by_name ON domains (name);"

    public func value(of column: Column) -> RowValue {
        switch column {
        case .merchantID: self.merchantID.text
        case .name: self.name
        case .file: self.file
        case .registeredAt: self.registeredAt.milliseconds
        case .checkedAt: self.check?.at.milliseconds
        case .isGood: self.check?.isGood == true
        case .code: self.check?.code
        case .text: self.check?.text
        case .advice: self.check?.advice
        }
    }

    public init(_ columns: inout some RowColumns) throws {
        self.init(
            merchantID: try columns.id(), name: try columns.name(), file: try columns.text(),
            registeredAt: try columns.timestamp(), check: try Check(&columns))
    }
}

extension MerchantDomain.Check {
    /// Five columns, of which the first says whether there is any.
    fileprivate init?(_ columns: inout some RowColumns) throws {
        let at = try columns.optionalTimestamp()
        let isGood = try columns.flag()
        let code = try columns.optionalName()
        let text = try columns.optionalText()
        let advice = try columns.optionalText()
        guard (at == nil) == (code == nil), (at == nil) == (text == nil) else { throw columns.corrupt }
        guard let at, let code, let text else { return nil }
        self.init(at: at, isGood: isGood, code: code, text: text, advice: advice)
    }
}

/// What both stores ask of these tables, and write there.
public struct ApprovalStatements: Sendable {
    public let byID: String
    public let byKey: String
    public let insert: String
    public let update: String
    public let contentQuery: String
    public let contentUpsert: String
    public let contentDelete: String
    public let policyUpsert: String
    public let domainsOfMerchant: String
    public let domainsByName: String
    public let domainUpsert: String
    public let domainDelete: String

    public init(_ parameters: Parameters) {
        self.byID = Approval.table.select(by: .id, with: parameters)
        self.byKey = Approval.selectByKey(parameters)
        self.insert = Approval.table.insert(parameters)
        self.update = Approval.change.statement(parameters)
        self.contentQuery = ApprovalContent.table.select(by: .approvalID, .part, with: parameters)
        self.contentUpsert = ApprovalContent.table.upsert(parameters)
        self.contentDelete = ApprovalContent.table.delete(parameters)
        self.policyUpsert = ApprovalPolicy.table.upsert(parameters)
        self.domainsOfMerchant = MerchantDomain.selectOfMerchant(parameters)
        self.domainsByName = MerchantDomain.selectByName(parameters)
        self.domainUpsert = MerchantDomain.table.upsert(parameters)
        self.domainDelete = MerchantDomain.table.delete(parameters)
    }
}
