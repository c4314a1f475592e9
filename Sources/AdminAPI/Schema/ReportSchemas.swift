//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Payments

/// Rows, whose members are their columns, and what watches over the house.
extension AdminSchemas {
    private static let count = Schema.integer(0...Int64.max)

    static let reports: [String: Schema] = [
        "Transaction": Self.row(TransactionLine.self, numbers: ["minorUnits"]),
        "Fee": Self.row(FeeRow.self, numbers: ["minorUnits"]), "Balance": Self.row(BalanceRow.self),
        "ClosedDay": Self.closedDay, "DayReport": Self.dayReport, "DaySettled": Self.daySettled,
        "VerdictCounts": Self.verdictCounts,
        "RefusedCall": Self.refusedCall, "Alarm": Self.alarm,
    ]

    /// - Parameter numbers: the columns that are no texts.
    private static func row<Row: ReportRow>(_ type: Row.Type, numbers: Set<String> = []) -> Schema {
        .object(
            Schema.Object(
                Row.columns.map { column in
                    .init(column, numbers.contains(column) ? .integer(Int64.min...Int64.max) : anyText)
                }))
    }

    private static let closedDay = Schema.object(
        .init("day", AdminEndpoints.day), .init("state", .choice(["closed"])), .init("movements", count),
        .init("digest", anyText), .init("closedAt", .moment()), .init("closedBy", anyText), .init("timeZone", anyText),
        .init("from", .moment()), .init("to", .moment()))

    private static let dayReport = Schema.object(
        .init("merchant", anyText), .init("day", AdminEndpoints.day), .init("timeZone", anyText),
        .init("from", .moment()), .init("to", .moment()), .init("movements", count), .init("digest", anyText),
        .init(
            "totals",
            .list(
                .object(
                    .init("accountId", anyText), .init("account", anyText), .init("currency", .currency),
                    .init("captures", count), .init("captured", anyText), .init("refunds", count),
                    .init("refunded", anyText), .init("chargebacks", count), .init("chargedBack", anyText),
                    .init("corrections", count), .init("corrected", anyText), .init("fees", anyText),
                    .init("net", anyText)), max: 10_000, "By account and currency.")))

    private static let daySettled = Schema.object(
        .init("accountId", anyText), .init("account", anyText), .init("currency", .currency),
        .init("lines", count), .init("paid", .line(32, "What the day's lines come to, before fees.")),
        .init("openDifferences", count),
        .init("open", .line(32, "What the acquirer says more than the ledger, and nobody has explained.")),
        .init("explained", .line(32, "The same of what somebody has explained.")))

    private static let verdictCounts = Schema.object(
        Schema.Object(
            SettlementItem.Verdict.allCases.map { .init($0.rawValue, count) }, "How many items there are of each."))

    private static let refusedCall = Schema.object(
        .init("id", anyText), .init("at", .moment()), .optional("merchant", anyText), .init("dialect", anyText),
        .init("operation", anyText), .init("stage", .choice(RefusedCall.Stage.allCases.map(\.rawValue))),
        .init("code", anyText), .init("wireCode", anyText), .init("text", anyText), .init("requestId", anyText),
        .optional("publicKeyHash", anyText), .optional("merchantIdentifier", anyText),
        .optional(
            "amount",
            .object(
                .init("amount", anyText), .init("minorUnits", .integer(0...Int64.max)), .init("currency", .currency))))

    private static let alarm = Schema.object(
        .init("id", anyText), .init("kind", .choice(Alarm.Kind.allCases.map(\.rawValue))), .init("subject", anyText),
        .optional("merchant", anyText), .init("severity", .choice(Alarm.Severity.allCases.map(\.rawValue))),
        .init("code", anyText), .optional("days", .integer(Int64.min...Int64.max, "The threshold that was crossed.")),
        .init("text", anyText), .optional("advice", anyText), .init("begunAt", .moment()),
        .optional("endedAt", .moment()))
}
