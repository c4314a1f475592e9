//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import Payments
import StrictJSON
import Testing

@testable import AdminAPI

/// The description and the service are one.
@Suite struct DocumentTests {
    @Test func documentIsServedToEverybodyAndNamesEveryEndpoint() async throws {
        let desk = try await Desk.open()
        let response = await desk.service.respond(to: WireRequest(method: .get, path: "/admin/v1/openapi.json"))
        #expect(response.status == .ok)
        let document = try JSON.parse(response.body, limits: JSONLimits(valuesMax: 100_000))
        #expect(document["openapi"] == "3.1.0")
        var names: Set<String> = []
        for endpoint in desk.endpoints {
            let operation = document["paths"]?[endpoint.path]?[endpoint.method.rawValue.lowercased()]
            #expect(operation?["operationId"]?.string == endpoint.name)
            #expect(names.insert(endpoint.name).inserted, "\(endpoint.name) is there twice")
            #expect(endpoint.summary.hasSuffix("."), "\(endpoint.name)")
        }
        #expect(document.text().contains(desk.owner) == false)
    }

    @Test func everySchemaThatIsNamedIsThere() async throws {
        let desk = try await Desk.open()
        let response = await desk.service.respond(to: WireRequest(method: .get, path: "/admin/v1/openapi.json"))
        let text = String(decoding: response.body, as: UTF8.self)
        for part in text.components(separated: "#/components/schemas/").dropFirst() {
            let name = String(part.prefix { $0 != "\"" })
            #expect(AdminSchemas.named[name] != nil, "\(name)")
        }
    }

    /// Whatever changes something is kept from being done twice, or over somebody else's change. What may be done again
    /// says so itself.
    @Test func everyChangeIsGuarded() async throws {
        let desk = try await Desk.open()
        let harmless: Set = ["checkAcquirer", "checkDomain", "testRoutes", "revokeToken"]
        for endpoint in desk.endpoints where endpoint.method != .get && !harmless.contains(endpoint.name) {
            // A step of a sign-in, and what somebody does with what is his own, take something that they use up.
            guard endpoint.scope != nil else { continue }
            if case .none = endpoint.precondition { Issue.record("\(endpoint.name) is not guarded") }
        }
        for endpoint in desk.endpoints where endpoint.method == .get {
            #expect(endpoint.scope?.isReading != false, "\(endpoint.name)")
        }
    }

    @Test func unknownPathsAndMethodsAreProblems() async throws {
        let desk = try await Desk.open()
        try await desk.expect(404, .get, "/nothing")
        let wrong = try await desk.expect(405, .delete, "/merchants")
        #expect(wrong.headers[.allow] == "GET, POST")
        let long = try await desk.call(.post, "/merchants", ["name": .string(String(repeating: "a", count: 600_000))])
        #expect(long.status == 413)
    }
}

extension String {
    fileprivate func components(separated by: String) -> [Substring] {
        self.split(separator: by, omittingEmptySubsequences: false)
    }
}
