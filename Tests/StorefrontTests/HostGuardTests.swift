//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import StrictJSON
import Testing
import WebFiles

@testable import Storefront

/// A page of anybody's that has its name resolve to this machine.
struct HostGuardTests {
    static let hosts = KnownHosts(["0.0.0.0", "Devbox.example.com", "devbox"])

    @Test(arguments: [
        nil, "127.0.0.1", "127.0.0.1:8080", "192.0.2.7:1", "[::1]:8080", "[2001:db8::1]", "localhost", "LOCALHOST:8080",
        "shop.localhost:8080", "devbox", "devbox.example.com:8080", "DEVBOX.example.com.",
    ])
    func knownNamesAreServed(authority: String?) {
        #expect(Self.hosts.contains(authority))
    }

    @Test(arguments: [
        "evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example", "notlocalhost",
        "devbox.evil.example", "1.2.3", "[::1", "", ":8080", "devbox@evil.example", "127.0.0.1@evil.example",
    ])
    func otherNamesAreNot(authority: String) {
        #expect(!Self.hosts.contains(authority))
    }

    @Test(arguments: ["/", "/shop/index.html", "/shop/api/config"])
    func everyRouteOfTheShopAsksForTheHost(path: String) async throws {
        let shop = try await ShopFixture.open()
        let guarded = HostGuard(shop.service, hosts: Self.hosts)
        #expect(guarded.label == "shop" && guarded.pathPrefixes == shop.service.pathPrefixes)
        #expect(guarded.routes.count == shop.service.routes.count)
        let known = WireRequest(method: .get, path: path, authority: "localhost:8080")
        #expect(await guarded.respond(to: known).status == .ok)
        let strange = WireRequest(method: .get, path: path, authority: "evil.example:8080")
        let refused = await guarded.respond(to: strange)
        #expect(refused.status.code == 421)
        #expect(try JSON.parse(refused.body)["error"]?["code"]?.string == "host_unknown")
    }

    @Test func nothingIsDoneForAStrangeHost() async throws {
        let shop = try await ShopFixture.open()
        let guarded = HostGuard(shop.service, hosts: Self.hosts)
        let body: JSON = ["dialect": "commweb", "items": [["id": "teapot", "quantity": 1]], "shippingId": "pickup"]
        for (authority, status) in [("evil.example", 421), ("localhost", 200)] {
            let request = WireRequest(
                method: .post, path: "/shop/api/orders", headers: [.contentType: "application/json"],
                authority: authority, body: body.serialized())
            #expect(await guarded.respond(to: request).status.code == status)
        }
        let unknown = await guarded.respond(to: WireRequest(method: .get, path: "/none", authority: "evil.example"))
        #expect(unknown.status == .notFound)
    }
}
