//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import HTTPTypes
import Payments
import TestGateway
import Testing

@testable import Services

/// The file by which Apple verifies a domain, and what is answered where there is none.
struct WellKnownServiceTests {
    private static func get(_ service: WellKnownService, host: String?) async -> WireResponse {
        await service.respond(
            to: WireRequest(method: .get, path: RegisteredDomain.filePath, authority: host))
    }

    @Test func servesTheFileOfTheHostThatIsAskedFor() async throws {
        let test = try await TestGateway.open()
        let merchant = try await test.addMerchant(dialect: DialectName("test"), key: "TEST")
        let host = try #require(WellKnownHost("shop.example.com"))
        try await test.gateway.administration.addDomain(host, to: merchant.id, file: Array("7B22".utf8))
        let service = WellKnownService(administration: test.gateway.administration)
        let answer = await Self.get(service, host: "Shop.Example.com:443")
        #expect(answer.status == .ok && answer.body == Array("7B22".utf8))
        for host in ["example.com", "..", nil] {
            #expect(await Self.get(service, host: host).status == .notFound)
        }
    }

    /// The server keeps the body back and says how long it is (RFC 9110, section 9.3.2).
    @Test func headIsAnsweredAsGet() async throws {
        let test = try await TestGateway.open()
        let merchant = try await test.addMerchant(dialect: DialectName("test"), key: "TEST")
        let host = try #require(WellKnownHost("shop.example.com"))
        try await test.gateway.administration.addDomain(host, to: merchant.id, file: Array("7B22".utf8))
        let answer = await WellKnownService(administration: test.gateway.administration).respond(
            to: WireRequest(method: .head, path: RegisteredDomain.filePath, authority: host.name))
        #expect(answer.status == .ok && answer.body == Array("7B22".utf8))
    }

    @Test(arguments: WireFailure.everyCase) func everyFailureHasAnAnswer(failure: WireFailure, status: Int) async throws
    {
        let test = try await TestGateway.open()
        let service = WellKnownService(administration: test.gateway.administration)
        let answer = await service.answer(
            to: failure, request: WireRequest(method: .get, path: RegisteredDomain.filePath))
        #expect(answer.status.code == status && !answer.body.isEmpty)
    }
}

extension WireFailure {
    /// With the status that stands for it.
    static let everyCase: [(WireFailure, Int)] = [
        (.pathUnknown, 404), (.methodNotAllowed(allowed: [.get, .head]), 405), (.bodyTooLarge(bytesMax: 0), 413),
        (.bodyIncomplete, 400), (.timedOut, 504), (.overloaded, 503),
    ]
}
