//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import AsyncHTTPClient
import DialectKit
import Gateway
import Server
import Storefront
import SwiftASN1
import Synchronization
import Time
import WalletSimulator
import WebFiles
import X509

/// The demo shop and the browser's wallet of a sandbox. They are customers of its gateway: what they need of it goes
/// over HTTP, to the address that is known once it listens.
struct SandboxStorefront: Sendable {
    let services: [any WireService]
    private let address = ShopAddress()
    private let merchants: SandboxMerchants

    init(
        files: WebFiles, cards: [MerchantCard], merchants: SandboxMerchants, gateway: Gateway,
        apple: SimulatedAppleServer?, hosts: KnownHosts, surroundings: Surroundings
    ) throws {
        let directory = merchants.directory
        let authority = try directory.loadAuthority()
        // The page begins with the first: one whose SDK for pages this program has, too.
        let all = try cards.compactMap { try $0.shopAccount(surroundings) }
        let accounts = all.filter { $0.client.pageSDK != nil } + all.filter { $0.client.pageSDK == nil }
        let address = self.address
        let root = try TrustAnchor(certificatePEM: try FileSystem.readText(directory.trustRootPath))
        let keys = DialectModule.all.map { module in
            let card = cards.first { $0.name == module.name }
            return (module.name, (try? card?.value(module.plan.keyName)) ?? module.plan.demoKey)
        }
        self.merchants = merchants
        self.services = [
            WalletService(
                files: files,
                parts: try Self.wallet(authority, cards, apple, surroundings)),
            HostGuard(
                ShopService(
                    files: files,
                    parts: ShopParts(
                        accounts: accounts,
                        wire: .http(HTTPClient.shared) { () throws(ShopWireError) in
                            guard let url = address.url else {
                                throw ShopWireError("The sandbox does not listen for HTTP. Start it with --port.")
                            }
                            return url
                        },
                        view: GatewayView(
                            gateway: gateway, accountKeys: Dictionary(keys) { first, _ in first },
                            verifier: TokenVerifier(trustRoots: [root]), upstream: merchants.chain?.view),
                        shopURL: { address.url }, clock: surroundings.clock, random: surroundings.random)),
                hosts: hosts),
        ]
    }

    private static func wallet(
        _ authority: TestAuthority, _ cards: [MerchantCard], _ apple: SimulatedAppleServer?,
        _ surroundings: Surroundings
    ) throws -> WalletParts {
        var recipients: [String: ProcessingPublicKey] = [:]
        for card in cards {
            let pem = try FileSystem.readText(card.processingCertificatePath)
            recipients[card.merchantIdentifier] = try ProcessingPublicKey(
                certificate: try Certificate(pemEncoded: pem))
        }
        let keys = recipients
        return WalletParts(
            device: SimulatedDevice(authority: authority), recipient: { keys[$0] },
            checkSession: WalletParts.sessionCheck(
                authority: authority, merchantIdentifiers: cards.map(\.merchantIdentifier)),
            apple: {
                let url = apple?.url ?? ""
                return AppleAddresses(
                    validationURL: url + SimulatedMerchantValidation.Endpoint.startSession.path,
                    paymentSessionURL: url + SimulatedMerchantValidation.Endpoint.paymentSession.path)
            }, clock: surroundings.clock)
    }

    /// The sandbox listens: the shop can call it, and merchants whose account has one address for all are notified
    /// there, unless somebody said another.
    func open(at addresses: [ListenerAddress]) async throws {
        guard let url = addresses.first(where: { $0.scheme == .http })?.url else { return }
        self.address.set(url)
        try await self.merchants.notify { "\(url)/shop/notifications/\($0)" }
    }
}

/// Where the sandbox listens, once it does.
private final class ShopAddress: Sendable {
    private let text = Mutex<String?>(nil)

    var url: String? { self.text.withLock { $0 } }

    func set(_ url: String) {
        self.text.withLock { $0 = url }
    }
}
