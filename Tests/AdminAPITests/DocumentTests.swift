//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
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

    /// Where the `type` of a problem leads: for everybody, each code once, with what to do.
    @Test func problemsAreDescribedForEverybody() async throws {
        let desk = try await Desk.open()
        let response = await desk.service.respond(to: WireRequest(method: .get, path: "/admin/v1/problems"))
        let kinds = try JSON.parse(response.body)["data"]?.array ?? []
        let codes = kinds.compactMap { $0["code"]?.string }
        #expect(response.status == .ok && codes == codes.sorted() && Set(codes).count == codes.count)
        #expect(codes == ProblemName.allCases.map(\.rawValue))
        for kind in kinds {
            #expect((400...599).contains(kind["status"]?.integer ?? 0), "\(kind.text())")
            #expect(kind["title"]?.string?.isEmpty == false && kind["advice"]?.string?.hasSuffix(".") == true)
        }
        let problem = try await desk.expect(404, .get, "/merchants/nobody")
        #expect(problem.json["type"]?.string == "/admin/v1/problems#not_found" && codes.contains("not_found"))
        let notFound = kinds.first { $0["code"] == "merchant_unknown" }
        #expect(notFound?["status"] == 404 && notFound?["title"] == "Merchant unknown")
    }

    /// What an acquirer may say of an operation is described, all of it.
    @Test func operationsHaveEveryFactOfAnAnswer() async throws {
        let desk = try await Desk.open()
        let response = await desk.service.respond(to: WireRequest(method: .get, path: "/admin/v1/openapi.json"))
        let document = try JSON.parse(response.body, limits: JSONLimits(valuesMax: 100_000))
        let properties = document["components"]?["schemas"]?["Operation"]?["properties"]
        for name in AcquirerAnswer.factNames { #expect(properties?[name] != nil, "\(name)") }
    }

    /// What a list leaves out unless it is asked for, and a sum that a void leaves as it is, are described so.
    @Test func whatIsLeftOutAndWhatStaysIsDescribed() async throws {
        let desk = try await Desk.open()
        let response = await desk.service.respond(to: WireRequest(method: .get, path: "/admin/v1/openapi.json"))
        let document = try JSON.parse(response.body, limits: JSONLimits(valuesMax: 100_000))
        for path in ["/transactions", "/exports/transactions"] {
            let parameters = document["paths"]?[path]?["get"]?["parameters"]?.array
            let failed = parameters?.first { $0["name"] == "failed" }
            #expect(failed?["description"]?.string?.contains("false if left out") == true, "\(path)")
        }
        for name in ["PaymentSummary", "Payment"] {
            let authorized = document["components"]?["schemas"]?[name]?["properties"]?["authorized"]
            #expect(authorized?["description"]?.string?.contains("last authorized") == true, "\(name)")
        }
    }

    /// A key of an act on a payment is kept longer than others, and is shorter.
    @Test func keysAreDescribedAsTheyAreTaken() async throws {
        let desk = try await Desk.open()
        let response = await desk.service.respond(to: WireRequest(method: .get, path: "/admin/v1/openapi.json"))
        let paths = try JSON.parse(response.body, limits: JSONLimits(valuesMax: 100_000))["paths"]
        func key(_ path: String) throws -> JSON {
            let parameters = paths?[path]?["post"]?["parameters"]?.array
            return try #require(parameters?.first { $0["name"] == "Idempotency-Key" })
        }
        for act in ["capture", "void", "refund"] {
            let described = try key("/payments/{payment}/\(act)")
            #expect(described["schema"]?["maxLength"] == 220)
            let text = described["description"]?.string ?? ""
            #expect(text.contains("for ever") && text.contains("token") && !text.contains("a day"), "\(text)")
        }
        let made = try key("/merchants")
        #expect(made["schema"]?["maxLength"] == 255 && made["description"]?.string?.contains("a day") == true)
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

    /// RFC 9110, section 9.1. The server keeps the content back.
    @Test func whatIsReadCanBeAskedForWithoutItsContent() async throws {
        let desk = try await Desk.open()
        try await desk.makeShop()
        for path in ["/merchants", "/merchants/shop", "/payments", "/problems"] {
            let read = try await desk.expect(200, .get, path)
            let head = try await desk.expect(200, .head, path)
            #expect(head.headers == read.headers, "\(path)")
        }
        try await desk.expect(401, .head, "/merchants", token: "pomona_nothing")
        try await desk.expect(404, .head, "/merchants/nobody")
        let document = await desk.service.respond(to: WireRequest(method: .head, path: "/admin/v1/openapi.json"))
        #expect(document.status == .ok)
        let export = try await desk.expect(405, .head, "/exports/payments")
        #expect(export.headers[.allow] == "GET")
        let act = try await desk.expect(405, .head, "/merchants/shop/suspend")
        #expect(act.headers[.allow] == "POST")
    }

    @Test func unknownPathsAndMethodsAreProblems() async throws {
        let desk = try await Desk.open()
        try await desk.expect(404, .get, "/nothing")
        let wrong = try await desk.expect(405, .delete, "/merchants")
        #expect(wrong.headers[.allow] == "GET, HEAD, POST")
        let long = try await desk.call(.post, "/merchants", ["name": .string(String(repeating: "a", count: 600_000))])
        #expect(long.status == 413)
    }
}

extension String {
    fileprivate func components(separated by: String) -> [Substring] {
        self.split(separator: by, omittingEmptySubsequences: false)
    }
}
