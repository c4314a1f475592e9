//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Foundation
import HTTPTypes
import Ledger
import Payments
import StrictJSON
import Testing

@testable import AdminAPI

/// A state, a kind or a reason that is added has a word in every language of the portal, and is one of those that the API
/// describes.
@Suite struct StateWordsTests {
    private static let portal = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Web/portal")

    private static func file(_ path: String) throws -> String {
        try String(contentsOf: self.portal.appending(path: path), encoding: .utf8)
    }

    /// The members of a set of words.
    private static func members(_ path: String) throws -> [String] {
        try self.file(path).matches(of: #/(?m)^ {4}(\w+): /#).map { String($0.output.1) }
    }

    private static let failures: [OperationFailure] =
        [.reversed] + DeclineReason.allCases.map { .declined($0) }
        + NotProcessedReason.allCases.map { .notProcessed($0) }

    /// Those of a payment's journal: what settlement files book is beside the payments.
    private static let journalKinds = JournalEntry.Kind.allCases.filter {
        switch $0 {
        case .fee, .settlement, .correction: false
        default: true
        }
    }

    static let wanted: [String] =
        PaymentState.allCases.map(\.rawValue) + PaymentOperation.State.names + ["beingReversed"]
        + PaymentOperation.Kind.allCases.map { "kind_\($0.rawValue)" } + Self.failures.map { "reason_\($0.name)" }
        + UnknownReason.allCases.map { "reason_\($0.rawValue)" } + Self.journalKinds.map { "kind_\($0.rawValue)" }

    @Test(arguments: ["en", "de", "zh-Hant"])
    func portalHasAWordForEach(_ language: String) throws {
        let members = try Self.members("words/\(language)/states.js")
        #expect(Set(Self.wanted).subtracting(members).sorted() == [])
        #expect(members.count == Set(members).count)
        // And none for what there is not.
        let named = members.filter { $0.hasPrefix("kind_") }.map { String($0.dropFirst(5)) }
        let kinds = PaymentOperation.Kind.allCases.map(\.rawValue) + Self.journalKinds.map(\.rawValue)
        #expect(Set(named).subtracting(kinds).sorted() == [])
    }

    @Test(arguments: ["en", "de", "zh-Hant"])
    func networksAreNamedOnce(_ language: String) throws {
        let words = try Self.members("words/\(language)/states.js").filter { $0.hasPrefix("network_") }
            .map { String($0.dropFirst("network_".count)) }
        let text = try Self.file("core/names.js")
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("const networkNames = ") })
        let names = line.matches(of: #/(\w+): "/#).map { String($0.output.1) }
        #expect((words + names).sorted() == CardNetwork.allCases.map(\.rawValue).sorted())
    }

    @Test func documentNamesTheSame() async throws {
        let desk = try await Desk.open()
        let response = await desk.service.respond(to: WireRequest(method: .get, path: "/admin/v1/openapi.json"))
        let document = try JSON.parse(response.body, limits: JSONLimits(valuesMax: 100_000))
        func choices(_ schema: String, _ member: String) -> [String]? {
            let described = document["components"]?["schemas"]?[schema]?["properties"]?[member]
            return described?["enum"]?.array?.compactMap(\.string)
        }
        #expect(choices("Payment", "state") == PaymentState.allCases.map(\.rawValue))
        #expect(choices("PaymentSummary", "state") == PaymentState.allCases.map(\.rawValue))
        #expect(choices("Operation", "state") == PaymentOperation.State.names)
        #expect(choices("Operation", "kind") == PaymentOperation.Kind.allCases.map(\.rawValue))
    }

    /// Whatever a state is, people see its shape and colour.
    @Test func everyStateHasATone() throws {
        let text = try Self.file("widgets/marks.js")
        let head = try #require(text.range(of: "const tones = {"))
        let end = try #require(text[head.upperBound...].range(of: "};"))
        let toned = text[head.upperBound..<end.lowerBound].matches(of: #/(\w+): "/#).map { String($0.output.1) }
        let states = PaymentState.allCases.map(\.rawValue) + PaymentOperation.State.names
        #expect(Set(states).subtracting(toned).sorted() == [])
    }
}
