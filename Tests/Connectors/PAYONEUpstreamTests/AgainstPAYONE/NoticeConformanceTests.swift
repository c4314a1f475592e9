//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerConformance
import ConnectorKit
import DialectConformance
import DialectKit
import Money
import Payments
import TestGateway
import TestUpstream
import Testing

@testable import PAYONEUpstream

/// The suite of every connector that takes notices, over the messages that another gateway writes.
@Suite struct NoticeConformanceTests {
    private static let headers = ["content-type": "application/x-www-form-urlencoded; charset=iso-8859-1"]

    /// The parameter `key`, which is the same in every message: it proves who has sent one, and not what it says.
    private static let proof = NoticeProof(.secret) { call in
        Self.pairs(call.body).first { $0.starts(with: Self.name) }.map { Array($0.dropFirst(Self.name.count)) }
    } replace: { call, proof in
        var pairs = Self.pairs(call.body).filter { !$0.starts(with: Self.name) }
        if let proof { pairs.insert(Self.name + proof, at: 0) }
        return NoticeCall(headers: call.headers, body: Array(pairs.joined(separator: [UInt8(ascii: "&")])))
    }

    private static let name = Array("key=".utf8)

    private static func pairs(_ body: [UInt8]) -> [[UInt8]] { body.split(separator: UInt8(ascii: "&")).map(Array.init) }

    private static func value(_ name: String, in body: [UInt8]) -> String? {
        let name = Array("\(name)=".utf8)
        return Self.pairs(body).first { $0.starts(with: name) }
            .map { String(decoding: $0.dropFirst(name.count), as: UTF8.self) }
    }

    /// Of an authorization, a capture and a refund: those that say something.
    private static func genuine() async throws -> [GenuineNotice] {
        let other = try await OtherPAYONE.open()
        let amounts = [try Bench.money(1000), try Bench.money(400), try Bench.money(100)]
        let ids = try await other.withAcquirer { acquirer in
            let steps = Steps(acquirer, other)
            let outcomes = [
                try await steps.authorize(amounts[0]), try await steps.capture(amounts[1]),
                try await steps.refund(amounts[2]),
            ]
            for (outcome, amount) in zip(outcomes, amounts) { #expect(outcome.isApproved(amount)) }
            return (1...3).map { steps.operationID($0) }
        }
        let bodies = try await other.test.deliverAll(through: other.dialect) { _ in (200, "TSOK") }
            .map(\.notification.body)
        return try ["appointed", "capture", "debit"].enumerated().map { index, action in
            let body = try #require(bodies.first { Self.value("txaction", in: $0) == action })
            return GenuineNotice(
                NoticeCall(headers: Self.headers, body: body), of: ids[index], ordinal: index + 1, siblings: Set(ids),
                found: .approved(AcquirerApproval(amount: amounts[index], answer: AcquirerAnswer())))
        }
    }

    @Test(arguments: AcquirerNoticeLaw.allCases) func keeps(_ law: AcquirerNoticeLaw) async throws {
        try await AcquirerNoticeConformance(
            connector: PAYONEConnector(client: Bench.client()), account: Bench.account(),
            another: Bench.account(secrets: ["key": Bench.secondKey]), proof: Self.proof
        ) { try await Self.genuine() }.check(law)
    }
}
