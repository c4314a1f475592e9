//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import TapPay
import Testing

@testable import pomona

@Suite struct BINTableFileTests {
    private static let heading = "first,last,network,funding,issuer,issuer_zh_tw,bank_id,level,country,country_code\n"

    @Test func theConfigurationNamesTheTable() throws {
        func make(_ file: String, _ environment: [String: String] = [:]) throws -> String? {
            try ServeConfiguration.make(ConfigurationValues(flags: [:], environment: environment, fileText: file))
                .binTablePath
        }
        let least = #"{"data": {"directory": "/d"}}"#
        #expect(try make(least) == nil)
        #expect(try make(#"{"data": {"directory": "/d"}, "tappay": {"binTableFile": "/t.csv"}}"#) == "/t.csv")
        #expect(try make(least, ["POMONA_TAPPAY_BIN_TABLE_FILE": "/e.csv"]) == "/e.csv")
        #expect(throws: CommandFailure.self) {
            try make(#"{"data": {"directory": "/d"}, "tappay": {"binTableFile": 7}}"#)
        }
    }

    private func options(_ folder: CliFolder, _ name: String?) throws -> DialectOptions {
        var configuration = ApplicationConfiguration(kind: .serve, directory: DataDirectory(path: folder.path))
        configuration.binTablePath = name.map(folder.file)
        try ServeConfiguration.checkFiles(configuration)
        return try DialectOptions(configuration)
    }

    @Test func theFileStandsInThePlaceOfTheGatewaysOwn() throws {
        let folder = try CliFolder()
        try folder.write("t.csv", Self.heading + "4,4,visa,credit,A,,,,,\n5,5,mastercard,debit,B,,,,,\n")
        #expect(try self.options(folder, "t.csv").cards.count == 2)
        #expect(try self.options(folder, nil).cards.count == BINTable.standard.count)
    }

    @Test func aWrongTableRefusesTheStartAndNamesTheLine() throws {
        let folder = try CliFolder()
        try folder.write("t.csv", Self.heading + "4,4,visa,credit,A,,,,,\n5,5,mastercard\n")
        let error = #expect(throws: CommandFailure.self) { try self.options(folder, "t.csv") }
        #expect(error?.code == "bin_table_malformed" && error?.stage == "configuration")
        #expect(error?.message.contains("line 3") == true)
        let missing = #expect(throws: CommandFailure.self) { try self.options(folder, "none.csv") }
        #expect(missing?.code == "file_unreadable")
    }

    @Test func theApplicationReadsItBeforeItMakesAnything() async throws {
        let folder = try CliFolder()
        try folder.write("t.csv", "no table")
        var configuration = ApplicationConfiguration.sandbox(DataDirectory(path: folder.file("data")))
        configuration.binTablePath = folder.file("t.csv")
        let error = await #expect(throws: CommandFailure.self) { try await Application.build(configuration) }
        #expect(error?.code == "bin_table_malformed")
        #expect(!FileManager.default.fileExists(atPath: folder.file("data")))
    }

    @Test func theSandboxTakesItAsAFlag() async throws {
        let folder = try CliFolder()
        try folder.write("t.csv", "no table")
        let result = try await CliTool.pomona([
            "sandbox", "--data", folder.file("data"), "--port", "0", "--tls-port", "0", "--bin-table",
            folder.file("t.csv"), "--json",
        ])
        #expect(result.exitCode == 1 && result.errorCode == "bin_table_malformed")
    }

    @Test func checkingAConfigurationReadsIt() async throws {
        let folder = try CliFolder()
        try folder.write("t.csv", Self.heading + "x\n")
        let file = try folder.write(
            "c.json",
            #"{"data": {"directory": "\#(folder.file("data"))"}, "tappay": {"binTableFile": "\#(folder.file("t.csv"))"}}"#
        )
        let result = try await CliTool.pomona(["serve", "--config", file, "--check"])
        #expect(result.exitCode == 1 && result.stderr.contains("line 2"))
    }
}
