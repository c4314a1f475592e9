//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ApplePayToken
import Foundation
public import Gateway
public import Ledger
import Money
public import Payments
import Redaction
import StrictJSON
import Time

extension GatewayView {
    /// Looks into a gateway.
    ///
    /// - Parameters:
    ///   - accountKeys: what the wire calls the shop's account in each dialect.
    ///   - upstream: who pays the shop, where that is another gateway.
    public init(
        gateway: Gateway, accountKeys: [String: String], verifier: TokenVerifier, upstream: UpstreamView? = nil
    ) {
        let lens = GatewayLens(gateway: gateway, accountKeys: accountKeys, verifier: verifier, upstream: upstream)
        self.init(
            upstream: upstream.map { Upstream(title: $0.title, opensTokens: $0.opensTokens) },
            tokenStages: { await lens.stages(of: $1, dialect: $0) },
            payment: { await lens.payment($1, dialect: $0, since: $2) },
            merchantSession: { dialect, domain, validationURL throws(ShopWireError) in
                try await lens.merchantSession(dialect: dialect, domain: domain, validationURL: validationURL)
            })
    }
}

/// Another gateway that pays the shop, as far as the page shows it.
public struct UpstreamView: Sendable {
    /// "PAYONE".
    public var title: String
    /// Whether it opens the tokens, so that this gateway cannot.
    public var opensTokens: Bool
    /// The journal of the payment that it has for one of this gateway's; empty while it has none.
    public var journal: @Sendable (Payment) async -> [JournalEntry]

    public init(
        title: String, opensTokens: Bool, journal: @escaping @Sendable (Payment) async -> [JournalEntry]
    ) {
        self.title = title
        self.opensTokens = opensTokens
        self.journal = journal
    }
}

private struct GatewayLens: Sendable {
    let gateway: Gateway
    let accountKeys: [String: String]
    let verifier: TokenVerifier
    let upstream: UpstreamView?

    private func merchant(_ dialect: String) async -> MerchantContext? {
        guard let key = self.accountKeys[dialect] else { return nil }
        return try? await self.gateway.account(dialect: DialectName(dialect), key: key)
    }

    // MARK: - Tokens

    func stages(of token: JSON, dialect: String) async -> [ExchangeEntry] {
        let inspection = TokenInspection(
            parsing: token.serialized(), with: self.verifier, at: self.gateway.now().walletDate)
        return TokenStages.outside(inspection) + (await self.opening(of: token, dialect, inspection))
    }

    private func opening(
        of token: JSON, _ dialect: String, _ inspection: TokenInspection
    ) async -> [ExchangeEntry] {
        guard inspection.isSound else {
            return TokenStages.closed(.init(.skipped, "Not decrypted, because it is not genuine."))
        }
        if let upstream = self.upstream, upstream.opensTokens {
            return TokenStages.closed(.init(.skipped, "Passed on as it is: \(upstream.title) holds the key."))
        }
        guard let merchant = await self.merchant(dialect) else {
            return TokenStages.closed(.init(.skipped, "Not decrypted: the gateway does not know the shop."))
        }
        let keyHash = inspection.parts.first { $0.name == "header.publicKeyHash" }?.value ?? ""
        do throws(GatewayRefusal) {
            let opened = try await self.gateway.openToken(.applePay(json: token), merchant: merchant)
            return TokenStages.inside(opened, keyHash: keyHash)
        } catch .tokenAmountUnreadable {
            return TokenStages.unreadable(GatewayRefusal.tokenAmountUnreadable.explanation, keyHash: keyHash)
        } catch {
            return TokenStages.closed(.init(.failed, error.explanation))
        }
    }

    // MARK: - Payments

    /// An order's payments are found by its name or by the label of their authorization, whichever the dialect has.
    func payment(_ reference: String, dialect: String, since: Timestamp) async -> PaymentView? {
        guard let merchant = await self.merchant(dialect) else { return nil }
        let query = PaymentQuery(
            merchantID: merchant.merchant.id, dialect: DialectName(dialect), from: since, limit: 500)
        let items = try? await self.gateway.paymentItems(query, merchant: merchant)
        let found = items?.first { item in
            item.payment.opening?.labels.reference == reference || item.order?.reference == reference
        }
        guard let payment = found?.payment,
            let journal = try? await self.gateway.journal(of: payment.id, merchant: merchant)
        else { return nil }
        var entries = journal.map { Self.view($0) }
        if let upstream = self.upstream {
            entries += await upstream.journal(payment).map { Self.view($0, at: upstream.title) }
        }
        return PaymentView(
            id: payment.id.text, state: payment.state, instrument: TokenStages.instrument(payment.instrument),
            journal: entries)
    }

    /// - Parameter place: in whose books it stands, where they are not this gateway's.
    private static func view(_ entry: JournalEntry, at place: String? = nil) -> PaymentView.LedgerEntry {
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        let lines = entry.postings.map { posting in
            padded(posting.layer.rawValue, 8) + padded(posting.side.rawValue, 7)
                + padded("\(posting.amount)", 15) + posting.account.path
        }
        return PaymentView.LedgerEntry(
            id: entry.id, title: entry.kind.rawValue + (place.map { " in the books of \($0)" } ?? ""),
            text: lines.joined(separator: "\n"))
    }

    // MARK: - Merchant sessions

    func merchantSession(
        dialect: String, domain: String, validationURL: String
    ) async throws(ShopWireError) -> JSON {
        guard let merchant = await self.merchant(dialect) else {
            throw ShopWireError("The gateway does not know the shop.")
        }
        do throws(GatewayRefusal) {
            let session = try await self.gateway.merchantSession(
                MerchantSessionCommand(
                    merchant: merchant, domainName: domain, validationURL: validationURL))
            guard let json = try? JSON.parse(session.reveal()), json.object != nil else {
                throw GatewayRefusal.merchantSessionFailed(.answerUnreadable)
            }
            return json
        } catch {
            throw ShopWireError(error.explanation)
        }
    }
}
