//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AppleSessions
import Foundation
import Gateway
import HTTPTypes
import NIOSSL
import Payments
import Redaction
import StrictJSON
import SwiftASN1
import TestApple
import Testing
import WalletSimulator
import X509

/// Merchant sessions from a server that plays Apple's: real TLS both ways, on the loopback interface.
struct AppleSessionTests {
    /// What a client says that gets no session.
    private func reason(_ client: AppleSessionClient, _ request: MerchantSessionRequest) async -> String? {
        let error = await #expect(throws: MerchantSessionFailure.self) { try await client.request(request) }
        await client.shutdown()
        return error?.rawValue
    }

    @Test(arguments: [Mode.sandbox, .live])
    func sessionIsAskedForWithTheMerchantsIdentityAndHandedOnAsItCame(mode: Mode) async throws {
        try await PretendApple.run(.answer(200, PretendApple.session)) { apple in
            let client = apple.client()
            let session = try await client.request(try TestIdentity(by: apple.authority).request(mode: mode))
            #expect(String(decoding: session.reveal(), as: UTF8.self) == PretendApple.session, "byte for byte")
            #expect(apple.requests.count == 1)
            let asked = try #require(apple.requests.first)
            #expect(asked.path == "/paymentservices/paymentSession")
            #expect(asked.subject.contains(TestIdentity.merchantIdentifier))
            let expected: JSON = [
                "merchantIdentifier": .string(TestIdentity.merchantIdentifier), "displayName": "Shop",
                "initiative": "web", "initiativeContext": "shop.example.com",
            ]
            #expect(try JSON.parse(asked.body) == expected)
            await client.shutdown()
        }
    }

    @Test func earlierCallIsMadeWhereThePageAsksForIt() async throws {
        try await PretendApple.run(.answer(200, PretendApple.session)) { apple in
            let client = apple.client()
            let identity = try TestIdentity(by: apple.authority)
            let base = "https://localhost:\(apple.endpoint.port)/paymentservices/"
            _ = try await client.request(identity.request(validationURL: base + "startSession"))
            _ = try await client.request(identity.request(validationURL: base + "paymentSession"))
            #expect(
                apple.requests.map(\.path) == [
                    "/paymentservices/startSession", "/paymentservices/paymentSession",
                ])
            let expected: JSON = [
                "merchantIdentifier": .string(TestIdentity.merchantIdentifier), "domainName": "shop.example.com",
                "displayName": "Shop",
            ]
            #expect(try JSON.parse(try #require(apple.requests.first).body) == expected)
            await client.shutdown()
        }
    }

    @Test(
        arguments: [
            (
                400, "{\"statusMessage\":\"x not registered for domain=y\",\"statusCode\":\"400\"}",
                "domain_not_registered"
            ),
            (417, "{\"statusMessage\":\"x not registered for domain=y\"}", "domain_not_registered"),
            (417, "{\"statusMessage\":\"unauthorized\",\"statusCode\":\"417\"}", "merchant_not_registered"),
            (417, "", "merchant_not_registered"), (400, "{}", "request_refused"), (400, "<html>", "request_refused"),
            (404, "{}", "request_refused"), (401, "{}", "identity_refused"), (403, "{}", "identity_refused"),
            (429, "{}", "apple_unavailable"), (301, "{}", "redirected"), (307, "{}", "redirected"),
            (200, "<html>", "answer_unreadable"), (200, "", "answer_unreadable"), (200, "[{}]", "answer_unreadable"),
            (200, "{\"a\":1,\"a\":2}", "answer_unreadable"), (204, "", "answer_unreadable"),
            (202, "{}", "answer_unreadable"),
        ])
    func reportsInAWordWhatAppleSaidAndAsksNoMore(_ status: Int, _ body: String, _ word: String) async throws {
        try await PretendApple.run(.answer(status, body)) { apple in
            let request = try TestIdentity(by: apple.authority).request()
            #expect(await self.reason(apple.client(), request) == word)
            #expect(apple.requests.count == 1)
        }
    }

    @Test func redirectsAreNotFollowed() async throws {
        try await PretendApple.run(.answer(200, "{}")) { other in
            let elsewhere = "https://localhost:\(other.endpoint.port)/paymentservices/paymentSession"
            try await PretendApple.run(.answer(307, "{}", headers: [.location: elsewhere])) { apple in
                let request = try TestIdentity(by: apple.authority).request()
                #expect(await self.reason(apple.client(), request) == "redirected")
                #expect(other.requests.isEmpty)
            }
        }
    }

    @Test(arguments: [200, 400]) func answersThatAreTooLongAreNotRead(status: Int) async throws {
        let long = "{\"a\":\"\(String(repeating: "x", count: 65 * 1024))\"}"
        try await PretendApple.run(.answer(status, long)) { apple in
            let word = status == 200 ? "answer_too_large" : "request_refused"
            let request = try TestIdentity(by: apple.authority).request()
            #expect(await self.reason(apple.client(), request) == word)
            #expect(apple.requests.count == 1)
        }
    }

    // MARK: Once more, and only then

    @Test(arguments: [500, 502, 503, 504]) func asksOnceMoreAfterAFaultOfTheServer(status: Int) async throws {
        try await PretendApple.run(.answer(status, "x"), .answer(200, PretendApple.session)) { apple in
            let client = apple.client()
            _ = try await client.request(try TestIdentity(by: apple.authority).request())
            #expect(apple.requests.count == 2)
            await client.shutdown()
        }
    }

    @Test func asksOnceMoreAfterALostConnection() async throws {
        try await PretendApple.run(.hangUp, .answer(200, PretendApple.session)) { apple in
            let client = apple.client()
            _ = try await client.request(try TestIdentity(by: apple.authority).request())
            #expect(apple.requests.count == 2)
            await client.shutdown()
        }
    }

    @Test func asksNoThirdTime() async throws {
        try await PretendApple.run(.answer(503, "x")) { apple in
            let request = try TestIdentity(by: apple.authority).request()
            #expect(await self.reason(apple.client(), request) == "apple_unavailable")
            #expect(apple.requests.count == 2)
        }
        try await PretendApple.run(.hangUp) { apple in
            let request = try TestIdentity(by: apple.authority).request()
            #expect(await self.reason(apple.client(), request) == "connection_failed")
            #expect(apple.requests.count == 2)
        }
    }

    @Test func refusalAfterAFaultIsTheLastWord() async throws {
        try await PretendApple.run(.answer(503, "x"), .answer(417, "{}"), .answer(200, "{}")) { apple in
            let request = try TestIdentity(by: apple.authority).request()
            #expect(await self.reason(apple.client(), request) == "merchant_not_registered")
            #expect(apple.requests.count == 2)
        }
    }

    @Test func saysThatNobodyListens() async throws {
        let authority = try TestAuthority.make(now: .now)
        var settings = AppleSessionSettings()
        // The discard port: nobody listens there who speaks TLS.
        settings.simulator = { AppleSessionEndpoint(host: "127.0.0.1", port: 9) }
        let client = AppleSessionClient(settings: settings, sleep: TestSleep.forever)
        let request = try TestIdentity(by: authority).request()
        #expect(await self.reason(client, request) == "connection_failed")
    }

    // MARK: The deadline

    @Test(arguments: [PretendApple.Act.wait, .stall])
    func givesUpWhenTheTimeIsOver(act: PretendApple.Act) async throws {
        try await PretendApple.run(act) { apple in
            // The time is over as soon as the request has arrived.
            let client = apple.client { milliseconds in
                #expect(milliseconds == 10_000)
                await apple.untilAsked()
            }
            let request = try TestIdentity(by: apple.authority).request()
            #expect(await self.reason(client, request) == "timed_out")
            #expect(apple.requests.count == 1)
        }
    }

    @Test func deadlineIsOverBothAttempts() async throws {
        try await PretendApple.run(.answer(503, "x"), .wait) { apple in
            let client = apple.client { _ in
                await apple.untilAsked()
                await apple.untilAsked()
            }
            let request = try TestIdentity(by: apple.authority).request()
            #expect(await self.reason(client, request) == "timed_out")
            #expect(apple.requests.count == 2)
        }
    }

    // MARK: Who is who

    @Test(arguments: [TLSVersion.tlsv12, .tlsv13])
    func saysThatAppleRefusedAForeignIdentity(version: TLSVersion) async throws {
        let foreign = try TestAuthority.make(now: .now)
        try await PretendApple.run(.answer(200, "{}"), maximumTLS: version) { apple in
            let request = try TestIdentity(by: foreign).request()
            #expect(await self.reason(apple.client(), request) == "identity_refused")
            #expect(apple.requests.isEmpty)
        }
    }

    @Test(arguments: [TLSVersion.tlsv12, .tlsv13])
    func saysThatAppleRefusedAnExpiredIdentity(version: TLSVersion) async throws {
        try await PretendApple.run(.answer(200, "{}"), maximumTLS: version) { apple in
            let expired = try TestIdentity(
                by: apple.authority, issued: Date.now.addingTimeInterval(-3 * 365 * 86_400))
            #expect(await self.reason(apple.client(), expired.request()) == "identity_refused")
            #expect(apple.requests.isEmpty)
        }
    }

    /// The gateway finds it before.
    @Test func saysThatAppleRefusedACertificateOfTheOtherKind() async throws {
        try await PretendApple.run(.answer(200, "{}"), maximumTLS: .tlsv13) { apple in
            let processing = try TestIdentity(by: apple.authority, kind: .paymentProcessing)
            #expect(await self.reason(apple.client(), processing.request()) == "identity_refused")
            #expect(apple.requests.isEmpty)
        }
    }

    @Test func givesItsIdentityToNobodyElse() async throws {
        try await PretendApple.run(.answer(200, "{}")) { apple in
            var settings = AppleSessionSettings()
            var endpoint = apple.endpoint
            endpoint.authoritiesPEM = try apple.authority.rootCertificate.serializeAsPEM().pemString
            settings.simulator = { [endpoint] in endpoint }
            let client = AppleSessionClient(settings: settings, sleep: TestSleep.forever)
            let request = try TestIdentity(by: apple.authority).request()
            #expect(await self.reason(client, request) == "server_not_trusted")
            #expect(apple.requests.isEmpty)
        }
    }

    @Test func refusesAServerOfAnotherName() async throws {
        try await PretendApple.run(.answer(200, "{}")) { apple in
            var settings = AppleSessionSettings()
            var endpoint = apple.endpoint
            // Another address of the loopback interface, which its certificate does not name.
            endpoint.host = "127.0.0.2"
            settings.simulator = { [endpoint] in endpoint }
            let client = AppleSessionClient(settings: settings, sleep: TestSleep.forever)
            let request = try TestIdentity(by: apple.authority).request()
            #expect(["server_not_trusted", "connection_failed"].contains(await self.reason(client, request)))
            #expect(apple.requests.isEmpty)
        }
    }

    @Test func refusesAnIdentityThatIsNone() async throws {
        try await PretendApple.run(.answer(200, "{}")) { apple in
            let identity = try TestIdentity(by: apple.authority)
            let other = try TestIdentity(by: apple.authority, key: 1)
            for key in ["none", other.privateKeyPEM] {
                let request = identity.request(privateKeyPEM: key)
                #expect(await self.reason(apple.client(), request) == "identity_unusable")
            }
            #expect(apple.requests.isEmpty)
        }
    }

    // MARK: Connections

    @Test func keepsOneConnectionForAnIdentityAndNeverSharesIt() async throws {
        try await PretendApple.run(.answer(200, PretendApple.session)) { apple in
            let client = apple.client()
            let first = try TestIdentity(by: apple.authority)
            let second = try TestIdentity(by: apple.authority, key: 1, of: "merchant.com.example.other")
            for identity in [first, second, first, second] { _ = try await client.request(identity.request()) }
            let ports = apple.requests.map(\.clientPort)
            #expect(ports[0] == ports[2] && ports[1] == ports[3] && ports[0] != ports[1])
            #expect(
                apple.requests.map { $0.subject.contains("merchant.com.example.other") } == [false, true, false, true])
            #expect(client.identitiesCount == 2)
            await client.shutdown()
            #expect(client.identitiesCount == 0)
        }
    }

    @Test func closesTheIdentityThatWasUsedLongestAgo() async throws {
        try await PretendApple.run(.answer(200, PretendApple.session)) { apple in
            let client = apple.client(identitiesMax: 1)
            let first = try TestIdentity(by: apple.authority)
            let second = try TestIdentity(by: apple.authority, key: 1)
            for identity in [first, second, first] {
                _ = try await client.request(identity.request())
                #expect(client.identitiesCount == 1)
            }
            #expect(Set(apple.requests.map(\.clientPort)).count == 3)
            await client.shutdown()
        }
    }

    @Test func afterTheEndNobodyIsAsked() async throws {
        try await PretendApple.run(.answer(200, PretendApple.session)) { apple in
            let client = apple.client()
            await client.shutdown()
            let request = try TestIdentity(by: apple.authority).request()
            #expect(await self.reason(client, request) == "not_connected")
            #expect(apple.requests.isEmpty)
        }
    }

    @Test func endInTheMiddleOfARequestEndsItToo() async throws {
        try await PretendApple.run(.wait) { apple in
            let client = apple.client()
            let request = try TestIdentity(by: apple.authority).request()
            async let reason = self.reason(client, request)
            await apple.untilAsked()
            await client.shutdown()
            #expect(await reason == "connection_failed")
            #expect(client.identitiesCount == 0)
        }
    }
}
