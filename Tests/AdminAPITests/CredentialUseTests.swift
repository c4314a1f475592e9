//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import HTTPTypes
import Payments
import StrictJSON
import TestGateway
import Testing
import Time

@testable import AdminAPI

/// An account says when its credentials were last used, and by whom.
@Suite struct CredentialUseTests {
    @Test func rotationShowsTheUseOfBothAndNeitherStandsInTheWayOfAChange() async throws {
        let desk = try await Desk.open()
        try await desk.makeShop()
        let path = "/merchants/shop/accounts/payone"
        func credential() async throws -> JSON? {
            try await desk.expect(200, .get, path).json["credentials"]?.array?.first
        }
        let unused: JSON = [
            "name": "key", "replacedStillAccepted": false, "lastUsed": .null, "previousLastUsed": .null,
        ]
        #expect(try await desk.expect(200, .get, path).json["credentials"] == [unused])

        let before = try await desk.expect(200, .get, path)
        let key = try #require(before.json["account"]?.string)
        func use(_ place: String, from address: String?, _ client: String) async throws -> JSON {
            let found = try await desk.test.gateway.account(dialect: DialectName("payone"), key: key)
            desk.test.gateway.noteUse(of: place, by: try #require(found), from: address, client: client)
            try await desk.test.gateway.writeCredentialUses()
            return [
                "at": .string(desk.test.clock.now.description), "from": address.map { .string($0) } ?? .null,
                "client": .string(client),
            ]
        }
        let old = try await use("key", from: "192.0.2.1", "curl/8.5.0")
        #expect(try await credential()?["lastUsed"] == old)
        // A use is no change of the account: who has read it before may save.
        #expect(try await desk.expect(200, .get, path).tag == before.tag)
        let saved = try await desk.expect(
            200, .patch, "\(path)/settings", ["settings": ["captureModeDefault": "completed"]], tag: before.tag)
        #expect(saved.json["credentials"]?.array?.first?["lastUsed"] == old)

        try await desk.expect(200, .post, "\(path)/credentials/key/rotate", key: "rotate")
        #expect(try await credential()?["lastUsed"] == .null)
        #expect(try await credential()?["previousLastUsed"] == old)
        #expect(try await credential()?["replacedStillAccepted"] == true)
        desk.test.clock.advance(seconds: 700)
        let new = try await use("key", from: nil, "<b>shop</b>")
        #expect(try await credential()?["lastUsed"] == new)
        #expect(try await credential()?["previousLastUsed"] == old)
        let listed = try await desk.expect(200, .get, "/merchants/shop/accounts").json["data"]?.array?.first
        #expect(listed?["credentials"]?.array?.first == (try await credential()))

        try await desk.expect(200, .post, "\(path)/credentials/key/revoke", key: "revoke")
        #expect(try await credential()?["lastUsed"] == new)
        #expect(try await credential()?["previousLastUsed"] == .null)
        // The one that is now replaced takes its use along, and nothing of the one before it is left.
        try await desk.expect(200, .post, "\(path)/credentials/key/rotate", key: "again")
        #expect(try await credential()?["lastUsed"] == .null)
        #expect(try await credential()?["previousLastUsed"] == new)
    }
}
