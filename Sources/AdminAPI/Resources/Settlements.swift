//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import BaseEncoding
import DialectKit
import HTTPTypes
import Payments
import StrictJSON
import Time

extension AdminEndpoints {
    private static let items = Schema.object(
        .init("data", .list(.named("SettlementItem"), max: 200)), .init("next", .nullable(AdminSchemas.anyText)))
    private static let afterItem = Endpoint.Parameter(
        "after",
        .text(
            Schema.Text(
                charactersMax: 50, pattern: "^set_[0-7][0-9A-HJKMNP-TV-Z]{25}/[1-9][0-9]{0,9}$",
                isValid: { SettlementItem.ID($0) != nil })), "`next` of the page before.")

    static let settlements: [Endpoint] = [
        Endpoint(
            method: .get, path: "/settlements", name: "listSettlements",
            summary: "Files of acquirers that were imported, newest first.", group: "Reports", scope: .reportsRead,
            query: [
                .init("merchant", .name(""), "Only this merchant's."),
                .init("after", .id("set_"), "`next` of the page before."), limit,
            ], answer: AdminSchemas.page(of: "SettlementFile")
        ) { call in
            let merchant = try await call.merchantFilter()
            let files = try await call.administration.settlementFiles(
                of: merchant, before: call.query["after"].flatMap(SettlementFileID.init), limit: call.limit + 1)
            let views = try await call.administration.read { try SettlementFileView.list(files, in: $0) }
            return .page(views, limit: call.limit, view: { .object($0.json) }, cursor: \.file.id.text)
        },
        Endpoint(
            method: .post, path: "/merchants/{merchant}/settlements", name: "importSettlement",
            summary: "Read an acquirer's file, compare all of it with the ledger, and book what it says.",
            group: "Reports", scope: .reportsWrite,
            body: .object(
                Schema.Object(
                    [
                        .init("acquirer", .name("The account that the file is of.")),
                        .init("name", .line(255, "What the file is called.")),
                        .init(
                            "mapping", .anything("The name of a known mapping, or one as docs/reports.md describes it.")
                        ),
                        .optional("text", .text(Schema.Text(charactersMin: 1, charactersMax: 8 * 1024 * 1024))),
                        .optional(
                            "base64",
                            .text(
                                Schema.Text(
                                    charactersMin: 4, charactersMax: Endpoint.fileBytesMax,
                                    meaning: "The file's bytes, whatever their encoding."))),
                        .optional("from", day), .optional("to", day),
                    ], oneOf: ["text", "base64"])),
            status: .created,
            answer: .object(
                .init("file", .named("SettlementFile")), .init("repeated", .flag()),
                .init("counts", .named("VerdictCounts")), .init("repeatedLines", .integer(0...Int64.max)),
                .init("ignoredLines", .integer(0...Int64.max)), .init("found", .integer(0...Int64.max)),
                .init("differences", .integer(0...Int64.max)),
                .init("parts", .list(.id("set_"), max: 100_000))),
            precondition: .idempotencyKey
        ) { call in
            let merchant = try await call.merchant()
            let document = try call.settlementDocument()
            let done = try await call.administration.importSettlement(
                document, account: call.required("acquirer"), of: merchant.id)
            let view = try await call.administration.read { try SettlementFileView(of: done.file, in: $0) }
            return Answer(done.view(view), location: "/settlements/\(done.file.id.text)")
        }.taking(bytesMax: Endpoint.fileBytesMax),
        Endpoint(
            method: .get, path: "/settlements/{file}", name: "getSettlement",
            summary: "One file with what the comparison has found.", group: "Reports", scope: .reportsRead,
            answer: .named("SettlementFile")
        ) { call in
            let (file, merchant) = try await call.settlementFile(call.path["file"])
            let administration = call.administration
            let counts = try await administration.settlementCounts(of: file.id)
            var view = try await administration.read { try SettlementFileView(of: file, in: $0).json }
            view["counts"] = counts.view
            view["open"] = JSON(try await administration.openDifferences(of: file.id, merchant.id))
            return Answer(view)
        },
        Endpoint(
            method: .get, path: "/settlements/{file}/items", name: "listSettlementItems",
            summary: "A file's lines, and what it lacks, with what was found of each.", group: "Reports",
            scope: .reportsRead,
            query: [
                .init(
                    "open", .choice(["true", "false"]), "Whether only differences that nobody has resolved are wanted."),
                Self.afterItem, limit,
            ], answer: Self.items
        ) { call in
            let (file, _) = try await call.settlementFile(call.path["file"])
            return try await call.items(SettlementQuery(fileID: file.id, isOpen: call.query["open"] == "true"))
        },
        Endpoint(
            method: .get, path: "/settlement-differences", name: "listDifferences",
            summary: "Differences that nobody has resolved, of all files.", group: "Reports", scope: .reportsRead,
            query: [.init("merchant", .name(""), "Only this merchant's."), Self.afterItem, limit], answer: Self.items
        ) { call in
            try await call.items(SettlementQuery(merchantID: try await call.merchantFilter(), isOpen: true))
        },
        Endpoint(
            method: .post, path: "/settlements/{file}/items/{number}/resolve", name: "resolveDifference",
            summary: "Say what a difference is, once: the ledger books it so.", group: "Reports", scope: .reportsWrite,
            body: .object(
                .init("decision", .choice(SettlementResolution.Decision.allCases.map(\.rawValue))),
                .init("reason", .line(255, "For whoever asks later, and for the audit log."))),
            answer: .named("SettlementItem"), precondition: .idempotencyKey
        ) { call in
            let (file, _) = try await call.settlementFile(call.path["file"])
            guard let id = SettlementItem.ID("\(file.id.text)/\(call.path["number"] ?? "")") else {
                throw Problem.notFound("such item")
            }
            let decision = SettlementResolution.Decision(rawValue: call.required("decision")) ?? .theirs
            let item = try await call.administration.resolveSettlement(
                id, as: decision, reason: call.required("reason"))
            return Answer(item.view)
        },
        Endpoint(
            method: .get, path: "/settlement-mappings", name: "listMappings",
            summary: "The mappings that come with the program.", group: "Reports", scope: .reportsRead,
            answer: .object(.init("data", .list(.object(.init("name", AdminSchemas.anyText)), max: 100)))
        ) { _ in
            Answer(["data": .array(SettlementMapping.known.map { ["name": .string($0.name)] })])
        },
    ]
}

extension Call {
    /// The settlement file of that id.
    ///
    /// - Throws: ``Problem`` 404.
    func settlementFile(_ text: String?) async throws -> (SettlementFile, Merchant) {
        let id = text.flatMap(SettlementFileID.init)
        let found = try await self.administration.read { reader -> (SettlementFile, Merchant)? in
            guard let file = try id.flatMap({ try reader.settlementFile($0) }),
                let merchant = try reader.merchant(file.merchantID)
            else { return nil }
            return (file, merchant)
        }
        guard let (file, merchant) = found, self.sees(merchant) else { throw Problem.notFound("such settlement file") }
        try self.check(self.endpoint.scope, of: merchant)
        return (file, merchant)
    }

    fileprivate func items(_ query: SettlementQuery) async throws -> Answer {
        var query = query
        query.after = self.query["after"].flatMap { SettlementItem.ID($0) }
        query.limit = self.limit + 1
        let items = try await self.administration.settlementItems(query)
        return .page(items, limit: self.limit, view: { .object($0.view) }, cursor: \.id.description)
    }

    fileprivate func settlementDocument() throws -> SettlementDocument {
        let mapping: SettlementMapping
        if let name = self.body["mapping"]?.string {
            guard let known = SettlementMapping.known.first(where: { $0.name == name }) else {
                let names = SettlementMapping.known.map(\.name).joined(separator: ", ")
                throw Problem.invalid([.init(pointer: "/mapping", detail: "must be an object or one of: \(names)")])
            }
            mapping = known
        } else {
            mapping = try SettlementMapping(self.body["mapping"] ?? .null)
        }
        let bytes: [UInt8]
        if let text = self.text("text") {
            bytes = Array(text.utf8)
        } else {
            guard let decoded = Base64.decode(self.required("base64")) else {
                throw Problem.invalid([.init(pointer: "/base64", detail: "must be Base64 (RFC 4648, section 4)")])
            }
            bytes = decoded
        }
        let (from, to) = (self.text("from").flatMap(CalendarDay.init), self.text("to").flatMap(CalendarDay.init))
        guard (from == nil) == (to == nil), from.map({ from in to.map { from <= $0 } ?? false }) ?? true else {
            throw Problem.invalid([.init(pointer: "/to", detail: "must be beside from, and not before it")])
        }
        let days = from.flatMap { from in to.map { from...$0 } }
        return SettlementDocument(name: self.required("name"), bytes: bytes, mapping: mapping, days: days)
    }
}
