//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerConformance
import AlphaPayUpstream
import ConnectorKit
import CryptoExtras
import DialectKit
import Payments
import TestUpstream
import Testing

/// The suite of every connector that takes notices, over those that another gateway sends for a sale and its refund.
@Suite struct NoticeConformanceTests {
    /// What stands behind `signature=`; the two parts before it prove nothing.
    private static let proof = NoticeProof(.signature) { call in
        call.headers["signature"].flatMap { $0.split(separator: "signature=").last }.map { Array($0.utf8) }
    } replace: { call, proof in
        var headers = call.headers
        headers["signature"] = proof.map {
            "algorithm=RS256,keyVersion=1,signature=\(String(decoding: $0, as: UTF8.self))"
        }
        return NoticeCall(headers: headers, query: call.query, body: call.body, address: call.address)
    }

    private struct NotPaid: Error {}

    /// Performs an operation, and says how it stands and what it is called.
    private static func done(
        _ request: AcquirerRequest, _ kind: PaymentOperation.Kind, by acquirer: any Acquirer
    ) async throws -> OriginalOperation {
        guard case .ready(let memo) = await acquirer.prepare(request),
            case .approved(let approval) = await acquirer.perform(request.with(memo))
        else { throw NotPaid() }
        return Bench.original(
            kind, request.amount, id: request.operationID, memo: memo.merging(approval.memo))
    }

    private static func genuine(_ vendor: Vendor) async throws -> [GenuineNotice] {
        let (amount, part) = (try Bench.money(5000), try Bench.money(2000))
        return try await vendor.withAcquirer { acquirer in
            let customers = Customers(acquirer, of: vendor)
            let sale = try await Self.done(Bench.sale(amount, memo: AcquirerMemo()), .authorization, by: customers)
            let refund = try await Self.done(Bench.refund(part, of: sale), .refund, by: customers)
            var genuine: [GenuineNotice] = []
            for (notification, original) in zip(try await vendor.notifications(), [sale, refund]) {
                genuine.append(
                    GenuineNotice(
                        notification.asCall, of: original.id, handles: original.memo.handles,
                        found: await acquirer.query(Bench.query(original))))
            }
            #expect(genuine.count == 2)
            return genuine
        }
    }

    @Test(arguments: AcquirerNoticeLaw.allCases)
    func keeps(_ law: AcquirerNoticeLaw) async throws {
        let vendor = try await Vendor.open()
        let client = Bench.client()
        let another = try Bench.account(
            host: "http://127.0.0.1:1",
            settings: ["gatewayPublicKey": try Keys.stranger.publicKey.pemRepresentation])
        try await AcquirerNoticeConformance(
            connector: vendor.connector(client), account: try Bench.account(host: "http://127.0.0.1:1"),
            another: another, proof: Self.proof
        ) { try await Self.genuine(vendor) }.check(law)
        await client.shutdown()
    }
}
