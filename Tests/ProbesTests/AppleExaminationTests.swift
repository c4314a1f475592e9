//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import AppleSessions
import Foundation
import Gateway
import Payments
import TestApple
import TestUpstream
import Testing
import Time
import WalletSimulator

@testable import Probes

/// Apple's host with a merchant's identity: real TLS both ways, and no session asked for.
struct AppleExaminationTests {
    private static func examination(
        _ apple: PretendApple, clock: @escaping @Sendable () -> Timestamp = { Timestamp.now() },
        configure: (inout AppleSessionSettings) -> Void = { _ in }
    ) -> AppleExamination {
        var settings = AppleSessionSettings()
        settings.live = apple.endpoint
        settings.sandbox = apple.endpoint
        configure(&settings)
        return AppleExamination(settings: settings, clock: clock)
    }

    @Test(arguments: [Mode.sandbox, .live])
    func isGoodWhereTheIdentityIsTakenAndAsksForNoSession(mode: Mode) async throws {
        try await PretendApple.run(.answer(200, PretendApple.session)) { apple in
            let identity = try TestIdentity(by: apple.authority).request(mode: mode)
            let findings = await Self.examination(apple).findings([identity], of: "shop")
            let finding = try #require(findings.first)
            #expect(finding.code == "apple_takes_identity" && finding.severity == .good && finding.area == .apple)
            #expect(finding.merchant == "shop" && finding.subject == TestIdentity.merchantIdentifier)
            #expect(apple.requests.isEmpty)
        }
    }

    /// Apple has hosts of its own for China mainland; the simulated Apple stands for all of them.
    @Test func asksChinasHostWhereTheMerchantNeedsIt() async throws {
        try await PretendApple.run(.answer(200, PretendApple.session)) { apple in
            let identity = try TestIdentity(by: apple.authority).request()
            var examination = Self.examination(apple)
            examination.settings.sandboxChina = apple.endpoint
            let both = await examination.findings([identity], of: "shop", inChina: true)
            #expect(both.filter { $0.code == "apple_takes_identity" }.count == 2)
            examination.settings.sandboxChina.port = 1
            let away = await examination.findings([identity], of: "shop", inChina: true)
            #expect(away.filter { $0.area == .apple }.map(\.code) == ["apple_takes_identity", "apple_fails"])
            #expect(await examination.findings([identity], of: "shop").allSatisfy { $0.code != "apple_fails" })
            let endpoint = apple.endpoint
            examination.settings.simulator = { endpoint }
            let simulated = await examination.findings([identity], of: "shop", inChina: true)
            #expect(simulated.filter { $0.area == .apple }.map(\.code) == ["apple_takes_identity"])
        }
    }

    /// Merchants are registered at the hosts that give sessions, with the platform integrator's identity.
    @Test func saysWhetherAPlatformIntegratorCanRegister() async throws {
        try await PretendApple.run(.answer(200, PretendApple.session)) { apple in
            let identifier = "platformintegrator.com.example"
            let platform = MerchantSessionRequest(
                mode: .sandbox, merchantIdentifier: identifier, domainName: "", displayName: "",
                identity: try TestIdentity(by: apple.authority, of: identifier).identity())
            let taken = await Self.examination(apple).findings([platform], of: "platform").first
            #expect(taken?.code == "apple_takes_identity" && taken?.subject == identifier)
            #expect(taken?.text.contains("registrations of merchants") == true)
            var gone = Self.examination(apple)
            gone.settings.sandbox.port = 1
            let failed = await gone.findings([platform], of: "platform").first
            #expect(failed?.code == "apple_fails" && failed?.text.contains("registers no merchants") == true)
        }
    }

    /// TLS 1.3 would let the handshake end before the server has looked.
    @Test func failsWhereTheIdentityIsNotTaken() async throws {
        try await PretendApple.run(.answer(200, PretendApple.session)) { apple in
            let stranger = try TestIdentity(by: try .make(now: .now)).request()
            let findings = await Self.examination(apple).findings([stranger], of: "shop")
            #expect(findings.map(\.code) == ["apple_fails"])
            #expect(findings.first?.severity == .failure)
            #expect(findings.first?.advice?.contains("refused the Merchant Identity Certificate") == true)
        }
    }

    @Test func failsWhereAppleIsNotReachedNotTrustedOrTheKeyDoesNotFit() async throws {
        try await PretendApple.run(.answer(200, PretendApple.session)) { apple in
            let identity = try TestIdentity(by: apple.authority)
            let untrusted = Self.examination(apple, configure: { $0.sandbox.authoritiesPEM = nil })
            let first = await untrusted.findings([identity.request()], of: "shop")
            #expect(first.first?.advice?.contains("could not prove that it is Apple's") == true)
            let other = try TestIdentity(by: apple.authority, key: 1)
            let second = await Self.examination(apple)
                .findings([identity.request(privateKeyPEM: other.privateKeyPEM)], of: "shop")
            #expect(second.first?.advice?.contains("cannot be used together") == true)
            let gone = Self.examination(apple, configure: { $0.sandbox.port = 1 })
            let third = await gone.findings([identity.request()], of: "shop")
            #expect(third.first?.advice?.contains("No connection to Apple") == true)
            #expect((first + second + third).allSatisfy { $0.code == "apple_fails" })
        }
    }

    /// The answer says what second it is there. The clocks are the test's, since a machine with much else to do is late.
    @Test(
        arguments: [
            (0, "clock_agrees"), (999, "clock_agrees"), (2999, "clock_agrees"), (3000, "clock_differs"),
            (-1999, "clock_agrees"), (-2000, "clock_differs"),
        ] as [(Int64, String)])
    func comparesTheClocks(aheadMilliseconds: Int64, code: String) async throws {
        let web = try TestUpstream.TestAuthority("The web's")
        let server = try await StubUpstream(
            tls: try TestUpstream.TestAuthority.server(try web.certify(host: "localhost"))
        ) { _, _ in
            StubAnswer(status: 200, body: "", headers: [(name: "Date", value: "Sun, 06 Nov 1994 08:49:37 GMT")])
        }
        var settings = AppleSessionSettings()
        settings.sandbox = AppleSessionEndpoint(
            host: "localhost", port: server.port, authoritiesPEM: web.certificatePEM)
        let now = Timestamp(seconds: 784_111_777).adding(milliseconds: aheadMilliseconds)
        let identity = try TestIdentity(by: try .make(now: .now)).request()
        let findings = await AppleExamination(settings: settings, clock: { now }).findings([identity], of: "shop")
        await server.close()
        #expect(findings.map(\.code) == ["apple_takes_identity", code])
    }

    @Test func reportsAClockThatIsAhead() async throws {
        try await PretendApple.run(.answer(200, PretendApple.session)) { apple in
            let identity = try TestIdentity(by: apple.authority).request()
            let fast = Self.examination(apple, clock: { Timestamp.now().adding(seconds: 3600) })
            let ahead = await fast.findings([identity], of: "shop")
            #expect(ahead.map(\.code) == ["apple_takes_identity", "clock_differs"])
            #expect(ahead.last?.severity == .failure && ahead.last?.text.contains("ahead of") == true)
        }
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", Timestamp(seconds: 784_111_777)), ("Sunday, 06-Nov-94 08:49:37 GMT", nil),
            ("Sun, 31 Feb 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("", nil),
            ("Sun, 06 Nov 1994 08:49 GMT", nil), ("Sun, 06 Nov 1994 8:x:37 GMT", nil),
        ] as [(String, Timestamp?)])
    func readsDates(text: String, moment: Timestamp?) {
        #expect(HTTPDate.moment(text) == moment)
    }
}
