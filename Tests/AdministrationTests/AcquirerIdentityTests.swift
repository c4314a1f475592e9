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

/// An acquirer that is asked for a payment under another name than it was made with says that it never was.
@Suite struct AcquirerIdentityTests {
    private func books() async throws -> ReportBooks {
        let test = try await TestGateway.open { $0.connectors.append(Bank()) }
        let administration = test.gateway.administration
        let merchant = try await administration.createMerchant(
            name: "shop", displayName: "Shop", mode: .sandbox, countryCode: "DE")
        var draft = AcquirerAccountDraft(name: "bank", connector: AcquirerName("bank"))
        draft.settings = ["host": "bank.example", "member": "M1"]
        draft.secrets["password"] = Redacted("open sesame")
        let account = try await administration.addAcquirerAccount(draft, to: merchant.id)
        return ReportBooks(test: test, merchant: merchant, account: account)
    }

    private func become(_ member: String?, _ books: ReportBooks) async throws {
        try await books.administration.changeAcquirerAccount(
            books.account.id, AcquirerAccountChange(settings: ["member": member]))
    }

    @Test func accountWithPaymentsStaysWhoItIs() async throws {
        let books = try await self.books()
        let at = try moment("2026-10-25T10:00:00Z")
        try await self.become("M2", books)
        // A payment that was never made anywhere does not need it.
        _ = try await books.sell(try ReportBooks.money(100_00), at: at, failing: true)
        try await self.become("M3", books)
        _ = try await books.sell(try ReportBooks.money(100_00), at: at)
        for member in ["M4", nil] {
            try await books.expect(.acquirerHasPayments) { administration in
                try await administration.changeAcquirerAccount(
                    books.account.id, AcquirerAccountChange(settings: ["member": member]))
            }
        }
        // What does not name anybody can be changed, and who is named again is the same.
        try await books.administration.changeAcquirerAccount(
            books.account.id, AcquirerAccountChange(settings: ["member": "M3", "flavor": "sour"]))
        let account = try await books.store.read { try $0.acquirerAccount(books.account.id) }
        #expect(account?.settings == ["host": "bank.example", "member": "M3", "flavor": "sour"])
    }
}
