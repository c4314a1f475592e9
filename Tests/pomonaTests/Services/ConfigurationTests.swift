//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Foundation
import Gateway
import Logging
import Payments
import Server
import Testing

@testable import pomona

@Suite struct ConfigurationTests {
    private func make(
        _ file: String, environment: [String: String] = [:], flags: [ConfigurationKey: String] = [:]
    ) throws -> ApplicationConfiguration {
        try ServeConfiguration.make(ConfigurationValues(flags: flags, environment: environment, fileText: file))
    }

    private static let least = #"{"data": {"directory": "/d"}}"#

    @Test func standardValuesFillWhatIsNotSaid() throws {
        let configuration = try self.make(Self.least)
        #expect(configuration.kind == .serve)
        #expect(configuration.directory.path == "/d")
        #expect(configuration.listeners == [ApplicationConfiguration.Listener(host: "127.0.0.1", port: 8080)])
        #expect(configuration.logLevel == .info)
        let delays = configuration.settings.notificationDelaysSeconds
        #expect(delays.map { [$0.key.text, "\($0.value)"] } == [["payone", "10"]])
        #expect(configuration.settings == GatewaySettings(notificationDelaysSeconds: delays))
        #expect(configuration.settings.liveTokenAgeSecondsMax == 300)
        #expect(configuration.settings.acquirerDeadlineSeconds == 32)
        #expect(configuration.settings.recoveryGraceSeconds == 42 && configuration.settings.jobLeaseSeconds == 42)
        #expect(configuration.limits == .init())
        #expect(configuration.offers.map(\.offer) == [.everything])
        #expect(!configuration.allowsPrivateWebhookTargets)
        #expect(configuration.masterKeyPath == nil)
        #expect(configuration.store == nil)
        #expect(configuration.acquirer == .simulator)
    }

    @Test func storeAndLinkAreRead() throws {
        let configuration = try self.make(
            #"""
            {"data": {"directory": "/d"}, "store": {"url": "postgresql:///pomona"},
             "acquirer": {"address": "tcp://h:1", "secretFile": "/s", "authorityFile": "/a", "certificateFile": "/c",
                          "privateKeyFile": "/k"}}
            """#)
        #expect(try configuration.store == StoreLocation(text: "postgresql:///pomona"))
        var address = try LinkAddress(text: "tcp://h:1", secretPath: "/s")
        address.tls = LinkTLSFiles(authorityPath: "/a", certificatePath: "/c", privateKeyPath: "/k")
        #expect(configuration.acquirer == .link(address))
    }

    @Test(arguments: [
        #""secretFile": "/s""#, #""authorityFile": "/a""#,
        #""address": "tcp://h:1", "certificateFile": "/c", "privateKeyFile": "/k""#,
    ])
    func linkOfHalfItsPartsIsRefused(keys: String) throws {
        let file = #"{"data": {"directory": "/d"}, "acquirer": {\#(keys)}}"#
        let failure = try #require(throws: CommandFailure.self) { try self.make(file) }
        #expect(failure.code == "configuration_key_missing")
    }

    /// What Kubernetes makes for a service named pomona, and for one named pomona-http, beside a misspelled key.
    @Test func foreignVariablesAreWarnedOfAndSetNothing() throws {
        let environment = [
            "POMONA_SERVICE_HOST": "10.0.0.1", "POMONA_SERVICE_PORT": "8080", "POMONA_PORT": "tcp://10.0.0.1:8080",
            "POMONA_PORT_8080_TCP": "tcp://10.0.0.1:8080", "POMONA_PORT_8080_TCP_PROTO": "tcp",
            "POMONA_HTTP_PORT": "tcp://10.0.0.2:80", "POMONA_HTTP_PROT": "1", "POMONA_HTTP_HOST": "0.0.0.0",
        ]
        let values = try ConfigurationValues(flags: [:], environment: environment, fileText: Self.least)
        let configuration = try ServeConfiguration.make(values)
        #expect(configuration.listeners == [ApplicationConfiguration.Listener(host: "0.0.0.0", port: 8080)])
        #expect(values.warnings.count == environment.count - 1)
        for name in environment.keys where name != "POMONA_HTTP_HOST" {
            #expect(values.warnings.contains { $0.contains(" \(name) ") }, "\(name)")
        }
        #expect(values.warnings.contains { $0.hasSuffix("Did you mean POMONA_HTTP_PORT?") })
        // The values may be secrets of another program.
        #expect(!values.warnings.contains { $0.contains("10.0.0") })
    }

    @Test func addressOfTheAcquirerIsNoVariableOfKubernetes() throws {
        let environment = ["POMONA_ACQUIRER_ADDRESS": "tcp://127.0.0.1:8600"]
        let values = try ConfigurationValues(flags: [:], environment: environment, fileText: Self.least)
        #expect(values.warnings.isEmpty)
        #expect(try ServeConfiguration.make(values).acquirer != .simulator)
    }

    @Test func flagsWinOverEnvironmentOverFile() throws {
        let file = #"{"data": {"directory": "/d"}, "http": {"port": 1, "host": "file"}, "log": {"level": "error"}}"#
        let configuration = try self.make(
            file, environment: ["POMONA_HTTP_PORT": "2", "POMONA_HTTP_HOST": "environment", "PATH": "x"],
            flags: [.httpPort: "3"])
        #expect(configuration.listeners == [ApplicationConfiguration.Listener(host: "environment", port: 3)])
        #expect(configuration.logLevel == .error)
    }

    @Test func readsEveryKeyOfTheFile() throws {
        let configuration = try self.make(
            #"""
            {"data": {"directory": "/d", "masterKeyFile": "/k"}, "http": {"enabled": false},
             "https": {"host": "::", "port": 0, "strictTransportSeconds": 24}, "metrics": {"host": "127.0.0.9", "port": 25}, "tls": {"certificateFile": "/c", "privateKeyFile": "/p", "clientAuthoritiesFile": "/a"},
             "log": {"level": "debug"},
             "limits": {"bodyBytes": 2000, "headerBytes": 3000, "receiveTimeoutSeconds": 4, "answerTimeoutSeconds": 50,
                        "idleTimeoutSeconds": 6, "connections": 7, "requests": 8, "sendTimeoutSeconds": 18, "connectionsPerAddress": 19, "unfinishedBodyBytes": 26000,
                        "proxyAddresses": "192.0.2.1, 2001:db8::1, 10.244.0.0/16", "storeWaitSeconds": 20, "credentialFailures": 21,
                        "merchantRequestsPerSecond": 22, "merchantBurst": 23, "deviceCallsPerSecond": 24},
             "shutdown": {"drainSeconds": 9, "timeoutSeconds": 10}, "acquirer": {"name": "simulator", "deadlineSeconds": 11},
             "recovery": {"graceSeconds": 14, "leaseSeconds": 15}, "tokens": {"liveAgeSeconds": 12, "sandboxAgeSeconds": 13},
             "webhooks": {"allowPrivateTargets": true, "timeoutSeconds": 16, "leaseSeconds": 17}}
            """#)
        #expect(
            configuration.listeners == [
                ApplicationConfiguration.Listener(
                    host: "::", port: 0,
                    tls: .files(certificatePath: "/c", privateKeyPath: "/p", clientAuthoritiesPath: "/a"),
                    strictTransportSeconds: 24)
            ])
        #expect(configuration.metricsListener == ApplicationConfiguration.Listener(host: "127.0.0.9", port: 25))
        #expect(configuration.offers.map(\.offer) == [.services, .metrics])
        #expect(configuration.limits.unfinishedBodyBytesMax == 26_000)
        #expect(configuration.masterKeyPath == "/k")
        #expect(configuration.limits.bodyBytesMax == 2000)
        #expect(configuration.limits.headerBytesMax == 3000)
        #expect(configuration.limits.receiveTimeoutMilliseconds == 4000)
        #expect(configuration.limits.answerTimeoutMilliseconds == 50_000)
        #expect(configuration.limits.idleTimeoutMilliseconds == 6000)
        #expect(configuration.limits.connectionsMax == 7)
        #expect(configuration.limits.requestsMax == 8)
        #expect(configuration.limits.sendTimeoutMilliseconds == 18_000)
        #expect(configuration.limits.connectionsPerAddressMax == 19)
        #expect(
            configuration.limits.proxyAddresses
                == (try ClientNetworks(parsing: "2001:db8::2,192.0.2.1,10.244.0.0/16")))
        #expect(configuration.limits.storeWaitMillisecondsMax == 20_000)
        #expect(
            configuration.callers
                == CallerSettings(
                    credentialFailures: 21, rates: MerchantRates.Settings(requestsPerSecond: 22, burst: 23),
                    addresses: AddressRates.Settings(deviceCallsPerSecond: 24)))
        #expect(configuration.drainDelayMilliseconds == 9000)
        #expect(configuration.shutdownTimeoutSeconds == 10)
        #expect(configuration.settings.acquirerDeadlineSeconds == 11)
        #expect(configuration.settings.recoveryGraceSeconds == 14)
        #expect(configuration.settings.jobLeaseSeconds == 15)
        #expect(configuration.webhookTimeoutSeconds == 16)
        #expect(configuration.settings.deliveryLeaseSeconds == 17)
        #expect(configuration.settings.liveTokenAgeSecondsMax == 12)
        #expect(configuration.settings.sandboxTokenAgeSecondsMax == 13)
        #expect(configuration.allowsPrivateWebhookTargets)
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        let file: String
        let code: String
        /// What the message must name.
        let names: [String]
        var environment: [String: String] = [:]

        var testDescription: String { self.file }
    }

    @Test(arguments: [
        Mistake(file: "{", code: "configuration_file_malformed", names: ["JSON"]),
        Mistake(file: "[]", code: "configuration_file_malformed", names: ["object"]),
        Mistake(
            file: #"{"http": {"port": 1}, "http": {"port": 2}}"#, code: "configuration_file_malformed", names: ["twice"]
        ),
        Mistake(file: "{}", code: "configuration_key_missing", names: ["data.directory", "POMONA_DATA_DIRECTORY"]),
        Mistake(
            file: #"{"data": {"dirctory": "/d"}}"#, code: "configuration_key_unknown",
            names: ["data.dirctory", "Did you mean data.directory?"]),
        Mistake(
            file: #"{"somethingElse": true}"#, code: "configuration_key_unknown",
            names: ["somethingElse", "docs/configuration.md"]),
        Mistake(
            file: #"{"data": {"directory": "/d"}, "http": {"port": 1}, "http.port": 2}"#,
            code: "configuration_key_unknown", names: ["http.port", "object of objects"]),
        Mistake(file: #"{"http": 8080}"#, code: "configuration_key_unknown", names: ["http"]),
        Mistake(
            file: #"{"http": {"port": "8080"}}"#, code: "configuration_value_invalid",
            names: ["http.port", "a whole number from 0 to 65535", "a string"]),
        Mistake(
            file: #"{"data": {"directory": "/d"}, "http": {"port": 65536}}"#, code: "configuration_value_invalid",
            names: ["http.port", "65535"]),
        Mistake(
            file: #"{"data": {"directory": "/d"}, "log": {"level": "loud"}}"#, code: "configuration_value_invalid",
            names: ["log.level", "trace, debug, info"]),
        Mistake(
            file: #"{"data": {"directory": ""}}"#, code: "configuration_value_invalid", names: ["data.directory"]),
        Mistake(
            file: #"{"data": {"directory": "/d"}, "acquirer": {"name": "bank"}}"#, code: "configuration_value_invalid",
            names: ["acquirer.name", "simulator"]),
        Mistake(
            file: #"{"data": {"directory": "/d"}, "https": {"port": 8443}}"#, code: "configuration_key_missing",
            names: ["tls.certificateFile", "tls.privateKeyFile"]),
        Mistake(
            file: #"{"data": {"directory": "/d"}, "tls": {"certificateFile": "/c"}}"#,
            code: "configuration_key_missing",
            names: ["https.port"]),
        Mistake(
            file: #"{"data": {"directory": "/d"}, "http": {"enabled": false}}"#, code: "configuration_value_invalid",
            names: ["http.enabled", "https.port"]),
        Mistake(
            file: #"{"data": {"directory": "/d"}, "limits": {"answerTimeoutSeconds": 32}}"#,
            code: "configuration_value_invalid", names: ["limits.answerTimeoutSeconds", "acquirer.deadlineSeconds"]),
        Mistake(
            file: #"{"data": {"directory": "/d"}, "limits": {"storeWaitSeconds": 45}}"#,
            code: "configuration_value_invalid", names: ["limits.storeWaitSeconds", "limits.answerTimeoutSeconds"]),
        Mistake(
            file: #"{"data": {"directory": "/d"}, "limits": {"unfinishedBodyBytes": 1048575}}"#,
            code: "configuration_value_invalid", names: ["limits.unfinishedBodyBytes", "limits.bodyBytes"]),
        Mistake(
            file: #"{"data": {"directory": "/d"}, "limits": {"proxyAddresses": "192.0.2.1, proxy"}}"#,
            code: "configuration_value_invalid",
            names: ["limits.proxyAddresses", "proxy is no IP address; write one as 192.0.2.7"]),
        Mistake(
            file: #"{"data": {"directory": "/d"}, "limits": {"proxyAddresses": "10.0.0.0/7"}}"#,
            code: "configuration_value_invalid", names: ["limits.proxyAddresses", "10.0.0.0/7", "8 to 32 bits"]),
        Mistake(
            file: #"{"data": {"directory": "/d"}, "recovery": {"graceSeconds": 20}}"#,
            code: "configuration_value_invalid", names: ["recovery.graceSeconds", "acquirer.deadlineSeconds"]),
        Mistake(
            file: #"{"data": {"directory": "/d"}, "recovery": {"leaseSeconds": 20}}"#,
            code: "configuration_value_invalid", names: ["recovery.leaseSeconds", "acquirer.deadlineSeconds"]),
        Mistake(
            file: #"{"data": {"directory": "/d"}, "webhooks": {"leaseSeconds": 10}}"#,
            code: "configuration_value_invalid", names: ["webhooks.leaseSeconds", "webhooks.timeoutSeconds"]),
        Mistake(
            file: #"{"data": {"directory": "/d"}, "shutdown": {"drainSeconds": 60}}"#,
            code: "configuration_value_invalid", names: ["shutdown.timeoutSeconds", "shutdown.drainSeconds"]),
        Mistake(
            file: least, code: "configuration_value_invalid", names: ["http.port", "POMONA_HTTP_PORT"],
            environment: ["POMONA_HTTP_PORT": "eighty"]),
        Mistake(
            file: least, code: "configuration_value_invalid", names: ["http.enabled", "true or false"],
            environment: ["POMONA_HTTP_ENABLED": "yes"]),
    ])
    func refusesAndNamesTheKey(_ mistake: Mistake) throws {
        let error = #expect(throws: CommandFailure.self) {
            try self.make(mistake.file, environment: mistake.environment)
        }
        #expect(error?.code == mistake.code)
        #expect(error?.stage == "configuration")
        for name in mistake.names { #expect(error?.message.contains(name) == true, "\(error?.message ?? "")") }
    }

    @Test(arguments: [
        (ConfigurationKey.httpPort, "POMONA_HTTP_PORT"), (.masterKeyFile, "POMONA_DATA_MASTER_KEY_FILE"),
        (.webhooksAllowPrivateTargets, "POMONA_WEBHOOKS_ALLOW_PRIVATE_TARGETS"),
    ])
    func environmentNamesFollowTheKeys(key: ConfigurationKey, name: String) throws {
        #expect(key.environmentName == name)
    }

    /// The library has its own way to make names; both must agree for every key.
    @Test func everyKeyIsReadFromTheEnvironment() throws {
        for key in ConfigurationKey.plain + OpenIDKeys(of: "company").all {
            let value =
                switch key.kind {
                case .text, .path: "x"
                case .integer(let range): String(range.upperBound)
                case .flag: "true"
                case .choice(let choices): choices[0]
                }
            let values = try ConfigurationValues(
                flags: [:], environment: [key.environmentName: value], fileText: "{}")
            #expect(try values.text(key) == value, "\(key.name)")
        }
    }

    @Test func everyKeyIsDocumented() throws {
        let page = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../../docs/configuration.md").standardizedFileURL, encoding: .utf8)
        for key in ConfigurationKey.all {
            let standard = key.standard.map { "`\($0)`" } ?? "—"
            let row =
                "| `\(key.name)` | `\(key.environmentName)` | \(key.kind.allowed) | \(standard) | \(key.meaning) |"
            #expect(page.contains(row), "docs/configuration.md lacks the row: \(row)")
        }
    }

    @Test func checkReadsTheFilesThatAreNamed() throws {
        let folder = try CliFolder()
        let certificate = try folder.write("c.pem", "no certificate")
        try FileSystem.writePrivate("no key", to: folder.file("k.pem"))
        var configuration = ApplicationConfiguration(kind: .serve, directory: DataDirectory(path: folder.path))
        try ServeConfiguration.checkFiles(configuration)
        configuration.listeners = [
            ApplicationConfiguration.Listener(
                host: "localhost", port: 1,
                tls: .files(
                    certificatePath: certificate, privateKeyPath: folder.file("k.pem"),
                    clientAuthoritiesPath: nil))
        ]
        let error = #expect(throws: (any Error).self) { try ServeConfiguration.checkFiles(configuration) }
        #expect(error.map { CommandFailure(ofServer: $0).code } == "tls_unusable")
        configuration.listeners = []
        configuration.masterKeyPath = folder.file("none")
        let missing = #expect(throws: CommandFailure.self) { try ServeConfiguration.checkFiles(configuration) }
        #expect(missing?.code == "file_missing")
    }

    /// Those of the link to an acquirer, too.
    @Test func checkReadsTheFilesOfALink() throws {
        let folder = try CliFolder()
        var configuration = ApplicationConfiguration(kind: .serve, directory: DataDirectory(path: folder.path))
        var address = try LinkAddress(text: "tcp://127.0.0.1:1", secretPath: folder.file("none"))
        configuration.acquirer = .link(address)
        let missing = #expect(throws: CommandFailure.self) { try ServeConfiguration.checkFiles(configuration) }
        #expect(missing?.code == "file_missing")
        try FileSystem.writePrivate(String(repeating: "0f", count: 32) + "\n", to: folder.file("secret"))
        address.secretPath = folder.file("secret")
        configuration.acquirer = .link(address)
        try ServeConfiguration.checkFiles(configuration)
        let file = folder.file("no.pem")
        address.tls = LinkTLSFiles(authorityPath: file, certificatePath: file, privateKeyPath: file)
        configuration.acquirer = .link(address)
        #expect(throws: CommandFailure.self) { try ServeConfiguration.checkFiles(configuration) }
    }
}
