//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
public import Payments
import Redaction
import Time

extension Person: StoredRecord {
    public enum Column: String, ColumnName {
        case id
        case userName = "user_name"
        case displayName = "display_name"
        case email, role, merchants
        case refundLimits = "refund_limits"
        case state
        case passwordVerifier = "password_verifier"
        case isPasswordInitial = "is_password_initial"
        case failuresCount = "failures_count"
        case lockedUntil = "locked_until"
        case invitationDigest = "invitation_digest"
        case invitationEndsAt = "invitation_ends_at"
        case issuer, subject
        case createdAt = "created_at"
        case lastSignInAt = "last_sign_in_at"
        case version
    }

    public static let table = RecordTable<Column>("people", key: .id)

    /// Oldest first.
    public static let all = "SELECT \(Self.table.names) FROM people ORDER BY created_at, id"

    public static let change = Self.table.change(
        of: Self.table.columns(without: .id, .userName, .createdAt), by: [.id])

    /// The change from a version: takes the values of the change's columns, and the version at the end.
    public static func update(_ parameters: Parameters) -> String {
        "\(self.change.statement(parameters)) AND version = \(parameters(self.change.columns.count + 1))"
    }

    public func value(of column: Column) -> RowValue {
        switch column {
        case .id: self.id.text
        case .userName: self.userName
        case .displayName: self.displayName
        case .email: self.email
        case .role: self.role.rawValue
        case .merchants: self.merchants.map(WordsColumn.text)
        case .refundLimits: self.refundLimits.map(LimitsColumn.text)
        case .state: self.state.rawValue
        case .passwordVerifier: self.passwordVerifier?.reveal()
        case .isPasswordInitial: self.isPasswordInitial
        case .failuresCount: self.failuresCount
        case .lockedUntil: self.lockedUntil?.milliseconds
        case .invitationDigest: self.invitation?.digest
        case .invitationEndsAt: self.invitation?.endsAt.milliseconds
        case .issuer: self.externalIdentity?.issuer
        case .subject: self.externalIdentity?.subject
        case .createdAt: self.createdAt.milliseconds
        case .lastSignInAt: self.lastSignInAt?.milliseconds
        case .version: self.version
        }
    }

    public init(_ columns: inout some RowColumns) throws {
        self.init(
            id: try columns.id(), userName: try columns.name(), displayName: try columns.text(),
            email: try columns.optionalText(), role: try columns.choice(), merchants: try columns.optionalIDs(),
            refundLimits: try columns.optionalLimits(), state: try columns.choice(),
            passwordVerifier: try columns.optionalName().map { Redacted($0) },
            isPasswordInitial: try columns.flag(), failuresCount: try columns.count(),
            lockedUntil: try columns.optionalTimestamp(), invitation: try Invitation(&columns),
            externalIdentity: try ExternalIdentity(&columns), createdAt: try columns.timestamp(),
            lastSignInAt: try columns.optionalTimestamp(), version: try columns.count())
    }
}

extension Invitation {
    /// Two columns, of which both are there or none.
    fileprivate init?(_ columns: inout some RowColumns) throws {
        let digest = try columns.optionalName()
        let endsAt = try columns.optionalTimestamp()
        guard (digest == nil) == (endsAt == nil) else { throw columns.corrupt }
        guard let digest, let endsAt else { return nil }
        self.init(digest: digest, endsAt: endsAt)
    }
}

extension ExternalIdentity {
    /// Two columns, of which both are there or none.
    fileprivate init?(_ columns: inout some RowColumns) throws {
        let issuer = try columns.optionalName()
        let subject = try columns.optionalName()
        guard (issuer == nil) == (subject == nil) else { throw columns.corrupt }
        guard let issuer, let subject else { return nil }
        self.init(issuer: issuer, subject: subject)
    }
}

extension SecondFactor: StoredRecord {
    public enum Column: String, ColumnName {
        case personID = "person_id"
        case keyID = "key_id"
        case box
        case confirmedAt = "confirmed_at"
        case lastStep = "last_step"
        case recoveryDigests = "recovery_digests"
        case createdAt = "created_at"
    }

    public static let table = RecordTable<Column>("second_factors", key: .personID)

    public func value(of column: Column) -> RowValue {
        switch column {
        case .personID: self.personID.text
        case .keyID: self.content.keyID
        case .box: self.content.box
        case .confirmedAt: self.confirmedAt?.milliseconds
        case .lastStep: self.lastStep
        case .recoveryDigests: Array(self.recoveryDigests.joined())
        case .createdAt: self.createdAt.milliseconds
        }
    }

    public init(_ columns: inout some RowColumns) throws {
        self.init(
            personID: try columns.id(), content: try columns.sealed(), confirmedAt: try columns.optionalTimestamp(),
            lastStep: try columns.integer(), recoveryDigests: try columns.digests(), createdAt: try columns.timestamp())
    }
}

extension PersonSession: StoredRecord {
    public enum Column: String, ColumnName {
        case id, digest
        case personID = "person_id"
        case stage
        case createdAt = "created_at"
        case lastSeenAt = "last_seen_at"
        case endsAt = "ends_at"
        case address
        case userAgent = "user_agent"
    }

    public static let table = RecordTable<Column>("person_sessions", key: .id)

    public static let change = Self.table.change(of: [.lastSeenAt], by: [.id])

    /// A person's, oldest first.
    public static func select(_ parameters: Parameters) -> String {
        self.table.select(by: .personID, with: parameters) + " ORDER BY created_at, id"
    }

    /// All of a person's.
    public static func deleteOfPerson(_ parameters: Parameters) -> String {
        "DELETE FROM person_sessions WHERE person_id = \(parameters(1))"
    }

    public func value(of column: Column) -> RowValue {
        switch column {
        case .id: self.id.text
        case .digest: self.digest
        case .personID: self.personID.text
        case .stage: self.stage.rawValue
        case .createdAt: self.createdAt.milliseconds
        case .lastSeenAt: self.lastSeenAt.milliseconds
        case .endsAt: self.endsAt.milliseconds
        case .address: self.address
        case .userAgent: self.userAgent
        }
    }

    public init(_ columns: inout some RowColumns) throws {
        self.init(
            id: try columns.id(), digest: try columns.bytes(), personID: try columns.id(), stage: try columns.choice(),
            createdAt: try columns.timestamp(), lastSeenAt: try columns.timestamp(), endsAt: try columns.timestamp(),
            address: try columns.optionalText(), userAgent: try columns.optionalText())
    }
}

extension AccessToken: StoredRecord {
    public enum Column: String, ColumnName {
        case id, name, digest, scopes, merchants
        case changesSandboxOnly = "changes_sandbox_only"
        case madeBy = "made_by"
        case createdAt = "created_at"
        case endsAt = "ends_at"
        case revokedAt = "revoked_at"
        case lastUsedAt = "last_used_at"
    }

    public static let table = RecordTable<Column>("access_tokens", key: .id)

    /// Oldest first.
    public static let all = "SELECT \(Self.table.names) FROM access_tokens ORDER BY created_at, id"

    public static let change = Self.table.change(of: [.revokedAt, .lastUsedAt], by: [.id])

    public func value(of column: Column) -> RowValue {
        switch column {
        case .id: self.id.text
        case .name: self.name
        case .digest: self.digest
        case .scopes: WordsColumn.text(self.access.scopes)
        case .merchants: self.access.merchants.map(WordsColumn.text)
        case .changesSandboxOnly: self.access.changesSandboxOnly
        case .madeBy: self.madeBy
        case .createdAt: self.createdAt.milliseconds
        case .endsAt: self.endsAt.milliseconds
        case .revokedAt: self.revokedAt?.milliseconds
        case .lastUsedAt: self.lastUsedAt?.milliseconds
        }
    }

    public init(_ columns: inout some RowColumns) throws {
        self.init(
            id: try columns.id(), name: try columns.text(), digest: try columns.bytes(),
            access: Access(
                scopes: try columns.scopes(), merchants: try columns.optionalIDs(),
                changesSandboxOnly: try columns.flag()),
            madeBy: try columns.text(), createdAt: try columns.timestamp(), endsAt: try columns.timestamp(),
            revokedAt: try columns.optionalTimestamp(), lastUsedAt: try columns.optionalTimestamp())
    }
}
