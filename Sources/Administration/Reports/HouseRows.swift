//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Money
public import Payments
public import StrictJSON
public import Time

// What the house keeps beside payments, as rows. Who is for all merchants has "*" where others have names.

/// A notification to a merchant as a row.
public struct EventRow: ReportRow {
    public let event: OutboxEvent
    public let merchant: String

    public static let columns = [
        "createdAt", "merchant", "event", "payment", "operation", "dialect", "kind", "state", "attempts", "lastResult",
        "host",
    ]

    public var cells: [JSON] {
        let event = self.event
        return [
            .string(event.createdAt.rfc3339Milliseconds), .string(self.merchant), .string(event.id.text),
            .string(event.paymentID.text), .string(event.operationID.text), .string(event.dialect.text),
            .string(event.kind.rawValue), .string(event.state.rawValue), JSON(event.attemptsCount),
            .string(event.lastResult ?? ""), .string(event.host ?? ""),
        ]
    }
}

/// A person as a row: nothing that he signs in with.
public struct PersonRow: ReportRow {
    public let view: PersonView

    public init(_ view: PersonView) {
        self.view = view
    }

    public static let columns = [
        "createdAt", "person", "userName", "displayName", "email", "role", "merchants", "refundLimits", "state",
        "hasPassword", "hasSecondFactor", "lockedUntil", "lastSignInAt", "issuer", "subject",
    ]

    public var cells: [JSON] {
        let person = self.view.person
        let limits = person.refundLimits?.map { Money(minorUnits: $0.value, currency: $0.key).description }.sorted()
        return [
            .string(person.createdAt.rfc3339Milliseconds), .string(person.id.text), .string(person.userName),
            .string(person.displayName), .string(person.email ?? ""), .string(person.role.rawValue),
            .string(self.view.merchants?.joined(separator: " ") ?? "*"),
            .string(limits?.joined(separator: ", ") ?? "*"), .string(person.state.rawValue),
            .string(person.passwordVerifier == nil ? "false" : "true"),
            .string(self.view.hasSecondFactor ? "true" : "false"), Self.cell(person.lockedUntil),
            Self.cell(person.lastSignInAt), .string(person.externalIdentity?.issuer ?? ""),
            .string(person.externalIdentity?.subject ?? ""),
        ]
    }
}

/// An access token as a row: never its secret.
public struct TokenRow: ReportRow {
    public let token: AccessToken
    /// The names of merchants.
    public let names: [MerchantID: String]

    public init(_ token: AccessToken, _ names: [MerchantID: String]) {
        self.token = token
        self.names = names
    }

    public static let columns = [
        "createdAt", "token", "name", "scopes", "merchants", "sandboxOnly", "madeBy", "endsAt", "revokedAt",
        "lastUsedAt",
    ]

    public var cells: [JSON] {
        let token = self.token
        let merchants = token.access.merchants?.map { self.names[$0] ?? $0.text }.sorted()
        return [
            .string(token.createdAt.rfc3339Milliseconds), .string(token.id.text), .string(token.name),
            .string(token.access.scopes.sorted().map(\.rawValue).joined(separator: " ")),
            .string(merchants?.joined(separator: " ") ?? "*"),
            .string(token.access.changesSandboxOnly ? "true" : "false"), .string(token.madeBy),
            .string(token.endsAt.rfc3339Milliseconds), Self.cell(token.revokedAt), Self.cell(token.lastUsedAt),
        ]
    }
}

/// A merchant as a row.
public struct MerchantRow: ReportRow {
    public let merchant: Merchant

    public init(_ merchant: Merchant) {
        self.merchant = merchant
    }

    public static let columns = [
        "createdAt", "merchant", "name", "displayName", "mode", "countryCode", "timeZone", "state",
    ]

    public var cells: [JSON] {
        let merchant = self.merchant
        return [
            .string(merchant.createdAt.rfc3339Milliseconds), .string(merchant.id.text), .string(merchant.name),
            .string(merchant.displayName), .string(merchant.mode.rawValue), .string(merchant.countryCode),
            .string(merchant.timeZone), .string(merchant.state.rawValue),
        ]
    }
}

/// What was asked of a second person, as a row.
public struct ApprovalRow: ReportRow {
    private let view: JSONObject

    public init(_ approval: Approval, _ names: [MerchantID: String], at now: Timestamp) {
        var view = approval.view(names, at: now)
        view["approval"] = view["id"]
        view["outcome"] = approval.outcome.map { .string($0.code) }
        self.view = view
    }

    public static let columns = [
        "askedAt", "approval", "state", "kind", "operation", "merchant", "payment", "amount", "currency", "summary",
        "reason", "askedBy", "endsAt", "decidedBy", "decidedAt", "decisionReason", "outcome",
    ]

    public var cells: [JSON] { Self.columns.map { .string(self.view[$0]?.string ?? "") } }
}

/// An alarm as a row.
public struct AlarmRow: ReportRow {
    public let alarm: Alarm

    public init(_ alarm: Alarm) {
        self.alarm = alarm
    }

    public static let columns = [
        "begunAt", "endedAt", "alarm", "kind", "subject", "merchant", "severity", "code", "days", "text", "advice",
    ]

    public var cells: [JSON] {
        let alarm = self.alarm
        return [
            .string(alarm.begunAt.rfc3339Milliseconds), Self.cell(alarm.endedAt), .string(alarm.id.text),
            .string(alarm.kind.rawValue), .string(alarm.subject), .string(alarm.merchant ?? ""),
            .string(alarm.severity.rawValue), .string(alarm.code), .string(alarm.step.map { "\($0)" } ?? ""),
            .string(alarm.text), .string(alarm.advice),
        ]
    }
}

extension ReportRow {
    fileprivate static func cell(_ moment: Timestamp?) -> JSON { .string(moment?.rfc3339Milliseconds ?? "") }
}

extension Administration {
    /// A page of notifications to merchants as rows, newest first.
    ///
    /// - Parameter query: how many at once is decided here.
    /// - Throws: `StoreError`.
    public func eventRows(_ query: OutboxQuery) async throws -> RowPage<EventRow, OutboxQuery> {
        var query = query
        query.limit = Self.reportPageCount
        let asked = query
        let rows = try await self.search { reader in
            let names = try Self.merchantNames(in: reader)
            return try reader.events(asked).map {
                EventRow(event: $0, merchant: names[$0.merchantID] ?? $0.merchantID.text)
            }
        }
        query.after = rows.last?.event.id
        return RowPage(rows: rows, next: rows.count == Self.reportPageCount ? query : nil)
    }

    /// A page of what was asked of second persons as rows, newest first.
    public func approvalRows(_ query: ApprovalQuery) async throws -> RowPage<ApprovalRow, ApprovalQuery> {
        var query = query
        query.limit = Self.reportPageCount
        let (asked, now) = (query, self.now())
        let (rows, last) = try await self.read { reader in
            let names = try Self.merchantNames(in: reader)
            let approvals = try reader.approvals(asked)
            return (approvals.map { ApprovalRow($0, names, at: now) }, approvals.last)
        }
        query.before = last?.id
        return RowPage(rows: rows, next: rows.count == Self.reportPageCount ? query : nil)
    }

    /// A page of alarms as rows, newest first; from the newest on for `nil`.
    public func alarmRows(before id: AlarmID?) async throws -> RowPage<AlarmRow, AlarmID> {
        let alarms = try await self.read { try $0.alarms(before: id, limit: Self.reportPageCount) }
        return RowPage(
            rows: alarms.map { AlarmRow($0) }, next: alarms.count == Self.reportPageCount ? alarms.last?.id : nil)
    }

    static func merchantsByID(in reader: any StoreReader) throws -> [MerchantID: Merchant] {
        Dictionary(try reader.merchants().map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
    }

    /// What the merchants are called, for rows that name them.
    public static func merchantNames(in reader: any StoreReader) throws -> [MerchantID: String] {
        try self.merchantsByID(in: reader).mapValues(\.name)
    }
}
