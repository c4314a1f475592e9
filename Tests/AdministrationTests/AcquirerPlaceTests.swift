//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Payments
import Redaction
import TestGateway
import Testing

/// How a call to an acquirer ended shows what listens at its host: whoever administers one merchant sets none of the
/// gateway's own network.
@Suite struct AcquirerPlaceTests {
    private static func draft(_ host: String, name: String = "bank") -> AcquirerAccountDraft {
        AcquirerAccountDraft(
            name: name, connector: AcquirerName("bank"), settings: ["host": host],
            secrets: ["password": Redacted("open sesame")])
    }

    private func shop(_ test: TestGateway) async throws -> (all: Administration, limited: Administration, Merchant) {
        let administration = test.gateway.administration
        let merchant = try await administration.createMerchant(
            name: "shop", displayName: "Shop", mode: .sandbox, countryCode: "DE")
        return (administration, administration.by(Authority(merchants: [merchant.id])), merchant)
    }

    @Test func whoSeesSomeMerchantsSetsNoHostOfTheInnerNetwork() async throws {
        let (all, limited, merchant) = try await self.shop(
            try await TestGateway.open { $0.connectors.append(Bank()) })
        await expectError(.settingInvalid) {
            _ = try await limited.addAcquirerAccount(Self.draft("store.internal"), to: merchant.id)
        }
        let account = try await limited.addAcquirerAccount(Self.draft("bank.example"), to: merchant.id)
        let inside = AcquirerAccountChange(settings: ["host": "store.internal"])
        await expectError(.settingInvalid) { _ = try await limited.changeAcquirerAccount(account.id, inside) }
        await expectError(.settingInvalid) {
            _ = try await limited.putAcquirerAccount(Self.draft("store.internal"), of: merchant.id)
        }
        // Somebody who sees all merchants may, and nothing else of the account is kept from the others then.
        try await all.changeAcquirerAccount(account.id, inside)
        let changed = try await limited.changeAcquirerAccount(
            account.id, AcquirerAccountChange(settings: ["flavor": "sour", "host": "store.internal"]))
        #expect(changed.settings == ["host": "store.internal", "flavor": "sour"])
    }

    @Test func whereTheInnerNetworkIsAllowedItIsForAll() async throws {
        let (_, limited, merchant) = try await self.shop(
            try await TestGateway.open {
                $0.connectors.append(Bank())
                $0.settings.allowsPrivateAcquirers = true
            })
        let account = try await limited.addAcquirerAccount(Self.draft("store.internal"), to: merchant.id)
        #expect(account.settings["host"] == "store.internal")
    }
}
