//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import Payments
import StrictJSON
import TestGateway
import Testing

@testable import AdminAPI

/// Nobody sets what is not his to set by naming it: a member that an endpoint does not read is an error, in the body and in
/// whatever lies in it. Made from the endpoints' own descriptions.
@Suite struct MassAssignmentTests {
    /// Whatever anything is shown with, and what other programs have fallen for.
    private static let names: Set<String> = {
        var names: Set = ["__proto__", "constructor", "isAdmin", "is_admin", "version", "digest", "access", "$where"]
        for schema in AdminSchemas.named.values { schema.collectNames(into: &names) }
        return names
    }()

    @Test func membersThatNobodyReadsAreRefused() async throws {
        let desk = try await Desk.open()
        var browser = try await desk.browser()
        var count = 0
        for endpoint in desk.endpoints {
            guard case .object(let shape)? = endpoint.body else { continue }
            let foreign = Self.names.subtracting(shape.fields.map(\.name))
            #expect(foreign.count > 50)
            var body = endpoint.sample?.object ?? JSONObject()
            for name in foreign { body[name] = true }
            let reply = try await browser.call(
                endpoint.method, endpoint.path.replacing("{", with: "").replacing("}", with: ""), .object(body),
                key: "k-\(endpoint.name)", tag: "*")
            #expect(reply.status == 422 && reply.code == "body_invalid", "\(endpoint.name): \(reply.json.text())")
            let pointers = Set((reply.json["errors"]?.array ?? []).compactMap { $0["pointer"]?.string })
            for name in foreign {
                #expect(pointers.contains("".appending(member: name)), "\(endpoint.name): \(name)")
            }
            count += 1
        }
        #expect(count > 20)
    }

    /// Also in what lies in a body.
    @Test func membersWithinMembersAreRefused() async throws {
        let desk = try await Desk.open()
        for endpoint in desk.endpoints {
            guard let body = endpoint.body else { continue }
            for shape in body.innerObjects {
                let foreign = Self.names.subtracting(shape.fields.map(\.name)).sorted()
                let json = JSON.object(JSONObject(foreign.map { (name: $0, value: true) }))
                let found = Set(
                    Schema.object(shape).violations(of: json, named: AdminSchemas.named).filter {
                        $0.detail.hasPrefix("is not known")
                    }.map(\.pointer))
                #expect(found == Set(foreign.map { "".appending(member: $0) }), "\(endpoint.name)")
            }
        }
    }

    /// What a person may not set of himself, or of others, has no member to set it with.
    @Test(arguments: [
        "id", "state", "version", "failures", "lockedUntil", "hasPassword", "passwordVerifier", "createdAt",
    ])
    func peopleHaveNoSuchMember(_ name: String) async throws {
        let desk = try await Desk.open()
        var browser = try await desk.browser()
        let body = JSONObject([
            (name: "userName", value: .string("bob")), (name: "displayName", value: .string("Bob")),
            (name: "role", value: .string("viewer")), (name: name, value: .bool(true)),
        ])
        try await browser.expect(422, .post, "/people", .object(body), key: name)
        let change = JSON.object(JSONObject([(name: name, value: .bool(true))]))
        try await browser.expect(422, .patch, "/people/alice", change, tag: "*")
    }
}

extension Schema {
    fileprivate func collectNames(into names: inout Set<String>) {
        switch self {
        case .object(let shape):
            for field in shape.fields {
                names.insert(field.name)
                field.schema.collectNames(into: &names)
            }
        case .list(let schema, _, _), .nullable(let schema): schema.collectNames(into: &names)
        case .text, .choice, .integer, .flag, .texts, .textChanges, .named, .anything: break
        }
    }

    /// Objects within this one.
    fileprivate var innerObjects: [Object] {
        switch self {
        case .object(let shape):
            shape.fields.flatMap { field -> [Object] in
                if case .object(let inner) = field.schema { return [inner] + field.schema.innerObjects }
                return field.schema.innerObjects
            }
        case .list(.object(let inner), _, _), .nullable(.object(let inner)): [inner] + Schema.object(inner).innerObjects
        case .list(let schema, _, _), .nullable(let schema): schema.innerObjects
        case .text, .choice, .integer, .flag, .texts, .textChanges, .named, .anything: []
        }
    }
}
