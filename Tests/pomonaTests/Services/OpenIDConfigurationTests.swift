//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import OpenIDConnect
import Redaction
import Testing

@testable import pomona

/// The keys of OpenID Connect providers, each under a name that the operator chooses.
@Suite struct OpenIDConfigurationTests {
    private func make(
        _ provider: String, admin: String = #""port": 0, "url": "https://admin.example","#,
        environment: [String: String] = [:]
    ) throws -> [OpenIDConfiguration] {
        let file = #"{"data": {"directory": "/d"}, "admin": {\#(admin) "openid": {\#(provider)}}}"#
        return try ServeConfiguration.make(
            ConfigurationValues(flags: [:], environment: environment, fileText: file)
        ).openID
    }

    @Test func providersAreReadFromFileAndEnvironment() throws {
        let providers = try self.make(
            #""company": {"issuer": "https://login.example", "clientId": "pomona"}"#,
            environment: [
                "POMONA_ADMIN_OPENID_COMPANY_CLIENT_SECRET_FILE": "/s",
                "POMONA_ADMIN_OPENID_COMPANY_SECOND_FACTOR": "provider",
                "POMONA_ADMIN_OPENID_MAIL2_ISSUER": "http://localhost:9/x",
                "POMONA_ADMIN_OPENID_MAIL2_CLIENT_ID": "mail", "POMONA_ADMIN_OPENID_MAIL2_LINK_BY_EMAIL": "true",
            ])
        #expect(
            providers == [
                OpenIDConfiguration(
                    name: "company", label: "company", issuer: "https://login.example", clientID: "pomona",
                    clientSecretPath: "/s", provesSecondFactor: true),
                OpenIDConfiguration(
                    name: "mail2", label: "mail2", issuer: "http://localhost:9/x", clientID: "mail", linksByEmail: true
                ),
            ])
    }

    @Test func theWayBackIsUnderTheAddressOfTheAdministration() throws {
        let provider = try #require(
            try self.make(#""company": {"issuer": "https://login.example", "clientId": "pomona"}"#).first)
        for url in ["https://admin.example", "https://admin.example/"] {
            let settings = try provider.settings(siteURL: url)
            #expect(
                settings.redirectURL == "https://admin.example/admin/v1/sign-in/openid/company/callback")
        }
    }

    @Test(arguments: [
        (#""Company": {"issuer": "https://a.example", "clientId": "b"}"#, "configuration_key_unknown"),
        (#""a-b": {"issuer": "https://a.example", "clientId": "b"}"#, "configuration_key_unknown"),
        (#""a": {"issuer": "https://a.example", "clientid": "b"}"#, "configuration_key_unknown"),
        (#""a": {"issuer": "https://a.example"}"#, "configuration_key_missing"),
        (#""a": {"clientId": "b"}"#, "configuration_key_missing"),
        (#""a": {"issuer": "http://a.example", "clientId": "b"}"#, "configuration_value_invalid"),
        (#""a": {"issuer": "https://a.example?x", "clientId": "b"}"#, "configuration_value_invalid"),
        (
            #""a": {"issuer": "https://a.example", "clientId": "b", "clientAuthentication": "client_secret_post"}"#,
            "configuration_value_invalid"
        ),
        (
            #""a": {"issuer": "https://a.example", "clientId": "b", "clientAuthentication": "none", "clientSecretFile": "/s"}"#,
            "configuration_value_invalid"
        ),
        (
            #""a": {"issuer": "https://a.example", "clientId": "b", "secondFactor": "nobody"}"#,
            "configuration_value_invalid"
        ),
    ])
    func refusesWhatDoesNotGoTogether(_ provider: String, _ code: String) throws {
        let failure = try #require(throws: CommandFailure.self) { _ = try self.make(provider) }
        #expect(failure.code == code, "\(failure.message)")
    }

    @Test func refusesProvidersWithoutAnAddressToComeBackTo() throws {
        for admin in [#""port": 0,"#, #""url": "https://admin.example","#] {
            #expect(throws: CommandFailure.self) {
                _ = try self.make(#""a": {"issuer": "https://a.example", "clientId": "b"}"#, admin: admin)
            }
        }
    }

    @Test func secretsAreReadFromFilesOfTheOwnerAlone() throws {
        let folder = try CliFolder()
        try FileSystem.writePrivate("secret\n", to: folder.file("s"))
        try FileSystem.writePrivate("\n", to: folder.file("empty"))
        var provider = OpenIDConfiguration(name: "a", label: "a", issuer: "https://a.example", clientID: "b")
        provider.clientSecretPath = folder.file("s")
        #expect(try provider.settings(siteURL: "https://c.example").clientSecret == Redacted("secret"))
        for path in [folder.file("empty"), folder.file("none"), try folder.write("open", "secret")] {
            provider.clientSecretPath = path
            #expect(throws: CommandFailure.self, "\(path)") { try provider.settings(siteURL: "https://c.example") }
        }
    }

    // MARK: - Doctor

    /// Nobody listens there: the port is the one that no server may have (RFC 6335, section 6).
    @Test func doctorReportsAProviderThatDoesNotAnswer() async throws {
        let file = """
            {"data": {"directory": "/d"}, "admin": {"port": 0, "url": "https://admin.example",
             "openid": {"company": {"issuer": "http://127.0.0.1:1", "clientId": "b"}}}}
            """
        let findings = await ProvidersExamination(text: file, environment: [:]).findings()
        #expect(findings.map(\.code) == ["provider_fails"] && findings.first?.subject == "company")
        #expect(findings.first?.text.contains("provider_unreachable") == true)
        #expect(await ProvidersExamination(text: "{}", environment: [:]).findings().isEmpty)
    }
}
