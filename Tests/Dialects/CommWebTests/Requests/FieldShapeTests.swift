//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import Redaction
import StrictJSON
import Synchronization
import TestGateway
import Testing

@testable import CommWeb

/// The list of fields that have a value of their own is a second list beside the readers: it is theirs, path by path.
@Suite struct FieldShapeTests {
    @Test func theListIsWhatTheReadersRead() async throws {
        let shop = try await CommWebShop.open()
        let caller = try await shop.commWeb.authenticator.caller(
            merchantID: CommWebShop.merchantID,
            credentials: Credentials(
                user: "merchant.\(CommWebShop.merchantID)", password: Redacted(CommWebShop.password)),
            from: WireRequest(method: .post, path: "/"))
        let session = try await SessionTests.id(shop)
        _ = try await SessionTests.update(shop, session, SessionTests.details(shop))
        let filled: [String: JSON] = [
            "order.amount": "1.00", "order.currency": "USD", "session.id": .string(session),
            "transaction.amount": "1.00", "transaction.currency": "USD", "transaction.targetTransactionId": "1",
        ]
        let read = Paths()
        for operation in APIOperation.allCases {
            // Readers stop at the first field that is missing, and read one place of two where the other is filled.
            for leaves in [[:], filled] {
                var fields = RequestFields(leaves: leaves)
                fields.onRead = { read.insert($0) }
                _ = try? APIOperation(reading: fields)
                _ = try Call.correlationID(fields)
                let call = try Call(
                    version: APIVersion(number: 71), operation: operation, orderID: "o1", transactionID: "2",
                    sessionID: session, fields: fields)
                _ = try? await shop.commWeb.perform(call, caller)
                _ = try PaymentFields(reading: call.payload, for: caller.merchant)
            }
        }
        // What is wrong with the token is said where it is read.
        let listed = RequestFields.valuePaths.union([CardFields.tokenPath])
        #expect(read.all.subtracting(listed).sorted() == [], "read, and not in the list")
        #expect(listed.subtracting(read.all).sorted() == [], "in the list, and not read")
    }

    /// Every field of the list, as an object, and below it.
    @Test func anObjectIsNoValue() throws {
        for path in RequestFields.valuePaths {
            let error = #expect(throws: CommWebError.self) {
                try RequestFields(leaves: [path + ".x": "1"]).checkShapes()
            }
            #expect(error?.field == path && error?.code == .fieldInvalid)
            try RequestFields(leaves: [path: "1"]).checkShapes()
        }
    }
}

private final class Paths: Sendable {
    private let paths = Mutex<Set<String>>([])

    var all: Set<String> { self.paths.withLock { $0 } }

    func insert(_ path: String) { self.paths.withLock { _ = $0.insert(path) } }
}
