//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Ledger
import Logging
import Money
import Payments
import Redaction
import Server

extension DemoStory {
    /// The TapPay merchant's money goes through a bank's gateway, which is another one of ours and speaks CommWeb.
    func payThroughAnotherGateway() async throws {
        let module = DialectModule.tapPay
        guard let scene = module.scene, let card = self.application.merchants.first(where: { $0.name == module.name })
        else { return }
        self.printer.step("Through a bank's gateway: TapPay in, CommWeb out")
        var configuration = ApplicationConfiguration.sandbox(
            DataDirectory(path: self.application.directory.path + "/bank"))
        configuration.listeners = [.init(host: "127.0.0.1", port: 0)]
        configuration.hasShop = false
        configuration.logLevel = .critical
        let bank = try await Application.build(configuration)
        try await bank.withRunning { addresses in
            let dialect = UpstreamService.mpgs.dialect.text
            guard let held = bank.merchants.first(where: { $0.name == dialect }), let address = addresses.first else {
                throw CommandFailure(.merchantUnknown, stage: .demo, "The bank has no merchant that speaks CommWeb.")
            }
            try await self.withAccount(at: address.url, held, of: card) { account in
                try await self.play(scene, card)
                try await self.compareBooks(of: account, with: bank.gateway.administration)
            }
        }
    }

    /// Has the merchant's payments take an account at the bank meanwhile.
    private func withAccount(
        at url: String, _ held: MerchantCard, of card: MerchantCard,
        _ body: (AcquirerAccount) async throws -> Void
    ) async throws {
        let administration = self.application.gateway.administration
        let merchant = try await administration.merchant(named: card.name)
        let draft = AcquirerAccountDraft(
            name: "bank", connector: UpstreamService.mpgs.connector,
            settings: ["host": url, "version": "71", "merchantId": try held.value("merchantId")],
            secrets: ["password": Redacted(try held.value("password"))])
        // A kept data directory has the account of an earlier run, with that one's address.
        let account = try await administration.putAcquirerAccount(draft, of: merchant.id)
        self.printer.fact(
            "acquirer account", "bank: connector mpgs, \(url), merchant \(draft.settings["merchantId"] ?? "")")
        let findings = try await administration.checkAcquirerAccount(account)
        for finding in findings { self.printer.fact("checked", "\(finding.subject): \(finding.text)") }
        try self.printer.check("the bank is reached and takes the credentials", findings.allSatisfy(\.isGood))
        let routes = try await administration.routes(of: merchant.id)
        try await administration.setRoutes(of: merchant.id, to: [Route(number: 1, account: account.id)])
        self.printer.fact("route", "every payment of \(merchant.name) takes bank")
        try await body(account)
        try await administration.setRoutes(of: merchant.id, to: routes)
    }

    /// What has moved under the account here must have moved there.
    private func compareBooks(of account: AcquirerAccount, with bank: Administration) async throws {
        let own = self.application.gateway.administration
        let payments = try await own.read { reader in
            try reader.payments(PaymentQuery(merchantID: account.merchantID, limit: 1))
        }
        let theirs = try await bank.read { try $0.payments(PaymentQuery(limit: 1)) }
        guard let payment = payments.first, let other = theirs.first else {
            throw CommandFailure(.paymentUnknown, stage: .demo, "The payment is in neither gateway's books.")
        }
        try self.printer.check(
            "the payment took the account", payment.accountID == account.id && payment.acquirer == account.connector)
        let owed = try await Self.booked(payment, own)
        let booked = try await Self.booked(other, bank)
        self.printer.fact("our books", "\(payment.id): \(payment.state.words), the bank owes \(owed)")
        self.printer.fact("the bank's books", "\(other.id): \(other.state.words), its acquirer owes \(booked)")
        try self.printer.check(
            "both ledgers say the same", owed == booked && owed == payment.amount, "\(owed), \(booked)")
        let reports = [try await own.checkLedger(), try await bank.checkLedger()]
        try self.printer.check("both ledgers are sound", reports.allSatisfy(\.isSound))
    }

    /// What the payment's acquirer owes for it, from its journal.
    private static func booked(_ payment: Payment, _ administration: Administration) async throws -> Money {
        let account = Bookkeeping.receivable(of: payment.accountID)
        let journal = try await administration.read { try $0.journal(of: payment.id) }
        return journal.flatMap(\.postings).filter { $0.account == account && $0.layer == .posted }
            .reduce(Money.zero(payment.amount.currency)) { sum, posting in
                posting.side == .debit ? sum + posting.amount : sum - posting.amount
            }
    }
}
