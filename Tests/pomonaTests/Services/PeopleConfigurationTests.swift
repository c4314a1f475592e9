//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Payments
import Testing

@testable import pomona

/// How people sign in, as an operator says it.
@Suite struct PeopleConfigurationTests {
    private func make(_ admin: String) throws -> ApplicationConfiguration {
        try ServeConfiguration.make(
            ConfigurationValues(
                flags: [:], environment: [:],
                fileText: #"{"data": {"directory": "/d"}, "admin": {"port": 9443"# + admin + "}}"))
    }

    @Test func everybodyHasASecondFactorUnlessTheOperatorSaysOtherwise() throws {
        #expect(try self.make("").people.secondFactorRoles == Set(Role.allCases))
        #expect(
            try self.make(#", "secondFactorRoles": "owner, operator""#).people.secondFactorRoles == [.owner, .operator])
        #expect(try self.make(#", "secondFactorRoles": "none""#).people.secondFactorRoles == [])
    }

    @Test func sessionsEndWhenTheOperatorSays() throws {
        let standard = try self.make("").people
        #expect(standard.idleSeconds == 1800 && standard.sessionSeconds == 43_200 && standard.issuer == "Pomona")
        let people = try self.make(#", "idleSeconds": 600, "sessionSeconds": 3600, "issuer": "Pomona EU""#).people
        #expect(people.idleSeconds == 600 && people.sessionSeconds == 3600 && people.issuer == "Pomona EU")
    }

    @Test(
        arguments: [
            ("https://admin.example", "https://admin.example"), ("https://admin.example/", "https://admin.example"),
            ("https://admin.example:8443", "https://admin.example:8443"),
            ("http://localhost:9443", "http://localhost:9443"), ("http://127.0.0.1:9443", "http://127.0.0.1:9443"),
            ("http://[::1]", "http://[::1]"), ("http://[::1]:9443", "http://[::1]:9443"),
        ])
    func urlIsAnOrigin(_ text: String, _ url: String) throws {
        #expect(try self.make(#", "url": ""# + text + #"""#).adminURL == url)
    }

    @Test(arguments: [
        (#", "url": "http://admin.example""#, "admin.url"), (#", "url": "https://admin.example/admin""#, "admin.url"),
        (#", "url": "https://admin.example?x""#, "admin.url"), (#", "url": "https://a@admin.example""#, "admin.url"),
        (#", "url": "http://[::2]""#, "admin.url"), (#", "url": "http://127.0.0.2""#, "admin.url"),
        (#", "url": "https://admin.example:""#, "admin.url"), (#", "url": "https://admin.example:65536""#, "admin.url"),
        (#", "url": "https://[admin]""#, "admin.url"), (#", "url": "http://localhost@evil.example""#, "admin.url"),
        (#", "url": "admin.example""#, "admin.url"), (#", "secondFactorRoles": "boss""#, "admin.secondFactorRoles"),
        (#", "secondFactorRoles": "owner,,viewer""#, "admin.secondFactorRoles"),
        (#", "idleSeconds": 3600, "sessionSeconds": 600"#, "admin.idleSeconds"),
        (#", "issuer": "a:b""#, "admin.issuer"),
    ])
    func refusesAndNamesTheKey(_ admin: String, _ key: String) throws {
        let error = #expect(throws: CommandFailure.self) { try self.make(admin) }
        #expect(error?.code == "configuration_value_invalid")
        #expect(error?.message.contains(key) == true)
    }

    @Test func urlNeedsTheListener() throws {
        let error = #expect(throws: CommandFailure.self) {
            try ServeConfiguration.make(
                ConfigurationValues(
                    flags: [:], environment: [:],
                    fileText: #"{"data": {"directory": "/d"}, "admin": {"url": "https://admin.example"}}"#))
        }
        #expect(error?.code == "configuration_key_missing")
    }
}
