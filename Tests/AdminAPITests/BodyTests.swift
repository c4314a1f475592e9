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
@testable import Administration

/// Nothing to say is said with an empty object, or with no body.
@Suite struct BodyTests {
    @Test func emptyObjectIsTakenWhereThereIsNothingToSay() async throws {
        let desk = try await Desk.open()
        try await desk.makeShop()
        let suspended = try await desk.expect(200, .post, "/merchants/shop/suspend", [:], key: "s")
        #expect(suspended.json["state"] == "suspended")
        // The same call, said in the other way.
        let again = try await desk.expect(200, .post, "/merchants/shop/suspend", key: "s")
        #expect(again.headers[.idempotentReplayed] == "true" && again.json == suspended.json)
        #expect(try await desk.expect(200, .post, "/merchants/shop/resume", key: "r").json["state"] == "active")
        // What is said is never passed over.
        let foreign = try await desk.expect(422, .post, "/merchants/shop/suspend", ["reason": "holidays"], key: "t")
        #expect(foreign.json["errors"]?.array?.compactMap { $0["pointer"]?.string } == ["/reason"])
        try await desk.expect(422, .post, "/merchants/shop/suspend", [], key: "t")
        let form = try await desk.call(.post, "/merchants/shop/suspend", [:], key: "t", type: "text/plain")
        #expect(form.status == 415)
        let large = JSON.string(String(repeating: "a", count: 2000))
        try await desk.expect(413, .post, "/merchants/shop/suspend", large, key: "t")
        #expect(try await desk.expect(200, .get, "/merchants/shop").json["state"] == "active")
    }

    /// A body that got lost on its way was somebody's part, and not all.
    @Test func amountIsNeverAllBecauseABodyGotLost() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        let path = "/payments/\(try await till.pay(10_00, "p").id)"
        try await desk.expect(415, .post, "\(path)/capture", key: "c")
        let captured = try await desk.expect(200, .post, "\(path)/capture", [:], key: "c")
        #expect(captured.json["payment"]?["captured"] == "10.00" && captured.json["repeated"] == false)
    }

    @Test func noBodyIsTakenWhereAllOfItMayBeLeftOut() async throws {
        let bench = try await ApprovalBench.open(ApprovalPolicy(routes: true))
        let tag = try await bench.desk.expect(200, .get, "/merchants/live/routes").tag
        let id = try bench.asked(
            try await bench.desk.call(
                .put, "/merchants/live/routes", ["data": [["number": 1, "acquirer": "bank"]]], token: bench.alice,
                tag: tag))
        let done = try await bench.desk.expect(
            200, .post, "/approvals/\(id)/approve", token: bench.bob, key: "approve")
        #expect(done.json["outcome"]?["code"] == "done")
    }

    /// What is replaced as a whole is not replaced by nothing, and what must be said is asked for.
    @Test func bodyIsWantedWhereItSaysSomething() async throws {
        let desk = try await Desk.open()
        let path = "/approval-policies/\(ApprovalPolicy.houseName)"
        try await desk.administration.setApprovalPolicy(ApprovalPolicy(routes: true))
        let before = try await desk.expect(200, .get, path)
        try await desk.expect(415, .put, path, tag: before.tag)
        #expect(try await desk.expect(200, .get, path).json == before.json)
        try await desk.expect(415, .post, "/merchants", key: "m")
        // Nothing is read of the body of a question.
        try await desk.expect(413, .get, "/merchants", [:])
    }

    /// The description says the same.
    @Test func documentNamesTheBodiesThatMayBeMissing() async throws {
        let desk = try await Desk.open()
        let response = await desk.service.respond(to: WireRequest(method: .get, path: "/admin/v1/openapi.json"))
        let paths = try JSON.parse(response.body, limits: JSONLimits(valuesMax: 100_000))["paths"]
        func isRequired(_ path: String, _ method: String = "post") -> Bool? {
            paths?[path]?[method]?["requestBody"]?["required"]?.bool
        }
        let optional = [
            "/approvals/{approval}/approve", "/merchants/{merchant}/closed-days",
            "/merchants/{merchant}/accounts/{dialect}/credentials/{credential}/rotate",
        ]
        for path in optional { #expect(isRequired(path) == false, "\(path)") }
        for act in ["capture", "void", "refund"] { #expect(isRequired("/payments/{payment}/\(act)") == true, "\(act)") }
        #expect(isRequired("/approvals/{approval}/reject") == true && isRequired("/merchants") == true)
        #expect(isRequired("/approval-policies/{policy}", "put") == true)
        #expect(isRequired("/merchants/{merchant}/suspend") == nil)
    }
}
