//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerLink
import Administration
import Gateway
import Ledger
import Logging
import Money
import Payments
import Redaction
import SimulatorAcquirer
import TestGateway
import Testing

/// Payments whose first route leads over a link, with real sockets, to an acquirer's process that an operator signs off.
@Suite struct LinkedRoutingTests {
    private static let logger = Logger(label: "link") { _ in SwiftLogNoOpLogHandler() }

    private static func surroundings() -> AcquirerLinkSurroundings {
        AcquirerLinkSurroundings(
            sleep: { _ in try await sleepForEver() },
            random: { count in (0..<count).map { _ in UInt8.random(in: 0...255) } })
    }

    @Test func whatIsSignedOffIsPassedOverUntilItIsSignedOn() async throws {
        let alone = try await Shop.open()
        let far = SharedAcquirerConnector(alone.simulator, takesLive: true)
        let secret = try AcquirerLinkSecret(Redacted([UInt8](repeating: 7, count: 32)))
        let server = AcquirerLinkServer(
            far, secret: secret, surroundings: Self.surroundings(), logger: Self.logger)
        let client = AcquirerLinkClient(
            AcquirerLinkDescription(far),
            at: [AcquirerLinkEndpoint(host: "127.0.0.1", port: try await server.listen(host: "127.0.0.1", port: 0))],
            secret: secret, surroundings: Self.surroundings(), logger: Self.logger)
        let link = AcquirerLinkConnector(far, over: client, surroundings: Self.surroundings())
        let second = SimulatorAcquirer(book: try .inMemory(), name: AcquirerName("second"))
        let shop = try await alone.restarted { $0.connectors = [link, SharedAcquirerConnector(second)] }
        let administration = shop.gateway.administration
        let merchant = shop.merchant.merchant.id
        let fallback = try await administration.addAcquirerAccount(
            AcquirerAccountDraft(name: "second-bank", connector: AcquirerName("second")), to: merchant)
        let known = try await shop.store.read { try $0.acquirerAccounts(of: merchant) }
        let first = try #require(known.first { $0.connector == AcquirerName("simulator") })
        try await administration.setRoutes(
            of: merchant,
            to: [
                Route(number: 1, account: first.id, condition: Route.Condition()),
                Route(number: 2, account: fallback.id, condition: Route.Condition()),
            ])

        var payments: [(id: PaymentID, account: AcquirerAccountID)] = []
        func pay(_ account: AcquirerAccountID) async throws {
            let outcome = try await shop.sell(money(10_00))
            #expect(outcome.operation.state == .succeeded && outcome.payment.accountID == account)
            payments.append((outcome.payment.id, account))
        }
        try await pay(first.id)
        #expect(try await administration.perform("sign-off", for: first)?.isGood == true)
        #expect(client.state == .signedOff && client.readiness == .notReady("signed_off"))
        #expect(try await administration.checkAcquirerAccount(first).contains { !$0.isGood })
        try await pay(fallback.id)
        try await pay(fallback.id)
        #expect(try await administration.perform("sign-on", for: first)?.isGood == true)
        #expect(client.readiness == .ready)
        #expect(try await administration.checkAcquirerAccount(first).allSatisfy(\.isGood))
        try await pay(first.id)

        for payment in payments {
            let isFirst = payment.account == first.id
            #expect(try await shop.book.entries(of: payment.id).count == (isFirst ? 1 : 0))
            #expect(try await second.book.entries(of: payment.id).count == (isFirst ? 0 : 1))
        }
        #expect(try await LedgerAudit.run(store: shop.store).isSound)
        client.close()
        await server.stop()
    }
}
