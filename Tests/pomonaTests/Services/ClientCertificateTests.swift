//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import Server
import StrictJSON
import SwiftASN1
import Testing
import Time
import WalletSimulator
import X509

@testable import pomona

/// Clients that prove themselves in the TLS handshake, against the sandbox's own listener and its CommWeb merchant.
struct ClientCertificateTests {
    @Test func certificateStandsForThePasswordAndMayUnmask() async throws {
        let folder = try CliFolder()
        let application = try await Application.build(Self.configuration(folder))
        try await application.withRunning { addresses in
            let shop = try CommWebShop(application, url: addresses[0].url)
            let client = try shop.client(showing: shop.identity)
            let answer = try await shop.authorize("order-1", unmasking: true, through: client)
            #expect(answer.status == 201)
            let card = answer.body["sourceOfFunds"]?["provided"]?["card"]
            #expect(card?["deviceSpecificNumber"]?.string == "4895370012345671")
            // Asked for later, the number is not there any more.
            let later = try await shop.send("/order/order-1/transaction/1", nil, through: client)
            #expect(later.body["result"]?.string == "SUCCESS")
            #expect(!later.body.text().contains("4895370012345671"))
            try await client.shutdown()
        }
    }

    @Test func withoutACertificateThePasswordIsAskedForAndNothingIsUnmasked() async throws {
        let folder = try CliFolder()
        let application = try await Application.build(Self.configuration(folder))
        try await application.withRunning { addresses in
            let shop = try CommWebShop(application, url: addresses[0].url)
            let client = try shop.client(showing: nil)
            let nobody = try await shop.authorize("order-1", unmasking: false, through: client)
            #expect(nobody.status == 401)
            let password = try await shop.authorize(
                "order-2", unmasking: true, withPassword: true, through: client)
            #expect(password.body["result"]?.string == "ERROR")
            #expect(password.body["error"]?["field"]?.string == "responseControls.sensitiveData")
            try await client.shutdown()
        }
    }

    @Test func certificateOfAnotherAuthorityEndsTheHandshake() async throws {
        let folder = try CliFolder()
        let other = try CliFolder()
        let stranger = try SandboxTLS(
            directory: DataDirectory(path: other.path), host: "localhost", now: Timestamp.now()
        ).clientIdentity(named: "POMONA")
        let application = try await Application.build(Self.configuration(folder))
        try await application.withRunning { addresses in
            let shop = try CommWebShop(application, url: addresses[0].url)
            let client = try shop.client(showing: stranger)
            await #expect(throws: (any Error).self) {
                try await shop.authorize("order-1", unmasking: false, through: client)
            }
            try await client.shutdown()
        }
    }

    /// A certificate of the sandbox's authority that is no merchant's proves nothing.
    @Test func certificateOfNobodyIsNoCredential() async throws {
        let folder = try CliFolder()
        let application = try await Application.build(Self.configuration(folder))
        try await application.withRunning { addresses in
            let shop = try CommWebShop(application, url: addresses[0].url)
            let nobody = try SandboxTLS(
                directory: application.directory, host: "localhost", now: Timestamp.now()
            ).clientIdentity(named: "POMONA")
            let client = try shop.client(showing: nobody)
            #expect(try await shop.authorize("order-1", unmasking: false, through: client).status == 401)
            try await client.shutdown()
        }
    }

    private static func configuration(_ folder: CliFolder) -> ApplicationConfiguration {
        var configuration = ApplicationConfiguration.sandbox(DataDirectory(path: folder.file("data")))
        configuration.listeners = [.init(host: "127.0.0.1", port: 0, tls: .sandboxAuthority)]
        configuration.logLevel = .critical
        return configuration
    }
}

/// The sandbox's CommWeb merchant over HTTPS.
private struct CommWebShop {
    struct Answer {
        let status: UInt
        let body: JSON
    }

    let url: String
    let card: MerchantCard
    let caPath: String
    let identity: (certificatePEM: String, privateKeyPEM: String)
    private let device: SimulatedDevice
    private let recipient: ProcessingPublicKey

    init(_ application: Application, url: String) throws {
        let directory = application.directory
        self.url = url.replacingOccurrences(of: "127.0.0.1", with: "localhost")
        self.card = try directory.loadMerchant("commweb")
        self.caPath = directory.caCertificatePath
        self.identity = (
            try FileSystem.readText(self.card.path("clientCertificate")),
            try FileSystem.readPrivateText(self.card.path("clientKey"))
        )
        self.device = SimulatedDevice(authority: try directory.loadAuthority())
        self.recipient = try ProcessingPublicKey(
            certificate: Certificate(pemEncoded: FileSystem.readText(self.card.processingCertificatePath)))
    }

    func client(showing identity: (certificatePEM: String, privateKeyPEM: String)?) throws -> HTTPClient {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.connectionPool.retryConnectionEstablishment = false
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .file(self.caPath)
        if let identity {
            tls.certificateChain = try NIOSSLCertificate.fromPEMBytes(Array(identity.certificatePEM.utf8))
                .map { .certificate($0) }
            tls.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: Array(identity.privateKeyPEM.utf8), format: .pem))
        }
        configuration.tlsConfiguration = tls
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func authorize(
        _ order: String, unmasking: Bool, withPassword: Bool = false, through client: HTTPClient
    ) async throws -> Answer {
        let token = try self.device.mint(
            PaymentRequest(
                merchantIdentifier: self.card.merchantIdentifier, amountMinorUnits: 1099, currencyCode: "840"),
            card: .visa, recipient: self.recipient, signingTime: .now)
        let device: JSON = ["paymentToken": .string(token.paymentData.text())]
        var body: JSON = [
            "apiOperation": "AUTHORIZE",
            "order": ["amount": "10.99", "currency": "USD", "walletProvider": "APPLE_PAY"],
            "sourceOfFunds": ["type": "CARD", "provided": ["card": ["devicePayment": device]]],
        ]
        if unmasking, var object = body.object {
            object["responseControls"] = ["sensitiveData": "UNMASK"]
            body = .object(object)
        }
        return try await self.send(
            "/order/\(order)/transaction/1", body, withPassword: withPassword, through: client)
    }

    func send(
        _ path: String, _ body: JSON?, withPassword: Bool = false, through client: HTTPClient
    ) async throws -> Answer {
        let merchant = try self.card.value("merchantId")
        var request = HTTPClientRequest(url: "\(self.url)/api/rest/version/71/merchant/\(merchant)\(path)")
        request.method = body == nil ? .GET : .PUT
        request.headers.add(name: "Content-Type", value: "application/json")
        if withPassword {
            let credentials = "merchant.\(merchant):\(try self.card.value("password"))"
            request.headers.add(
                name: "Authorization", value: "Basic " + Data(credentials.utf8).base64EncodedString())
        }
        if let body { request.body = .bytes(ByteBuffer(bytes: body.serialized())) }
        let response = try await client.execute(request, timeout: .seconds(120))
        let bytes = Array(try await response.body.collect(upTo: 1 << 20).readableBytesView)
        return Answer(status: response.status.code, body: try JSON.parse(bytes))
    }
}
