//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import HTTPTypes
import Money
import Payments
import TestGateway
import Time

/// What is seen of credentials in use, so that whoever has rotated one knows when the old one can go.
extension DialectProbe {
    private static let address = "192.0.2.1"
    private static let client = "Shop/1.2"

    private var gateway: Gateway { self.test.gateway }

    /// The account's credentials, after what was seen of them has been written.
    private func credentials() async throws -> [CredentialState] {
        try await self.gateway.writeCredentialUses()
        let (id, name) = (self.shop.merchant.id, self.shop.merchant.dialect)
        let plan = type(of: self.shop.dialect).accounts
        return try await self.gateway.administration.read { reader in
            let account = try reader.account(dialect: name, merchant: id)
            return account?.credentials(plan, try CredentialUses(of: id, in: reader)) ?? []
        }
    }

    /// The one by which requests are proved.
    private func credential(_ name: String) async throws -> CredentialState {
        let all = try await self.credentials()
        guard let found = all.first(where: { $0.name == name }) else {
            throw self.broken("the credential \(name)", all.map(\.name).joined(separator: " "))
        }
        return found
    }

    /// A new payment, whose request comes from the merchant's server.
    private func pay(_ name: String, after seconds: Int64) async throws {
        self.test.clock.advance(seconds: seconds)
        var subject = Subject(name: name)
        let call = self.call(try self.charge(self.shop.money(1000)), &subject)
        var request = try await self.driver.request(call, in: self.shop)
        request.remoteAddress = Self.address
        request.headers[.userAgent] = Self.client
        let (response, answer) = try await self.send(request, of: call)
        try self.expect(answer, response, .approved, "the payment \(name)")
    }

    /// A credential that was wrong is none; one that was replaced is seen as that; and none is written more often than
    /// once in ten minutes.
    func showsWhichCredentialIsUsed() async throws {
        var subject = Subject(name: "p0")
        let call = self.call(try self.charge(self.shop.money(1000)), &subject)
        let good = try await self.driver.request(call, in: self.shop)
        try await self.gateway.writeCredentialUses()
        self.test.clock.advance(seconds: 600)
        let renewed = try self.driver.renewed(good, in: self.shop)
        for (index, wrong) in try self.driver.withWrongCredentials(renewed, in: self.shop).enumerated() {
            var request = wrong.request
            request.remoteAddress = "198.51.100.\(index)"
            _ = try await self.send(request, of: nil)
        }
        let written = try await self.gateway.writeCredentialUses()
        try self.expect(written == 0, "no use by who was refused", found: "\(written)")

        try await self.pay("p1", after: 600)
        // A key that has two names may be chosen by the second: its public half.
        let used = try await self.credentials().last { $0.lastUse?.from == Self.address }
        guard let used, let use = used.lastUse else {
            throw self.broken("a credential that was used from \(Self.address)", "none")
        }
        try self.expect(
            use.at == self.test.clock.now && use.client == Self.client, "when, and by what", found: use.sentence)
        try self.expect(
            !used.isReplacedAccepted && used.lastUseOfReplaced == nil, "no other one", found: "another one")

        try await self.pay("p2", after: 10)
        let soon = try await self.credential(used.name)
        try self.expect(soon.lastUse == use, "nothing written within ten minutes", found: "a later use")

        let plan = type(of: self.shop.dialect).accounts
        let merchant = self.shop.merchant.merchant
        _ = try await self.gateway.administration.rotateCredential(
            used.name, of: merchant, plan, .test, chosen: "the-new-one-of-a-test")
        let rotated = try await self.credential(used.name)
        try self.expect(
            rotated.isReplacedAccepted && rotated.lastUse == nil && rotated.lastUseOfReplaced == use,
            "the use of the one that was replaced", found: "\(rotated)")
        try await self.pay("p3", after: 600)
        let both = try await self.credential(used.name)
        try self.expect(
            both.lastUse == nil && both.lastUseOfReplaced?.at == self.test.clock.now,
            "a later use of the one that was replaced", found: "\(both)")

        try await self.gateway.administration.revokeCredential(used.name, of: merchant, plan)
        let alone = try await self.credential(used.name)
        try self.expect(
            !alone.isReplacedAccepted && alone.lastUse == nil && alone.lastUseOfReplaced == nil,
            "nothing of the one that is refused", found: "\(alone)")
    }
}
