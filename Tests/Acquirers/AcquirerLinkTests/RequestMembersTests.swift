//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StrictJSON
import Testing

@testable import AcquirerLink

/// Every member of a request, however deep: which may be missing, and that none may be of another kind, or strange.
@Suite struct RequestMembersTests {
    /// The members that a request may be without; the names of the objects around them, then their own.
    static let optional: Set<String> = {
        let address = [
            "firstName", "lastName", "company", "email", "phone", "city", "mainDivision", "postalCode", "countryCode",
        ]
        let answer = [
            "reference", "authorizationCode", "responseCode", "stan", "networkReference", "addressCheck",
            "securityCodeCheck", "fundingPANSuffix", "fundingExpiry", "paymentAccountReference", "merchantAdviceCode",
            "eci", "reconciliationID", "acquirerReferenceNumber", "processor", "authorizationExpiresAt", "vendorCode",
            "vendorText",
        ]
        let customer = ["id", "firstName", "lastName", "email", "phone", "ipAddress", "userAgent"]
        let members: [(of: String, names: [String])] = [
            (
                "charge",
                [
                    "orderReference", "description", "statementDescriptor", "certainty", "source", "authentication",
                    "cardholderName", "billing", "shipping", "terminal",
                ]
            ),
            ("charge.device", ["callerNumber", "phoneModel"]),
            ("charge.initiator.agreement", ["kind", "id", "networkReference"]),
            ("charge.authentication", ["status", "transactionID"]),
            ("charge.billing", address), ("charge.shipping", address), ("charge.customer", customer),
            ("charge.instrument", ["eci", "encryptedPIN", "securityCode", "networkName", "methodType", "displayName"]),
            ("original", ["resolvedAt"]), ("original.answer", answer), ("capture", ["resolvedAt"]),
            ("capture.answer", answer),
        ]
        return Set(members.flatMap { object, names in names.map { "request.\(object).\($0)" } } + Self.optionalOfAll)
    }()

    private static let optionalOfAll = ["request.capture", "request.statementDescriptor"]

    /// Where a member is.
    private typealias Path = [String]

    /// The paths of all members of an object and of the objects in it.
    private func paths(of object: JSONObject, at path: Path = []) -> [Path] {
        object.names.flatMap { name in
            let own = path + [name]
            return [own] + (object[name]?.object.map { self.paths(of: $0, at: own) } ?? [])
        }
    }

    /// The value with another in place of the one at the path, or without that.
    private func changed(_ value: JSON, _ path: ArraySlice<String>, _ replacement: JSON?) throws -> JSON {
        guard let name = path.first else { return value }
        var object = try #require(value.object)
        if path.count == 1 {
            object[name] = replacement
        } else {
            object[name] = try self.changed(try #require(object[name]), path.dropFirst(), replacement)
        }
        return .object(object)
    }

    private func value(of json: JSON, at path: Path) -> JSON? { path.reduce(json) { $0?[$1] } }

    private func isRead(_ json: JSON) -> Bool { (try? LinkRequest.read(json.serialized())) != nil }

    /// Whether the request is read with another value at the path.
    private func isRead(_ json: JSON, _ path: Path, _ value: JSON) throws -> Bool {
        self.isRead(try self.changed(json, path[...], value))
    }

    /// Without any one of its members a request is not understood, unless that member may be missing; and then nothing
    /// else is missing either.
    @Test func requestWithoutAMemberIsNotUnderstood() throws {
        var seen: Set<String> = []
        for request in FullRequests.all {
            let json = request.json(number: 1)
            for path in self.paths(of: try #require(json.object)) {
                let spoiled = try self.changed(json, path[...], nil)
                let name = path.joined(separator: ".")
                guard Self.optional.contains(name) else {
                    #expect(throws: LinkViolation.self, "without \(name)") {
                        try LinkRequest.read(spoiled.serialized())
                    }
                    continue
                }
                seen.insert(name)
                let read = try LinkRequest.read(spoiled.serialized())
                #expect(read.request.json(number: 1) == spoiled, "without \(name)")
            }
        }
        #expect(seen == Self.optional, "every member that may be missing is there")
    }

    @Test func memberOfAnotherKindIsNotUnderstood() throws {
        let values: [JSON] = [
            .null, true, 17, .number("1.5"), .number("1e3"), "strange text\u{1F34F}", [], ["text"], [:],
            ["unlike": [1]],
        ]
        for request in FullRequests.all {
            let json = request.json(number: 1)
            for path in self.paths(of: try #require(json.object)) {
                let own = try #require(self.value(of: json, at: path))
                for value in values where value.kind != own.kind || value["unlike"] != nil {
                    #expect(
                        try !self.isRead(json, path, value),
                        "\(path.joined(separator: ".")) as \(value.kind)")
                }
            }
        }
    }

    @Test func numbersAreWhole() throws {
        for request in FullRequests.all {
            let json = request.json(number: 1)
            for path in self.paths(of: try #require(json.object)) {
                guard case .number = self.value(of: json, at: path) else { continue }
                for text in ["1.5", "1.0", "1e3", "9223372036854775808"] {
                    #expect(
                        try !self.isRead(json, path, .number(text)),
                        "\(path.joined(separator: ".")) as \(text)")
                }
            }
            #expect(try !self.isRead(json, ["number"], -1))
        }
    }

    /// What is one of a few words, or an id, or base64, is none else.
    @Test func textsOfAFormAreOfThatForm() throws {
        let forms: Set = [
            "type", "call", "operation", "payment", "merchant", "currency", "kind", "network", "certainty", "form",
            "proof", "cryptogram", "emv", "paymentData", "source", "status",
            "terminal",
        ]
        var seen: Set<String> = []
        for request in FullRequests.all {
            let json = request.json(number: 1)
            for path in self.paths(of: try #require(json.object)) {
                guard let name = path.last, forms.contains(name), self.value(of: json, at: path)?.string != nil else {
                    continue
                }
                seen.insert(name)
                #expect(try !self.isRead(json, path, "no such word!"), "\(path.joined(separator: "."))")
            }
        }
        #expect(seen == forms)
    }

    @Test func strangeMemberIsNotUnderstoodInAnyObject() throws {
        for request in FullRequests.all {
            let json = request.json(number: 1)
            let paths = self.paths(of: try #require(json.object))
            for path in [[]] + paths where self.value(of: json, at: path)?.object != nil {
                let spoiled = try self.changed(json, (path + ["strange"])[...], 1)
                #expect(throws: LinkViolation("unknown_member"), "in \(path.joined(separator: "."))") {
                    try LinkRequest.read(spoiled.serialized())
                }
            }
        }
    }

    /// The calls that are asked for with the same.
    private func contents(of request: LinkRequest) -> Set<LinkCall> {
        switch request.call {
        case .authorize, .verify: [.authorize, .verify]
        // A refund may name no capture.
        case .adjust, .void, .reverse: [.adjust, .void, .reverse, .refund]
        case .refund: request.json(number: 1)["request"]?["capture"] == nil ? [.adjust, .void, .reverse] : []
        case .capture, .query, .prepare: []
        }
    }

    /// A request has what its call needs and nothing of another's.
    @Test func contentsOfAnotherCallAreNotUnderstood() throws {
        let refund = Bench.perform(3, of: 1, 10_00, .refund(of: Bench.original(), capture: nil))
        for request in FullRequests.all + [refund] {
            let json = request.json(number: 1)
            for call in LinkCall.allCases where call != request.call {
                let other = try self.changed(json, ["call"], .string(call.rawValue))
                let isAlike = self.contents(of: request).contains(call)
                #expect(self.isRead(other) == isAlike, "\(request.call) as \(call)")
                guard isAlike else { continue }
                #expect(try LinkRequest.read(other.serialized()).request.call == call)
            }
        }
    }
}
