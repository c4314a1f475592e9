//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Testing

@testable import pomona

/// Two listeners do not want the same port: the check refuses what the start could not do.
@Suite struct ListenerPlacesTests {
    private static func make(_ listeners: String) throws -> ApplicationConfiguration {
        try ServeConfiguration.make(
            ConfigurationValues(
                flags: [:], environment: [:], fileText: #"{"data": {"directory": "/d"}, "# + listeners + "}"))
    }

    private static let tls = #""tls": {"certificateFile": "/c", "privateKeyFile": "/k"}"#

    @Test(
        arguments: [
            (#""http": {"port": 9443}, "admin": {"port": 9443}"#, ["http.port", "admin.port"]),
            (#""admin": {"port": 8080}"#, ["http.port", "admin.port"]),
            (#""https": {"port": 8080}, \#(tls)"#, ["http.port", "https.port"]),
            (#""https": {"port": 9000}, "metrics": {"port": 9000}, \#(tls)"#, ["https.port", "metrics.port"]),
            (#""admin": {"port": 9000}, "metrics": {"port": 9000}"#, ["admin.port", "metrics.port"]),
            (#""http": {"host": "0.0.0.0"}, "metrics": {"port": 8080}"#, ["http.port", "metrics.port"]),
            (#""http": {"host": "pomona.example"}, "metrics": {"host": "0.0.0.0", "port": 8080}"#, ["metrics.port"]),
            (#""http": {"host": "::"}, "metrics": {"port": 8080}"#, ["http.port", "metrics.port"]),
            (#""http": {"host": "::1"}, "metrics": {"host": "0:0::1", "port": 8080}"#, ["http.port", "metrics.port"]),
            (#""http": {"host": "Localhost"}, "admin": {"host": "localhost", "port": 8080}"#, ["admin.port"]),
        ]) func refusesTwoAtOnePlace(_ listeners: String, _ keys: [String]) throws
    {
        let failure = try #require(throws: CommandFailure.self) { try Self.make(listeners) }
        #expect(failure.code == "configuration_value_invalid")
        for key in keys { #expect(failure.message.contains(key), "\(failure.message)") }
    }

    @Test(arguments: [
        #""http": {"port": 0}, "admin": {"port": 0}, "metrics": {"port": 0}"#,
        #""http": {"host": "10.0.0.1"}, "admin": {"port": 8080}, "metrics": {"host": "10.0.0.2", "port": 8080}"#,
        #""http": {"host": "0.0.0.0"}, "metrics": {"host": "::1", "port": 8080}"#,
        #""http": {"host": "pomona.example"}, "metrics": {"host": "metrics.example", "port": 8080}"#,
        #""http": {"enabled": false}, "https": {"port": 8080}, \#(tls)"#,
    ]) func takesEachAtAPlaceOfItsOwn(_ listeners: String) throws {
        #expect(throws: Never.self) { try Self.make(listeners) }
    }
}
