//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Testing

/// The rooms and the arrows between them (ARCHITECTURE.md, "The house").
struct HouseTests {
    let repository = Repository.current
    let manifest: Manifest

    init() throws {
        self.manifest = try Manifest(try #require(Repository.current.text("Package.swift")))
    }

    /// How high a room stands. An arrow must point to a lower number, so that none points up and none sideways.
    static let floors: [String: Int] = [
        // What even leaves stand on.
        "ASCII": -1,
        "BaseEncoding": 0, "Countries": 0, "Hosts": 0, "Redaction": 0, "StrictJSON": 0, "Time": 0, "Money": 0,
        "TestRandom": 0, "TestServing": 0, "FuzzInputs": 0,
        "Deadlines": 0, "Threads": 0, "SQLiteLog": 0, "WebFiles": 0, "TestProcesses": 0, "TestPostgres": 1,
        "Clients": 1, "Ledger": 1, "Settings": 1, "ApplePayToken": 1, "WalletSimulator": 1,
        "OpenIDConnect": 2, "ApplePayTokenC": 2,
        "Payments": 2, "PassKit": 2,
        "Gateway": 3, "StoreRows": 3, "SimulatorAcquirer": 3, "MemoryStore": 3, "StoreConformance": 3,
        "AcquirerLink": 3, "ConnectorKit": 3,
        "AcquirerConformance": 3, "TPDirect": 3, "TestShop": 3,
        "AppleSessions": 4, "DialectKit": 4, "SQLiteStore": 4, "PostgreSQLStore": 4, "MPGS": 4,
        "AlphaPayUpstream": 4, "PAYONEUpstream": 4, "RadialUpstream": 4, "TapPayUpstream": 4,
        "AlphaPay": 5, "CommWeb": 5, "PAYONE": 5, "Radial": 5, "TapPay": 5, "Webhooks": 5, "Server": 5,
        "Storefront": 5, "Administration": 5,
        "TestGateway": 6, "AdminAPI": 6, "Workers": 6, "Probes": 6, "Services": 6,
        "DialectConformance": 7, "Simulation": 7, "TestUpstream": 7,
        "FuzzTargets": 7,
        "pomona": 8, "Chaos": 8, "TestApple": 8,
        "ChaosCommand": 9,
        "OpenToken": 9, "MintToken": 9, "PayInApp": 9,
    ]

    /// Rooms that may import nothing but each other: no clock, no randomness, no I/O, no package.
    static let pureRooms: Set = [
        "ASCII", "BaseEncoding", "Countries", "Hosts", "Redaction", "StrictJSON", "Time", "Money", "Ledger", "Settings",
        "Payments",
    ]

    /// What else may be imported, beside in-house rooms, by the rooms that must stay narrow.
    static let allowedImports: [String: Set<String>] = [
        "ApplePayToken": [
            "CP256Table", "Crypto", "CryptoExtras", "X509", "SwiftASN1", "Synchronization", "Foundation",
            "FoundationEssentials",
        ],
        "ApplePayTokenC": ["CApplePayToken", "Darwin", "Foundation", "FoundationEssentials", "Glibc", "Musl"],
        "WalletSimulator": [
            "Crypto", "CryptoExtras", "X509", "SwiftASN1", "Synchronization", "Foundation", "FoundationEssentials",
        ],
        "Clients": ["Crypto", "CryptoExtras", "Foundation", "HTTPTypes"],
        "DialectKit": ["Crypto", "HTTPTypes", "Synchronization", "Foundation"],
        "AlphaPay": ["HTTPTypes", "Synchronization", "Foundation"],
        "CommWeb": ["HTTPTypes", "Synchronization", "Foundation"],
        "PAYONE": ["HTTPTypes", "Synchronization", "Foundation"],
        "Radial": ["HTTPTypes", "Synchronization", "Foundation"],
        "TapPay": ["HTTPTypes", "Synchronization", "Foundation"],
        "Deadlines": ["Synchronization"],
        // An app gets it without any package of ours but itself.
        "TPDirect": ["AppKit", "Foundation", "FoundationNetworking", "PassKit", "Synchronization", "UIKit"],
    ]

    @Test func manifestIsReadWhole() {
        #expect(self.manifest.targets.count >= 30)
        #expect(self.manifest.target(named: "Payments")?.dependencies.contains("Ledger") == true)
        #expect(self.manifest.target(named: "pomona")?.dependencies.contains(".argumentParser") == true)
    }

    @Test func everyFolderWithSourcesHasItsManifestLine() {
        let orphans = self.repository.allSwift.filter { file in
            !file.path.hasPrefix("Benchmarks/") && !file.path.hasPrefix("Fuzz/")
                && self.manifest.target(of: file.path) == nil
        }
        #expect(orphans.map(\.path).isEmpty, "add a line to Package.swift for these")
    }

    @Test func everyManifestLineHasItsFolder() {
        let missing = self.manifest.targets.filter { target in
            self.repository.files(below: target.folder, endings: [".swift"]).isEmpty
        }
        #expect(missing.map(\.folder).isEmpty)
    }

    @Test func everyRoomHasAFloorAndNoArrowPointsUpOrSideways() {
        for target in self.manifest.targets where !target.folder.hasPrefix("Tests/") {
            guard let floor = Self.floors[target.name] else {
                Issue.record("\(target.name) has no floor in HouseTests.floors")
                continue
            }
            for dependency in target.dependencies {
                guard let below = Self.floors[dependency] else { continue }
                #expect(below < floor, "\(target.name) → \(dependency) does not point down")
            }
        }
    }

    @Test func filesImportOnlyWhatTheirRoomMay() {
        let inHouse = Set(Self.floors.keys)
        for file in self.repository.swiftSources {
            guard let target = self.manifest.target(of: file.path) else { continue }
            for module in Self.imports(of: file) {
                if inHouse.contains(module) {
                    #expect(
                        target.dependencies.contains(module),
                        "\(file.path) imports \(module), which the manifest does not give it")
                } else if Self.pureRooms.contains(target.name) {
                    Issue.record("\(file.path) imports \(module); \(target.name) is pure")
                } else if let allowed = Self.allowedImports[target.name] {
                    #expect(allowed.contains(module), "\(file.path) imports \(module), which \(target.name) may not")
                }
            }
        }
    }

    @Test func theManifestGivesNoRoomMoreThanItImports() {
        for target in self.manifest.targets {
            let imported = Set(
                self.repository.files(below: target.folder, endings: [".swift"]).flatMap(Self.imports(of:)))
            for dependency in target.dependencies where Self.floors[dependency] != nil {
                #expect(imported.contains(dependency), "\(target.name) does not import \(dependency)")
            }
        }
    }

    @Test func importsAreFound() {
        let file = Repository.File(
            path: "x", text: "public import Money\nimport Foundation\ninternal import Crypto\nlet a = 1\n")
        #expect(Self.imports(of: file) == ["Money", "Foundation", "Crypto"])
    }

    @Test func everyDialectAndAdapterIsNamedByTheCompositionRoot() throws {
        let root = self.repository.files(below: "Sources/pomona/Application", endings: [".swift"]).map(\.text).joined()
        // What the stores on SQL share, and the connectors, is no adapter.
        let shared: Set = ["StoreRows", "ConnectorKit"]
        for shelf in ["Dialects", "Stores", "Acquirers", "Connectors"] {
            for folder in self.repository.folders(below: "Sources/\(shelf)") where !shared.contains(folder) {
                let target = try #require(self.manifest.targets.first { $0.folder == "Sources/\(shelf)/\(folder)" })
                #expect(root.contains("import \(target.name)"), "the composition root does not import \(target.name)")
            }
        }
    }

    @Test func onlyTheCompositionRootNamesConcreteAdapters() {
        let adapters: Set = [
            "SQLiteStore", "PostgreSQLStore", "SimulatorAcquirer", "AcquirerLink", "MPGS", "AlphaPay", "CommWeb",
            "PAYONE", "Radial", "TapPay", "AlphaPayUpstream", "PAYONEUpstream", "RadialUpstream", "TapPayUpstream",
        ]
        for target in self.manifest.targets where target.folder.hasPrefix("Sources/") && target.name != "pomona" {
            #expect(adapters.isDisjoint(with: target.dependencies), "\(target.name) names a concrete adapter")
        }
    }

    /// What an operator does is out of dialects' reach: they can neither import its room nor see what it is made of.
    @Test func onlyTheOperatorsRoomsAdminister() {
        let own: Set = ["AdminAPI", "Administration", "Probes", "Services", "Workers", "pomona"]
        for target in self.manifest.targets where target.folder.hasPrefix("Sources/") && !own.contains(target.name) {
            #expect(!target.dependencies.contains("Administration"), "\(target.name) administers")
            for file in self.repository.files(below: target.folder, endings: [".swift"]) {
                #expect(file.text.firstMatch(of: /@_spi\(Administration\) (public )?import/) == nil, "\(file.path)")
            }
        }
    }

    @Test func testsMirrorTheSources() {
        for target in self.manifest.targets where target.folder.hasPrefix("Sources/") {
            // The stand-in for PassKit is there for one room's tests, and is tested by them.
            let tests = (target.name == "PassKit" ? "TPDirect" : target.name) + "Tests"
            #expect(self.manifest.target(named: tests) != nil, "\(target.name) has no tests")
        }
    }

    static func imports(of file: Repository.File) -> [String] {
        file.lines.compactMap { line in
            guard Repository.mentions(["import "], in: line) else { return nil }
            let words = line.split(separator: " ")
            guard let index = words.firstIndex(of: "import"), index <= 2, words.count > index + 1,
                words[..<index].allSatisfy({
                    ["public", "internal", "private", "package", "@testable", "@preconcurrency"].contains($0)
                        || $0.hasPrefix("@_spi")
                })
            else { return nil }
            return String(words[index + 1])
        }
    }
}
