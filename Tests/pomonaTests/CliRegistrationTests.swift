//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Payments
import StrictJSON
import Testing

@testable import pomona

/// A merchant is registered at the simulated Apple beside the gateway that runs on the store.
@Suite("pomona merchant register")
struct CliRegistrationTests {
    private func pomona(
        _ words: [String], _ arguments: [String], _ bench: PlatformRegistrationTests.Bench, platform: String? = nil
    ) async throws -> CliResult {
        let url = try #require(bench.application.apple?.url)
        return try await CliTool.pomona(
            ["merchant"] + words + ["shop"] + arguments + [
                "--platform", platform ?? ApplicationConfiguration.sandboxPlatformMerchant, "--apple", url,
                "--data", bench.application.directory.path, "--json",
            ])
    }

    @Test func merchantIsRegisteredShownAndUnregistered() async throws {
        try await PlatformRegistrationTests.run { bench in
            let before = try await self.pomona(["registration"], [], bench)
            #expect(try before.json()["registered"] == .null, "\(before.stdout)\(before.stderr)")
            let made = try await self.pomona(
                ["register"],
                [
                    "--domain", "a.example", "--domain", "b.example", "--encrypt-to", "merchant.com.example.shop",
                    "--url", "https://shop.example",
                ], bench)
            let registered = try made.json()["registered"]
            #expect(registered?["domainNames"] == ["a.example", "b.example"], "\(made.stdout)\(made.stderr)")
            #expect(registered?["merchantName"] == "The shop" && registered?["merchantURL"] == "https://shop.example")
            #expect(registered?["encryptTo"] == "merchant.com.example.shop")
            #expect(try await bench.standing().registration?.domainNames == ["a.example", "b.example"])
            let less = try await self.pomona(
                ["unregister"], ["--domain", "a.example", "--reason", "It has moved."], bench)
            #expect(try less.json()["registered"]?["domainNames"] == ["b.example"], "\(less.stdout)\(less.stderr)")
            let none = try await self.pomona(
                ["unregister"], ["--domain", "b.example", "--reason", "It has moved."], bench)
            #expect(try none.json()["registered"] == .null, "\(none.stdout)\(none.stderr)")
            let acts = try await bench.administration.read { try $0.auditEntries(after: 0, limit: 1000) }
                .map(\.act).filter { $0.name.hasPrefix("registration.") }
            #expect(acts == [.registrationMake, .registrationEnd, .registrationEnd])
        }
    }

    @Test func refusesWhatCannotBeRegistered() async throws {
        try await PlatformRegistrationTests.run { bench in
            let register = ["--encrypt-to", "merchant.com.example.shop", "--domain"]
            let strange = try await self.pomona(["register"], register + ["c.example"], bench)
            #expect(strange.exitCode == 1 && strange.errorCode == "registration_invalid")
            let nobody = try await self.pomona(["registration"], [], bench, platform: "nobody")
            #expect(nobody.exitCode == 1 && nobody.errorCode == "platform_unknown")
            let unknown = try await self.pomona(
                ["unregister"], ["--domain", "a.example", "--reason", "It has moved."], bench)
            #expect(unknown.exitCode == 1 && unknown.errorCode?.hasPrefix("apple_") == true, "\(unknown.stdout)")
            let empty = try await self.pomona(["unregister"], ["--domain", "a.example", "--reason", ""], bench)
            #expect(empty.exitCode == 64)
        }
        for apple in ["http://127.0.0.1:1", "https://127.0.0.1", "apple"] {
            let wrong = try await CliTool.pomona(["merchant", "registration", "shop", "--apple", apple])
            #expect(wrong.exitCode == 64, "\(apple): \(wrong.stdout)\(wrong.stderr)")
        }
    }
}
