//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
@_spi(Administration) import Gateway
import Ledger
import Money
import Payments
import Redaction
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing

/// A shop whose acquirer behaves as its account says, and reports by itself.
struct Upstream {
    static let secret = Redacted("notice secret")

    let shop: Shop
    let account: AcquirerAccountID

    static func open(_ settings: [String: String] = [:], log: CapturedLog? = nil) async throws -> Upstream {
        let first = try await Shop.open { $0.log = log?.logger }
        let connector = SimulatorConnector(book: first.book, script: first.script)
        let shop = try await first.restarted { $0.connectors = [connector] }
        let merchant = shop.merchant.merchant.id
        let account = try #require(try await shop.store.read { try $0.acquirerAccounts(of: merchant) }.first)
        try await shop.gateway.administration.changeAcquirerAccount(
            account.id,
            AcquirerAccountChange(
                settings: settings.mapValues { $0 }, secrets: [SimulatorNotice.secretName: self.secret]))
        return Upstream(shop: shop, account: account.id)
    }

    /// Reports something, signed, as over the wire.
    @discardableResult
    func report(
        _ event: String, of operation: OperationID, _ members: [String: JSON] = [:],
        signedBy secret: Redacted<String>? = nil
    ) async -> NoticeAnswer {
        await self.report(event, ["operation": .string(operation.text)].merging(members) { $1 }, signedBy: secret)
    }

    @discardableResult
    func report(
        _ event: String, _ members: [String: JSON], signedBy secret: Redacted<String>? = nil
    ) async -> NoticeAnswer {
        var object = JSONObject()
        object["event"] = .string(event)
        for (name, value) in members { object[name] = value }
        let body = JSON.object(object).serialized()
        let signature = SimulatorNotice.signature(of: body, secret: secret ?? Self.secret)
        return await self.shop.gateway.receive(
            NoticeCall(headers: [SimulatorNotice.signatureHeader: signature], body: body), for: self.account)
    }

    static func json(_ amount: Money) -> JSON {
        ["minorUnits": JSON(amount.minorUnits), "currency": .string(amount.currency.code)]
    }

    /// The balance of the merchant's payable, posted and pending, in minor units.
    func payable(of payment: PaymentID) async throws -> (posted: Int64, held: Int64) {
        let journal = try await self.shop.store.read { try $0.journal(of: payment) }
        var sums = (posted: Int64(0), held: Int64(0))
        for posting in journal.flatMap(\.postings)
        where posting.account == Bookkeeping.payable(to: self.shop.merchant.merchant.id) {
            let signed = posting.side == .credit ? posting.amount.minorUnits : -posting.amount.minorUnits
            if posting.layer == .posted { sums.posted += signed } else { sums.held += signed }
        }
        return sums
    }

    /// What a check of the books finds.
    func problems() async throws -> [String] {
        try await LedgerAudit.run(store: self.shop.store).problems
    }
}
