//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import HTTPTypes
import Payments
import StrictJSON
import Time

extension AdminEndpoints {
    private static let format = Endpoint.Parameter(
        "format", .choice(ReportFormat.allCases.map(\.rawValue)),
        "Lines of CSV (RFC 4180), or a JSON object a line; CSV if left out.")
    private static let merchant = Endpoint.Parameter("merchant", .name(""), "Only this merchant's.")
    private static let from = Endpoint.Parameter("from", .moment(), "At or after (RFC 3339).")
    private static let to = Endpoint.Parameter("to", .moment(), "Before (RFC 3339).")

    /// Lists as files, of any length: they are read while they are sent.
    static let exports: [Endpoint] = Self.moneyExports + Self.houseExports

    private static let moneyExports: [Endpoint] = [
        Self.export("payments", "Payments.", .paymentsRead, Self.paymentFilters) { call in
            let administration = call.administration
            return try await call.rows(PaymentRow.self, of: "payments", from: try await call.paymentQuery()) { place in
                let page = try await administration.paymentRows(place)
                return (page.rows, page.next)
            }
        },
        Self.export(
            "transactions", "Operations whose end is known, in the order in which they ended.", .reportsRead,
            [
                Self.merchant, Self.from, Self.to,
                .init("failed", .choice(["true", "false"]), AdminEndpoints.failedMeaning),
            ]
        ) { call in
            var query = MovementQuery(
                merchantID: try await call.merchantFilter(), includesFailed: call.query["failed"] == "true",
                from: try call.moment("from"), to: try call.moment("to"))
            query.limit = Administration.reportPageCount
            let administration = call.administration
            return try await call.rows(TransactionLine.self, of: "transactions", from: query) { place in
                var pages = administration.transactions(place).makeAsyncIterator()
                let rows = try await pages.next() ?? []
                var next = place
                next.after = rows.last?.movement.cursor
                return (rows, rows.count == place.limit ? next : nil)
            }
        },
        Self.export(
            "refusals", "Refused calls, newest first.", .paymentsRead,
            [Self.merchant] + Self.refusalFilters + [Self.from, Self.to]
        ) { call in
            let administration = call.administration
            return try await call.rows(RefusalRow.self, of: "refusals", from: try await call.refusalQuery()) { place in
                let page = try await administration.refusalRows(place)
                return (page.rows, page.next)
            }
        },
        Self.export("audit", "The audit log, oldest first, with its digests.", .auditRead, Self.auditFilters) { call in
            try call.checkSeesAll()
            var query = try call.auditQuery()
            query.newestFirst = false
            query.limit = Administration.reportPageCount
            let administration = call.administration
            return try await call.rows(AuditRow.self, of: "audit", from: query) { place in
                let page = try await administration.auditEntries(place)
                var next = place
                next.after = page.next
                return (page.entries.map(AuditRow.init), page.next == nil ? nil : next)
            }
        },
        Self.export(
            "fees", "Fees of a merchant, those that were reported first.", .reportsRead,
            [
                Self.merchant, Self.from, Self.to,
            ]
        ) { call in
            let merchant = try await call.namedMerchant()
            let administration = call.administration
            let (from, to) = (try call.moment("from"), try call.moment("to"))
            return try await call.rows(FeeRow.self, of: "fees", from: FeePlace.first) { place in
                let page = try await administration.feePage(of: merchant.id, from: from, to: to, place)
                return (page.rows, page.next)
            }
        },
        Self.export("balances", "What the ledger's accounts hold.", .reportsRead, [Self.merchant]) { call in
            let administration = call.administration
            // Before the file begins: that there are none is answered by its code, and a file could only break off.
            let rows = try await administration.recentBalances(of: try await call.merchantFilter()).rows
            return try await call.rows(BalanceRow.self, of: "balances", from: ()) { _ in (rows, nil) }
        },
        Self.export("days", "A merchant's closed days by account and currency.", .reportsRead, [Self.merchant]) {
            call in
            let merchant = try await call.namedMerchant()
            let administration = call.administration
            return try await call.rows(DayRow.self, of: "days", from: "") { place in
                try await administration.dayRows(of: merchant.id, after: place)
            }
        },
        Self.export(
            "settlement", "A settlement file's items.", .reportsRead,
            [.init("file", .id("set_"), "Which file.")]
        ) { call in
            let (file, merchant) = try await call.settlementFile(call.query["file"])
            let administration = call.administration
            let query = SettlementQuery(fileID: file.id, limit: Administration.reportPageCount)
            return try await call.rows(SettlementRow.self, of: "settlement", whose: merchant, from: query) { place in
                let items = try await administration.settlementItems(place)
                var next = place
                next.after = items.last?.id
                return (items.map(SettlementRow.init), items.count == place.limit ? next : nil)
            }
        },
    ]

    static func export(
        _ name: String, _ summary: String, _ scope: Scope, _ filters: [Endpoint.Parameter],
        _ handle: @escaping @Sendable (Call) async throws -> StreamAnswer
    ) -> Endpoint {
        Endpoint(
            method: .get, path: "/exports/\(name)", name: "export\(name.prefix(1).uppercased())\(name.dropFirst())",
            summary: "As a file: \(summary.prefix(1).lowercased())\(summary.dropFirst())", group: "Exports",
            scope: scope, query: [Self.format] + filters, answer: AdminSchemas.streamText
        ) { call in
            Answer(try await handle(call))
        }.streaming("text/csv", "application/x-ndjson")
    }
}

extension Call {
    /// The merchant of the parameter, or the only one that the caller sees.
    ///
    /// - Throws: ``Problem`` where neither says one.
    func namedMerchant() async throws -> Merchant {
        guard let id = try await self.merchantFilter(),
            let merchant = try await self.administration.read({ try $0.merchant(id) })
        else { throw Problem.unfit("merchant is required.") }
        return merchant
    }

    /// Rows as a file whose name says what it is, whose, and whether its money is real. It breaks off when whoever called may not
    /// see it any more.
    ///
    /// - Parameter merchant: Whose they are, where the call names something else than the merchant.
    func rows<Row: ReportRow, Place: Sendable>(
        _ type: Row.Type, of name: String, whose merchant: Merchant? = nil, from place: Place,
        _ page: @escaping @Sendable (Place) async throws -> (rows: [Row], next: Place?)
    ) async throws -> StreamAnswer {
        let format = self.query["format"].flatMap(ReportFormat.init(rawValue:)) ?? .csv
        let stream = RowStream(header: Row.header(format), from: place, mayGoOn: self.checkGoesOn) { place in
            let (rows, next) = try await page(place)
            return (rows.text(format), next)
        }
        return StreamAnswer(
            type: format.mediaType, fileName: try await self.fileName(name, merchant, format), stream: stream.stream)
    }

    private func fileName(_ name: String, _ merchant: Merchant?, _ format: ReportFormat) async throws -> String {
        let merchants = try await self.administration.read { try $0.merchants() }.filter(self.sees)
        let only =
            merchant ?? (merchants.count == 1 ? merchants.first : merchants.first { $0.name == self.query["merchant"] })
        let modes = Set((only.map { [$0] } ?? merchants).map(\.mode))
        let mode = modes.count == 1 ? modes.first?.rawValue ?? "" : "live-and-sandbox"
        let parts = ["pomona", modes.isEmpty ? "empty" : mode, only?.name ?? "all", name]
        let day = self.administration.now().rfc3339Seconds.prefix(10)
        return "\(parts.joined(separator: "-"))-\(day).\(format == .csv ? "csv" : "jsonl")"
    }
}
