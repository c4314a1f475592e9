//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Foundation
import HTTPTypes
import StrictJSON

/// U+0000 in what a client sends: JSON, forms, XML and paths can all carry it, PostgreSQL's texts and C's strings cannot.
/// A dialect refuses it wherever it stands, so that all stores are the same to all clients.
extension DialectProbe {
    func refusesNUL() async throws {
        var subject = Subject(name: "p1")
        let payment = try await self.driver.request(
            self.call(try self.charge(self.shop.money(1000)), &subject), in: self.shop)
        var requests = [payment]
        if self.driver.has(.refund) {
            var paid = try await self.paid(1000, "p2")
            requests.append(
                try await self.driver.request(self.call(.refund(self.shop.money(100)), &paid), in: self.shop))
            if self.driver.has(.query) {
                requests.append(try await self.driver.request(self.call(.query, &paid), in: self.shop))
            }
        }
        try await self.bookingNothing("a field with U+0000") {
            for request in requests {
                let spoiled = Self.withNUL(request)
                try self.expect(!spoiled.isEmpty, "a field to spoil", found: "none")
                for (what, request) in spoiled {
                    let (response, answer) = try await self.send(
                        try self.driver.renewed(request, in: self.shop), of: nil)
                    try self.expect(answer, response, .refused, "U+0000 in \(what)")
                }
            }
        }
    }

    /// A request with U+0000 in one of its fields, for each of them.
    static func withNUL(_ request: WireRequest) -> [(String, WireRequest)] {
        var spoiled: [(String, WireRequest)] = []
        if let json = try? JSON.parse(request.body) {
            spoiled += self.strings(in: json, "").map { path, json in
                (path, self.changing(request) { $0.body = json.serialized() })
            }
        } else if request.body.first == UInt8(ascii: "<") {
            spoiled += self.elements(of: request)
        } else if !request.body.isEmpty {
            spoiled += self.fields(of: String(decoding: request.body, as: UTF8.self)).map { name, form in
                (name, self.changing(request) { $0.body = Array(form.utf8) })
            }
        }
        if let query = request.query {
            spoiled += self.fields(of: query).map { name, query in
                ("the query's \(name)", self.changing(request) { $0.query = query })
            }
        }
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
        for index in parts.indices where !parts[index].isEmpty {
            var changed = parts
            changed[index] += "%00"
            spoiled.append(
                ("the path's \(index)th part", self.changing(request) { $0.path = changed.joined(separator: "/") }))
        }
        return spoiled
    }

    private static func changing(_ request: WireRequest, _ change: (inout WireRequest) -> Void) -> WireRequest {
        var request = request
        change(&request)
        return request
    }

    /// The document with U+0000 at the end of a string, for each string in it.
    private static func strings(in json: JSON, _ path: String) -> [(String, JSON)] {
        switch json {
        case .string(let text): return [(path, .string(text + "\u{0}"))]
        case .object(let object):
            return object.members.flatMap { member in
                self.strings(in: member.value, "\(path).\(member.name)").map { path, changed in
                    var object = object
                    object[member.name] = changed
                    return (path, JSON.object(object))
                }
            }
        case .array(let elements):
            return elements.indices.flatMap { index in
                self.strings(in: elements[index], "\(path)[\(index)]").map { path, changed in
                    var elements = elements
                    elements[index] = changed
                    return (path, JSON.array(elements))
                }
            }
        case .number, .bool, .null: return []
        }
    }

    private static func fields(of form: String) -> [(String, String)] {
        let fields = form.split(separator: "&").map(String.init)
        return fields.indices.map { index in
            var changed = fields
            changed[index] += "%00"
            return (String(fields[index].prefix { $0 != "=" }), changed.joined(separator: "&"))
        }
    }

    /// As a character reference, which XML 1.0 does not have for it (section 4.1), and as the byte.
    private static func elements(of request: WireRequest) -> [(String, WireRequest)] {
        let text = String(decoding: request.body, as: UTF8.self)
        return text.indices.filter { text[$0...].hasPrefix("</") }.flatMap { index in
            ["&#0;", "&#x0;", "\u{0}"].map { nul in
                var changed = text
                changed.insert(contentsOf: nul, at: index)
                return (
                    "the element before \(text[index...].prefix(24))",
                    self.changing(request) { $0.body = Array(changed.utf8) }
                )
            }
        }
    }
}
