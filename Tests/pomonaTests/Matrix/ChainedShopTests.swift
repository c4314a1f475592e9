//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Logging
import Payments
import Server
import SimulatorAcquirer
import StrictJSON
import Testing

@testable import pomona

/// The demo shop of a chained sandbox: from the sheet through both gateways, with the books of both beside it.
struct ChainedShopTests {
    private static func configuration(_ directory: DataDirectory) -> ApplicationConfiguration {
        var configuration = ApplicationConfiguration.sandbox(directory)
        configuration.listeners = [
            ApplicationConfiguration.Listener(host: "127.0.0.1", port: 0),
            ApplicationConfiguration.Listener(host: "127.0.0.1", port: 0, tls: .sandboxAuthority),
        ]
        configuration.applePort = 0
        configuration.logLevel = .critical
        return configuration
    }

    private static func withChain(
        _ service: UpstreamService, in directory: DataDirectory,
        _ body: @escaping @Sendable (Application, SandboxChain, StorefrontTests.Page) async throws -> Void
    ) async throws {
        let listener = ApplicationConfiguration.Listener(host: "127.0.0.1", port: 0)
        try await SandboxChain.withService(service, of: directory, at: listener, through: nil) { chain in
            var configuration = Self.configuration(directory)
            configuration.chain = chain
            let application = try await Application.build(configuration)
            try await application.withRunning { addresses in
                try await body(application, chain, StorefrontTests.Page(url: addresses[0].url))
            }
        }
    }

    private static func pay(_ name: String, _ page: StorefrontTests.Page) async throws -> (order: JSON, paid: JSON) {
        let dialects = try await page.call("/shop/api/config")["dialects"]?.array ?? []
        let dialect = try #require(dialects.first { $0["name"]?.string == name })
        let order = try await page.order(dialect)
        let token = try await page.token(dialect, order)
        return (order, try await page.perform("pay", order, ["token": token]))
    }

    @Test func panelShowsTheBooksOfBoth() async throws {
        let folder = try CliFolder()
        try await Self.withChain(.payone, in: DataDirectory(path: folder.file("data"))) { _, chain, page in
            let (order, paid) = try await Self.pay("payone", page)
            #expect(paid["status"]?.string == "approved", "\(paid.text())")
            let captured = try await page.perform("capture", order)
            #expect(captured["status"]?.string == "approved", "\(captured.text())")
            let titles = try await page.entries("ledger", of: order).compactMap { $0["title"]?.string }
            #expect(titles.contains { $0.contains("capture") && !$0.contains("PAYONE") }, "\(titles)")
            #expect(titles.contains { $0.contains("capture in the books of PAYONE") }, "\(titles)")
            let stages = try await page.entries("token", of: order).map { $0.text() }
            #expect(stages.contains { $0.contains("PAYONE holds the key") }, "\(stages)")
            let upstream = try await chain.administration.read { try $0.payments(PaymentQuery()) }
            #expect(upstream.map(\.state) == [.captured])
        }
    }

    /// The same data directory with another service, and with none.
    @Test func merchantsCanBeLedElsewhereAtTheNextStart() async throws {
        let folder = try CliFolder()
        let directory = DataDirectory(path: folder.file("data"))
        for service in [UpstreamService.mpgs, .radial, .mpgs] {
            try await Self.withChain(service, in: directory) { application, _, page in
                #expect(try await Self.pay("commweb", page).paid["status"]?.string == "approved")
                let payment = try await application.gateway.administration.read { try $0.payments(PaymentQuery()) }
                #expect(payment.first?.acquirer == service.connector)
            }
        }
        let alone = try await Application.build(Self.configuration(directory))
        try await alone.withRunning { addresses in
            let page = StorefrontTests.Page(url: addresses[0].url)
            #expect(try await Self.pay("commweb", page).paid["status"]?.string == "approved")
            let payments = try await alone.gateway.administration.read { try $0.payments(PaymentQuery()) }
            #expect(payments.first?.acquirer == SimulatorConnector.name)
        }
    }

    @Test(arguments: [
        ["--upstream", "stripe"], ["--upstream-port", "8090"], ["--upstream-url", "http://127.0.0.1:1"],
        ["--upstream", "payone", "--upstream-url", "http://10.0.0.1:1"],
        ["--upstream", "payone", "--acquirer", "tcp://127.0.0.1:1"],
        ["--upstream", "payone", "--upstream-port", "8080"],
    ])
    func refusesWhatMakesNoSense(_ arguments: [String]) async throws {
        let folder = try CliFolder()
        let result = try await CliTool.pomona(["sandbox", "--data", folder.file("data")] + arguments)
        #expect(result.exitCode == 64, "\(result.stderr)")
    }
}
