// swift-tools-version: 6.2
//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//
// The rooms of the house and the arrows between them. A target may import what stands in its own line and nothing else;
// Tests/TidyTests compares this file, the folders and the import statements.

import PackageDescription

/// Every room is built the same way: Swift 6, imports with an access level, warnings are errors.
let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// What a payment allocates on one thread is mostly freed on another: it is read on an event loop, examined on the pool and
/// written by the store's own thread. glibc's malloc locks for that; tcmalloc does not, which makes a fifth more payments a
/// second (docs/performance.md). The name is that of the runtime library, so that its headers are not needed.
let threadsAllocator = ":libtcmalloc_minimal.so.4"

/// What script/package has linked into the program before Swift's archives, which then give no other. An option of the linker
/// would come after them.
let packagedObject: [LinkerSetting] =
    Context.environment["POMONA_LINKED_OBJECT"].map { [.unsafeFlags([$0])] } ?? []

/// How script/package links the library for C: with Swift's runtime in it, which `--static-swift-stdlib` does for programs alone. As an
/// option of the compiler it would compile every file anew.
let packagedRuntime: [LinkerSetting] =
    Context.environment["POMONA_LINKED_RUNTIME"] == "static" ? [.unsafeFlags(["-static-stdlib"])] : []

extension Target {
    static func room(
        _ name: String, in folder: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = [],
        swiftSettings: [SwiftSetting] = house, linkerSettings: [LinkerSetting] = []
    ) -> Target {
        .target(
            name: name, dependencies: dependencies, path: folder, resources: resources, swiftSettings: swiftSettings,
            linkerSettings: linkerSettings)
    }

    /// As a user's own package builds it: without what is a rule of this house alone.
    static func example(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
        .executableTarget(
            name: name, dependencies: dependencies, path: "examples/swift/\(name)",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    }

    static func tests(_ name: String, in folder: String, _ dependencies: [Target.Dependency]) -> Target {
        .testTarget(
            name: name, dependencies: dependencies, path: folder,
            // Golden files are read where they lie, not built.
            exclude: folder.hasPrefix("Tests/Dialects/")
                ? ["Transcripts"]
                : folder.hasPrefix("Tests/Connectors/") && !folder.hasSuffix("KitTests")
                    && !folder.hasSuffix("SandboxTests") ? ["Requests"] : [],
            swiftSettings: house)
    }
}

extension Target.Dependency {
    static var argumentParser: Self { .product(name: "ArgumentParser", package: "swift-argument-parser") }
    static var asn1: Self { .product(name: "SwiftASN1", package: "swift-asn1") }
    static var asyncHTTPClient: Self { .product(name: "AsyncHTTPClient", package: "async-http-client") }
    static var configuration: Self { .product(name: "Configuration", package: "swift-configuration") }
    static var crypto: Self { .product(name: "Crypto", package: "swift-crypto") }
    static var cryptoExtras: Self { .product(name: "CryptoExtras", package: "swift-crypto") }
    static var grdb: Self { .product(name: "GRDB", package: "GRDB.swift") }
    static var grdbSQLite: Self { .product(name: "GRDBSQLite", package: "GRDB.swift") }
    static var httpTypes: Self { .product(name: "HTTPTypes", package: "swift-http-types") }
    static var hummingbird: Self { .product(name: "Hummingbird", package: "hummingbird") }
    static var hummingbirdCore: Self { .product(name: "HummingbirdCore", package: "hummingbird") }
    static var hummingbirdTLS: Self { .product(name: "HummingbirdTLS", package: "hummingbird") }
    static var jwtKit: Self { .product(name: "JWTKit", package: "jwt-kit") }
    static var logging: Self { .product(name: "Logging", package: "swift-log") }
    static var metrics: Self { .product(name: "Metrics", package: "swift-metrics") }
    static var nioCore: Self { .product(name: "NIOCore", package: "swift-nio") }
    static var nioEmbedded: Self { .product(name: "NIOEmbedded", package: "swift-nio") }
    static var nioHTTP1: Self { .product(name: "NIOHTTP1", package: "swift-nio") }
    static var nioPosix: Self { .product(name: "NIOPosix", package: "swift-nio") }
    static var nioSSL: Self { .product(name: "NIOSSL", package: "swift-nio-ssl") }
    static var nioTLS: Self { .product(name: "NIOTLS", package: "swift-nio") }
    /// Apple's PassKit is found where there is one.
    static var passKit: Self { .target(name: "PassKit", condition: .when(platforms: [.linux])) }
    static var serviceLifecycle: Self { .product(name: "ServiceLifecycle", package: "swift-service-lifecycle") }
    static var unixSignals: Self { .product(name: "UnixSignals", package: "swift-service-lifecycle") }
    static var x509: Self { .product(name: "X509", package: "swift-certificates") }
}

let package = Package(
    name: "pomona",
    platforms: [.macOS(.v15), .iOS(.v17)],
    products: [
        // With the modules whose types are in its interface.
        .library(name: "ApplePayToken", targets: ["ApplePayToken", "Redaction", "StrictJSON"]),
        .library(name: "WalletSimulator", targets: ["WalletSimulator"]),
        // ApplePayToken for whoever calls C.
        .library(name: "applepaytoken-c", type: .dynamic, targets: ["ApplePayTokenC"]),
        // The core with its embedded store and the simulated acquirer, for programs that are their own composition
        // root: Benchmarks/ is one.
        .library(
            name: "PomonaCore",
            targets: [
                "Administration", "Gateway", "Payments", "Ledger", "Money", "Time", "Redaction", "StrictJSON",
                "SQLiteStore", "SimulatorAcquirer",
            ]),
        // The wire languages, for the fuzz targets of Fuzz/.
        .library(name: "PomonaDialects", targets: ["AlphaPay", "CommWeb", "DialectKit", "PAYONE", "Radial", "TapPay"]),
        // The wire languages from the other side, for programs that are customers: Benchmarks/ is one.
        .library(name: "PomonaClients", targets: ["Clients"]),
        // A merchant's server and its customers' wallet in every wire language: Benchmarks/ pays by it.
        .library(name: "PomonaShops", targets: ["TestShop"]),
        // The store of several nodes, and a server for it while a program lives: Benchmarks/ measures it.
        .library(name: "PomonaStores", targets: ["PostgreSQLStore", "TestPostgres"]),
        // The link to an acquirer, for its fuzz target.
        .library(name: "PomonaLink", targets: ["AcquirerLink"]),
        // For apps: Apple Pay through TapPay's API.
        .library(name: "TPDirect", targets: ["TPDirect"]),
        .executable(name: "pomona", targets: ["pomona"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
    ],
    targets: [
        // Core: pure values and functions. No clock, no randomness, no I/O.
        .room("Redaction", in: "Sources/Core/Redaction", ["ASCII"]),
        .room("StrictJSON", in: "Sources/Core/StrictJSON", ["ASCII"]),
        .room("Time", in: "Sources/Core/Time", ["ASCII"]),
        .room("ASCII", in: "Sources/Core/ASCII"),
        .room("Countries", in: "Sources/Core/Countries"),
        .room("Hosts", in: "Sources/Core/Hosts", ["ASCII"]),
        .room("BaseEncoding", in: "Sources/Core/BaseEncoding", ["ASCII"]),
        .room("Money", in: "Sources/Core/Money", ["ASCII"]),
        .room("Ledger", in: "Sources/Core/Ledger", ["Money", "Time"]),
        .room("Settings", in: "Sources/Core/Settings", ["ASCII", "Countries", "Money"]),
        .room(
            "Payments", in: "Sources/Core/Payments",
            ["ASCII", "Ledger", "Money", "Redaction", "Settings", "StrictJSON", "Time"]),

        // Calls with a timeout.
        .room("Deadlines", in: "Sources/Deadlines"),
        // What blocks.
        .room("Threads", in: "Sources/Threads"),

        // A library of its own: Apple Pay tokens and the certificates around them.
        .target(name: "CP256Table", path: "Sources/CP256Table"),
        .room(
            "ApplePayToken", in: "Sources/ApplePayToken",
            [
                "ASCII", "BaseEncoding", "CP256Table", "Redaction", "StrictJSON", "Time", .asn1, .crypto, .cryptoExtras,
                .x509,
            ]),
        // It as a library that C calls: a header, and the functions that it declares.
        .target(name: "CApplePayToken", path: "Sources/CApplePayToken"),
        .room(
            "ApplePayTokenC", in: "Sources/ApplePayTokenC",
            ["ApplePayToken", "BaseEncoding", "CApplePayToken", "Redaction", "StrictJSON"],
            linkerSettings: packagedRuntime),
        .room(
            "WalletSimulator", in: "Sources/WalletSimulator",
            ["BaseEncoding", "StrictJSON", "Time", .asn1, .crypto, .cryptoExtras, .x509]),

        // The use cases.
        .room(
            "Gateway", in: "Sources/Gateway",
            [
                "ASCII", "ApplePayToken", "BaseEncoding", "Deadlines", "Hosts", "Ledger", "Money", "Payments",
                "Redaction", "StrictJSON", "Time", .crypto, .cryptoExtras, .logging, .metrics,
            ]),

        // The operator's side, out of dialects' reach.
        .room(
            "Administration", in: "Sources/Administration",
            [
                "ASCII", "ApplePayToken", "BaseEncoding", "DialectKit", "Gateway", "Hosts", "Ledger", "Money",
                "Payments", "Redaction", "Settings", "StrictJSON", "Threads", "Time", .crypto, .cryptoExtras, .logging,
            ]),

        // Apple's side of a merchant session.
        .room(
            "AppleSessions", in: "Sources/AppleSessions",
            [
                "ASCII", "Gateway", "Hosts", "Payments", "Redaction", "StrictJSON", .asyncHTTPClient, .crypto, .nioCore,
                .nioHTTP1, .nioSSL,
            ]),

        // Sign-in at somebody else's: OpenID Connect's relying party. Knows no person and no session.
        .room(
            "OpenIDConnect", in: "Sources/OpenIDConnect",
            [
                "BaseEncoding", "Hosts", "Redaction", "StrictJSON", "Time", .asyncHTTPClient, .crypto, .jwtKit,
                .nioCore, .nioHTTP1, .nioSSL,
            ]),

        // The operator's side over HTTP.
        .room(
            "AdminAPI", in: "Sources/AdminAPI",
            [
                "ASCII", "Administration", "ApplePayToken", "BaseEncoding", "Countries", "DialectKit", "Gateway",
                "Hosts", "Money", "OpenIDConnect", "Payments", "Redaction", "Settings", "StrictJSON", "Time",
                "WebFiles", .crypto, .httpTypes, .logging,
            ]),

        // What the SQL stores share: how records are rows.
        .room(
            "StoreRows", in: "Sources/Stores/StoreRows",
            ["Ledger", "Money", "Payments", "Redaction", "StrictJSON", "Time"]),
        // Adapters below the use cases: the ports of Payments, and no HTTP.
        .target(
            name: "CSQLiteWAL", path: "Sources/CSQLiteWAL",
            linkerSettings: [.linkedLibrary("sqlite3")]),
        // How SQLite keeps what is committed, for all files of ours.
        .room("SQLiteLog", in: "Sources/SQLiteLog", ["CSQLiteWAL", .grdb, .grdbSQLite]),
        .room(
            "SQLiteStore", in: "Sources/Stores/SQLite",
            ["Ledger", "Payments", "SQLiteLog", "StoreRows", "StrictJSON", "Time", .grdb, .grdbSQLite]),
        .room(
            "SimulatorAcquirer", in: "Sources/Acquirers/Simulator",
            [
                "ASCII", "BaseEncoding", "Money", "Payments", "Redaction", "SQLiteLog", "Settings", "StrictJSON",
                "Time", .crypto, .grdb, .grdbSQLite,
            ]),
        .systemLibrary(name: "CLibPQ", path: "Sources/CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .room(
            "PostgreSQLStore", in: "Sources/Stores/PostgreSQL",
            ["BaseEncoding", "CLibPQ", "Ledger", "Payments", "Redaction", "StoreRows", "StrictJSON", "Threads", "Time"]),
        // An acquirer in another process.
        .room(
            "AcquirerLink", in: "Sources/Acquirers/Link",
            [
                "ASCII", "BaseEncoding", "Deadlines", "Money", "Payments", "Redaction", "Settings", "StrictJSON",
                "Time", .crypto, .logging, .nioCore, .nioPosix, .nioSSL,
            ]),

        // The wire languages from the other side: requests and readings as values, for shops, tests and connectors.
        .room(
            "Clients", in: "Sources/Clients",
            [
                "ASCII", "BaseEncoding", "Hosts", "Money", "Redaction", "StrictJSON", "Time", .crypto, .cryptoExtras,
                .httpTypes,
            ]),

        // Connectors: adapters that speak to real acquirers over HTTPS, and what they share.
        .room(
            "ConnectorKit", in: "Sources/Connectors/ConnectorKit",
            [
                "ASCII", "Clients", "Countries", "Hosts", "Money", "Payments", "Redaction", "Settings", "StrictJSON",
                "Time", .asyncHTTPClient, .httpTypes, .nioCore, .nioHTTP1, .nioPosix, .nioSSL,
            ]),
        .room(
            "MPGS", in: "Sources/Connectors/MPGS",
            [
                "ASCII", "BaseEncoding", "Clients", "ConnectorKit", "Hosts", "Money", "Payments", "Redaction",
                "Settings", "StrictJSON", .httpTypes,
            ]),
        .room(
            "AlphaPayUpstream", in: "Sources/Connectors/AlphaPay",
            [
                "ASCII", "Clients", "ConnectorKit", "Money", "Payments", "Redaction", "Settings", "StrictJSON", "Time",
                .httpTypes,
            ]),
        .room(
            "PAYONEUpstream", in: "Sources/Connectors/PAYONE",
            [
                "ASCII", "Clients", "ConnectorKit", "Countries", "Hosts", "Money", "Payments", "Redaction", "Settings",
                "StrictJSON",
            ]),
        .room(
            "RadialUpstream", in: "Sources/Connectors/Radial",
            [
                "ASCII", "BaseEncoding", "Clients", "ConnectorKit", "Countries", "Hosts", "Money", "Payments",
                "Redaction", "Settings", "StrictJSON", "Time",
            ]),
        .room(
            "TapPayUpstream", in: "Sources/Connectors/TapPay",
            [
                "ASCII", "Clients", "ConnectorKit", "Hosts", "Money", "Payments", "Redaction", "Settings", "StrictJSON",
                "Time",
            ]),

        // Adapters above the use cases: the wire.
        .room(
            "DialectKit", in: "Sources/DialectKit",
            [
                "ASCII", "BaseEncoding", "Gateway", "Hosts", "Payments", "Redaction", "Settings", "StrictJSON", "Time",
                .crypto, .httpTypes,
            ]),
        .room(
            "AlphaPay", in: "Sources/Dialects/AlphaPay",
            [
                "ASCII", "BaseEncoding", "DialectKit", "Gateway", "Money", "Payments", "Redaction", "Settings",
                "StrictJSON", "Time", .httpTypes,
            ]),
        .room(
            "CommWeb", in: "Sources/Dialects/CommWeb",
            [
                "ASCII", "BaseEncoding", "Countries", "DialectKit", "Gateway", "Hosts", "Money", "Payments",
                "Redaction", "Settings", "StrictJSON", "Time", .httpTypes,
            ]),
        .room(
            "PAYONE", in: "Sources/Dialects/PAYONE",
            [
                "ASCII", "BaseEncoding", "Countries", "DialectKit", "Gateway", "Hosts", "Money", "Payments",
                "Redaction", "Settings", "StrictJSON", "Time", .httpTypes,
            ]),
        .room(
            "Radial", in: "Sources/Dialects/Radial",
            [
                "ASCII", "BaseEncoding", "DialectKit", "Gateway", "Hosts", "Money", "Payments", "Redaction", "Settings",
                "StrictJSON", "Time", .httpTypes,
            ]),
        .room(
            "TapPay", in: "Sources/Dialects/TapPay",
            [
                "ASCII", "BaseEncoding", "DialectKit", "Gateway", "Hosts", "Money", "Payments", "Redaction", "Settings",
                "StrictJSON", "Time", .httpTypes,
            ],
            resources: [.embedInCode("CardInfo/bin-table.csv")]),
        .room(
            "Webhooks", in: "Sources/Webhooks",
            [
                "DialectKit", "Gateway", "Hosts", "Payments", "Threads", "Time", .asyncHTTPClient, .logging, .nioCore,
                .nioHTTP1, .nioSSL, .serviceLifecycle,
            ]),
        .room(
            "Server", in: "Sources/Server",
            [
                "ASCII", "BaseEncoding", "Deadlines", "DialectKit", "Hosts", .crypto, .httpTypes, .hummingbird,
                .hummingbirdCore, .hummingbirdTLS, .logging, .metrics, .nioCore, .nioHTTP1, .nioSSL, .nioTLS,
                .serviceLifecycle,
            ]),

        // What goes on beside the calls, until the process stops.
        .room(
            "Workers", in: "Sources/Workers",
            [
                "Administration", "ApplePayToken", "DialectKit", "Gateway", "Payments", "Redaction", "Server", "Time",
                "Webhooks", .logging, .metrics, .serviceLifecycle,
            ]),
        // Questions to hosts of the net: Apple's, merchants' domains, providers of sign-in.
        .room(
            "Probes", in: "Sources/Probes",
            [
                "Administration", "AppleSessions", "Deadlines", "DialectKit", "Gateway", "Hosts", "OpenIDConnect",
                "Payments", "Time", "Webhooks", .asyncHTTPClient, .nioCore, .nioHTTP1, .nioSSL,
            ]),
        // What is served beside the dialects.
        .room(
            "Services", in: "Sources/Services",
            ["Administration", "DialectKit", "Gateway", "Payments", "Redaction", "StrictJSON", .httpTypes]),

        // What runs in a browser, as files: the web SDK, the wallet and the demo shop.
        .room(
            "WebFiles", in: "Web", resources: [.copy("sdk"), .copy("wallet"), .copy("shop"), .copy("portal")]),
        // The sandbox's demo shop and the browser wallet, as servers.
        .room(
            "Storefront", in: "Sources/Storefront",
            [
                "ASCII", "ApplePayToken", "BaseEncoding", "Clients", "DialectKit", "Gateway", "Hosts", "Ledger",
                "Money", "Payments", "Redaction", "StrictJSON", "Time", "WalletSimulator", "WebFiles", .asyncHTTPClient,
                .crypto, .httpTypes, .nioCore, .nioHTTP1,
            ]),

        // The client side for apps. PassKit is Apple's on Apple systems; elsewhere a target of the same name stands in.
        .room("PassKit", in: "Sources/PassKitStandIn", ["Countries", "Money", "WalletSimulator"]),
        // Apple has deprecated PKAddressField, which is part of the published interface.
        .room(
            "TPDirect", in: "Sources/TPDirect", ["StrictJSON", .passKit],
            swiftSettings: house + [.treatWarning("DeprecatedDeclaration", as: .warning)]),

        // The composition root: the only room that names concrete adapters.
        .executableTarget(
            name: "pomona",
            dependencies: [
                "ASCII", "AcquirerLink", "AdminAPI", "Administration", "AlphaPay", "AlphaPayUpstream", "ApplePayToken",
                "AppleSessions", "BaseEncoding", "Clients", "CommWeb", "ConnectorKit", "DialectKit", "Gateway", "Hosts",
                "Ledger", "MPGS", "Money", "OpenIDConnect", "PAYONE", "PAYONEUpstream", "Payments", "PostgreSQLStore",
                "Probes", "Radial", "RadialUpstream", "Redaction", "SQLiteStore", "Server", "Services", "Settings",
                "SimulatorAcquirer", "StoreRows", "Storefront", "StrictJSON", "TapPay", "TapPayUpstream", "Threads",
                "Time", "WalletSimulator", "WebFiles", "Webhooks", "Workers", .argumentParser, .asn1, .asyncHTTPClient,
                .configuration, .crypto, .cryptoExtras, .httpTypes, .hummingbird, .logging, .metrics, .nioCore,
                .nioHTTP1, .nioSSL, .serviceLifecycle, .unixSignals, .x509,
            ],
            path: "Sources/pomona", swiftSettings: house,
            linkerSettings: [.linkedLibrary(threadsAllocator, .when(platforms: [.linux]))] + packagedObject),

        // Programs of a few lines: how the libraries are used.
        .example("OpenToken", ["ApplePayToken", "Redaction"]),
        .example("MintToken", ["WalletSimulator", .crypto, .x509]),
        .example("PayInApp", ["TPDirect", "WalletSimulator", .passKit, .x509]),

        // Suites that several rooms pass, and doubles for tests.
        .room("FuzzInputs", in: "Testing/FuzzInputs"),
        .room("TestRandom", in: "Testing/TestRandom"),
        .room(
            "TestServing", in: "Testing/TestServing",
            [.hummingbird, .hummingbirdCore, .logging, .nioCore, .serviceLifecycle]),
        .room(
            "MemoryStore", in: "Testing/MemoryStore",
            ["Ledger", "Money", "Payments", "Redaction", "StrictJSON", "Time"]),
        .room(
            "StoreConformance", in: "Testing/StoreConformance",
            ["Ledger", "Money", "Payments", "Redaction", "StrictJSON", "Time"]),
        .room(
            "TestGateway", in: "Testing/TestGateway",
            [
                "Administration", "ApplePayToken", "Gateway", "MemoryStore", "Money", "Payments", "Redaction",
                "SimulatorAcquirer", "StrictJSON", "Time", "WalletSimulator", .asn1, .logging, .metrics, .x509,
            ]),
        .room(
            "DialectConformance", in: "Testing/DialectConformance",
            [
                "Administration", "BaseEncoding", "Clients", "DialectKit", "Gateway", "Money", "Payments", "Redaction",
                "SimulatorAcquirer", "StrictJSON", "TestGateway", "Time", "WalletSimulator", .httpTypes, .metrics,
            ]),
        // The other end of a connector: a gateway, a stub or a bad network, over real sockets.
        .room(
            "TestUpstream", in: "Testing/TestUpstream",
            [
                "AcquirerConformance", "Administration", "ConnectorKit", "DialectKit", "Gateway", "Money", "Payments",
                "Redaction", "Server", "SimulatorAcquirer", "StrictJSON", "TestGateway", "Time", "WalletSimulator",
                .asn1, .crypto, .logging, .nioCore, .nioHTTP1, .nioPosix, .nioSSL, .serviceLifecycle, .x509,
            ]),
        // A server that plays Apple's of merchant sessions.
        .room(
            "TestApple", in: "Testing/TestApple",
            [
                "AppleSessions", "Gateway", "Payments", "Redaction", "TestServing", "TestUpstream", "WalletSimulator",
                .asn1, .crypto, .cryptoExtras, .httpTypes, .hummingbird, .hummingbirdTLS, .nioCore, .nioSSL,
                .serviceLifecycle, .x509,
            ]),
        .room(
            "AcquirerConformance", in: "Testing/AcquirerConformance",
            ["BaseEncoding", "Money", "Payments", "Redaction", "TestRandom", "Time"]),
        // Programs as processes.
        .room("TestProcesses", in: "Testing/TestProcesses"),
        // A throwaway PostgreSQL server.
        .room("TestPostgres", in: "Testing/TestPostgres", ["TestProcesses"]),
        // Histories of many calls and faults on a seeded scheduler and a virtual clock.
        .room(
            "Simulation", in: "Testing/Simulation",
            [
                "Administration", "ApplePayToken", "Gateway", "Ledger", "MemoryStore", "Money", "Payments", "Redaction",
                "SimulatorAcquirer", "TestGateway", "TestRandom", "Time", "WalletSimulator", .asn1, .logging, .x509,
            ]),
        // A merchant's server and its customers' wallet, in every wire language.
        .room(
            "TestShop", in: "Testing/TestShop",
            ["Clients", "Money", "Payments", "Redaction", "StrictJSON", "Time", "WalletSimulator", .asn1, .x509]),
        // Real processes under load, and harm done to them: script/chaos.
        .room(
            "Chaos", in: "Testing/Chaos",
            [
                "Clients", "Money", "Payments", "PostgreSQLStore", "Redaction", "SQLiteStore", "SimulatorAcquirer",
                "Simulation", "StrictJSON", "TestPostgres", "TestProcesses", "TestRandom", "TestShop", .asyncHTTPClient,
                .grdb, .httpTypes, .nioCore, .nioHTTP1, .nioPosix,
            ]),
        .executableTarget(
            name: "ChaosCommand",
            dependencies: ["Chaos", "TestShop", .argumentParser],
            path: "Testing/ChaosCommand", swiftSettings: house),

        .tests("RedactionTests", in: "Tests/Core/RedactionTests", ["Redaction"]),
        .tests("StrictJSONTests", in: "Tests/Core/StrictJSONTests", ["StrictJSON", "TestRandom"]),
        .tests("SettingsTests", in: "Tests/Core/SettingsTests", ["Settings"]),
        .tests("ASCIITests", in: "Tests/Core/ASCIITests", ["ASCII"]),
        .tests("ThreadsTests", in: "Tests/ThreadsTests", ["Threads"]),
        .tests("CountriesTests", in: "Tests/Core/CountriesTests", ["Countries"]),
        .tests("HostsTests", in: "Tests/Core/HostsTests", ["Hosts", "TestRandom"]),
        .tests("BaseEncodingTests", in: "Tests/Core/BaseEncodingTests", ["BaseEncoding"]),
        .tests("MoneyTests", in: "Tests/Core/MoneyTests", ["Money"]),
        .tests("LedgerTests", in: "Tests/Core/LedgerTests", ["Ledger", "Money", "TestRandom", "Time"]),
        .tests(
            "PaymentsTests", in: "Tests/Core/PaymentsTests",
            ["Ledger", "Money", "Payments", "Redaction", "TestRandom", "Time"]),
        .tests("TimeTests", in: "Tests/Core/TimeTests", ["TestRandom", "Time"]),
        .tests("DeadlinesTests", in: "Tests/DeadlinesTests", ["Deadlines"]),
        .tests(
            "ApplePayTokenTests", in: "Tests/ApplePayTokenTests",
            [
                "ApplePayToken", "BaseEncoding", "CP256Table", "FuzzInputs", "Redaction", "StrictJSON", "TestProcesses",
                "Time", "WalletSimulator", .asn1, .crypto, .cryptoExtras, .x509,
            ]),
        // Compiled here so that they can't fall behind; Fuzz/ makes libFuzzer's program of them.
        .tests(
            "FuzzTargets", in: "Fuzz/Sources/Fuzz",
            [
                "AcquirerLink", "ApplePayToken", "CommWeb", "DialectKit", "PAYONE", "Radial", "StrictJSON", .httpTypes,
                .nioCore,
            ]),
        .tests(
            "ApplePayTokenCTests", in: "Tests/ApplePayTokenCTests",
            ["ApplePayTokenC", "CApplePayToken", "StrictJSON", "WalletSimulator", .crypto, .x509]),
        .tests(
            "WalletSimulatorTests", in: "Tests/WalletSimulatorTests",
            [
                "ApplePayToken", "Redaction", "StrictJSON", "TestProcesses", "WalletSimulator", .asn1, .crypto,
                .cryptoExtras, .x509,
            ]),
        .tests(
            "GatewayTests", in: "Tests/GatewayTests",
            [
                "AcquirerLink", "Administration", "ApplePayToken", "Gateway", "Ledger", "MemoryStore", "Money",
                "Payments", "Redaction", "SimulatorAcquirer", "StrictJSON", "TestGateway", "TestRandom", "Time",
                "WalletSimulator", .asn1, .crypto, .logging, .metrics, .x509,
            ]),
        .tests(
            "OpenIDConnectTests", in: "Tests/OpenIDConnectTests",
            [
                "BaseEncoding", "OpenIDConnect", "Redaction", "StrictJSON", "TestUpstream", "Time", .crypto,
                .cryptoExtras,
            ]),
        .tests(
            "AppleSessionsTests", in: "Tests/AppleSessionsTests",
            [
                "AppleSessions", "Gateway", "Payments", "Redaction", "StrictJSON", "TestApple", "WalletSimulator",
                .asn1, .httpTypes, .nioSSL, .x509,
            ]),
        .tests(
            "AdminAPITests", in: "Tests/AdminAPITests",
            [
                "AdminAPI", "Administration", "BaseEncoding", "CommWeb", "DialectKit", "Gateway", "Ledger", "Money",
                "PAYONE", "Payments", "Redaction", "Settings", "SimulatorAcquirer", "StrictJSON", "TestGateway", "Time",
                "WalletSimulator", "WebFiles", .asn1, .crypto, .httpTypes, .x509,
            ]),
        .tests(
            "AdministrationTests", in: "Tests/AdministrationTests",
            [
                "Administration", "BaseEncoding", "DialectKit", "Gateway", "Ledger", "MemoryStore", "Money", "Payments",
                "Redaction", "SQLiteStore", "Settings", "StrictJSON", "TestGateway", "TestRandom", "Time",
                "WalletSimulator", .crypto,
            ]),
        .tests(
            "StoreRowsTests", in: "Tests/Stores/StoreRowsTests",
            ["Ledger", "Money", "Payments", "Redaction", "StoreRows", "Time"]),
        .tests(
            "SQLiteLogTests", in: "Tests/SQLiteLogTests",
            ["CSQLiteWAL", "SQLiteLog", "TestRandom", .grdb, .grdbSQLite]),
        .tests(
            "SQLiteStoreTests", in: "Tests/Stores/SQLiteStoreTests",
            ["Ledger", "Money", "Payments", "SQLiteStore", "StoreConformance", "StoreRows", "Time", .grdb]),
        .tests(
            "MemoryStoreTests", in: "Tests/Stores/MemoryStoreTests", ["MemoryStore", "Payments", "StoreConformance"]),
        .tests(
            "SimulatorAcquirerTests", in: "Tests/Acquirers/SimulatorAcquirerTests",
            [
                "AcquirerConformance", "BaseEncoding", "Money", "Payments", "Redaction", "Settings",
                "SimulatorAcquirer", "TestRandom", "Time", "WalletSimulator", .grdb,
            ]),
        .tests(
            "PostgreSQLStoreTests", in: "Tests/Stores/PostgreSQLStoreTests",
            [
                "Money", "Payments", "PostgreSQLStore", "Redaction", "StoreConformance", "StoreRows", "TestPostgres",
                "TestProcesses", "Time",
            ]),
        .tests(
            "AcquirerLinkTests", in: "Tests/Acquirers/AcquirerLinkTests",
            [
                "AcquirerConformance", "AcquirerLink", "FuzzInputs", "Money", "Payments", "Redaction",
                "SimulatorAcquirer", "StrictJSON", "TestProcesses", "TestRandom", "Time", .crypto, .logging, .nioCore,
                .nioPosix, .asn1, .x509,
            ]),
        .tests(
            "ClientsTests", in: "Tests/ClientsTests",
            [
                "BaseEncoding", "Clients", "Money", "Redaction", "StrictJSON", "Time", .crypto, .cryptoExtras,
                .httpTypes,
            ]),
        .tests(
            "ConnectorKitTests", in: "Tests/Connectors/ConnectorKitTests",
            [
                "ConnectorKit", "Hosts", "Money", "Payments", "Redaction", "Settings", "StrictJSON", "Time", .nioCore,
                .nioPosix, .nioSSL,
            ]),
        .tests(
            "MPGSTests", in: "Tests/Connectors/MPGSTests",
            [
                "AcquirerConformance", "Administration", "Clients", "CommWeb", "ConnectorKit", "DialectConformance",
                "DialectKit", "Gateway", "MPGS", "Money", "Payments", "Redaction", "Settings", "SimulatorAcquirer",
                "StrictJSON", "TestGateway", "TestUpstream", "Time", "WalletSimulator", .nioCore, .nioSSL,
            ]),
        .tests(
            "AlphaPayUpstreamTests", in: "Tests/Connectors/AlphaPayUpstreamTests",
            [
                "AcquirerConformance", "Administration", "AlphaPay", "AlphaPayUpstream", "BaseEncoding", "ConnectorKit",
                "DialectKit", "Gateway", "Money", "Payments", "Redaction", "Settings", "SimulatorAcquirer",
                "StrictJSON", "TestGateway", "TestUpstream", "Time", "WalletSimulator", .cryptoExtras,
            ]),
        .tests(
            "PAYONEUpstreamTests", in: "Tests/Connectors/PAYONEUpstreamTests",
            [
                "AcquirerConformance", "Administration", "ApplePayToken", "Clients", "ConnectorKit",
                "DialectConformance", "DialectKit", "Gateway", "Money", "PAYONE", "PAYONEUpstream", "Payments",
                "Redaction", "Settings", "SimulatorAcquirer", "StrictJSON", "TestGateway", "TestUpstream", "Time",
                "WalletSimulator",
            ]),
        .tests(
            "RadialUpstreamTests", in: "Tests/Connectors/RadialUpstreamTests",
            [
                "AcquirerConformance", "Administration", "BaseEncoding", "Clients", "ConnectorKit",
                "DialectConformance", "DialectKit", "Gateway", "Money", "Payments", "Radial", "RadialUpstream",
                "Redaction", "Settings", "SimulatorAcquirer", "TestGateway", "TestUpstream", "Time", "WalletSimulator",
            ]),
        .tests(
            "TapPayUpstreamTests", in: "Tests/Connectors/TapPayUpstreamTests",
            [
                "AcquirerConformance", "Administration", "Clients", "ConnectorKit", "DialectKit", "Gateway", "Money",
                "Payments", "Redaction", "Settings", "SimulatorAcquirer", "StrictJSON", "TapPay", "TapPayUpstream",
                "TestGateway", "TestUpstream", "Time", "WalletSimulator",
            ]),
        // With accounts at the vendors' sandboxes, where there are any; against another Pomona otherwise.
        .tests(
            "RealSandboxTests", in: "Tests/Connectors/RealSandboxTests",
            [
                "AlphaPay", "AlphaPayUpstream", "CommWeb", "ConnectorKit", "DialectKit", "MPGS", "Money", "PAYONE",
                "PAYONEUpstream", "Payments", "Radial", "RadialUpstream", "Redaction", "Settings", "SimulatorAcquirer",
                "StrictJSON", "TapPay", "TapPayUpstream", "TestGateway", "TestUpstream", "Time", "WalletSimulator",
                .cryptoExtras,
            ]),
        .tests(
            "SimulationTests", in: "Tests/SimulationTests",
            ["MemoryStore", "PostgreSQLStore", "Redaction", "SQLiteStore", "Simulation", "TestPostgres"]),
        .tests(
            "DialectKitTests", in: "Tests/DialectKitTests",
            [
                "BaseEncoding", "DialectKit", "FuzzInputs", "Payments", "Redaction", "Settings", "StrictJSON", "Time",
                .httpTypes,
            ]),
        .tests(
            "AlphaPayTests", in: "Tests/Dialects/AlphaPayTests",
            [
                "Administration", "AlphaPay", "BaseEncoding", "Clients", "DialectConformance", "DialectKit", "Gateway",
                "MemoryStore", "Money", "Payments", "Redaction", "SimulatorAcquirer", "StrictJSON", "TestGateway",
                "Time", "WalletSimulator", .cryptoExtras, .httpTypes, .logging,
            ]),
        .tests(
            "CommWebTests", in: "Tests/Dialects/CommWebTests",
            [
                "Administration", "Clients", "CommWeb", "DialectConformance", "DialectKit", "FuzzInputs", "Gateway",
                "Money", "Payments", "Redaction", "SimulatorAcquirer", "StrictJSON", "TestGateway", "Time",
                "WalletSimulator", .httpTypes,
            ]),
        .tests(
            "PAYONETests", in: "Tests/Dialects/PAYONETests",
            [
                "Administration", "Clients", "DialectConformance", "DialectKit", "FuzzInputs", "Gateway", "MemoryStore",
                "Money", "PAYONE", "Payments", "Redaction", "SimulatorAcquirer", "StrictJSON", "TestGateway", "Time",
                "WalletSimulator", .httpTypes,
            ]),
        .tests(
            "RadialTests", in: "Tests/Dialects/RadialTests",
            [
                "Administration", "Clients", "DialectConformance", "DialectKit", "FuzzInputs", "Gateway", "Money",
                "Payments", "Radial", "Redaction", "SimulatorAcquirer", "StrictJSON", "TestGateway", "TestProcesses",
                "WalletSimulator", .httpTypes,
            ]),
        .tests(
            "TapPayTests", in: "Tests/Dialects/TapPayTests",
            [
                "Administration", "BaseEncoding", "Clients", "DialectConformance", "DialectKit", "Gateway", "Money",
                "Payments", "Redaction", "SimulatorAcquirer", "StrictJSON", "TapPay", "TestGateway", "Time",
                "WalletSimulator", .crypto, .httpTypes, .logging,
            ]),
        .tests(
            "TPDirectTests", in: "Tests/TPDirectTests",
            ["StrictJSON", "TPDirect", "TestProcesses", "WalletSimulator", .crypto, .passKit]),
        .tests(
            "StorefrontTests", in: "Tests/StorefrontTests",
            [
                "Administration", "AlphaPay", "ApplePayToken", "BaseEncoding", "Clients", "CommWeb", "DialectKit",
                "Gateway", "Money", "PAYONE", "Payments", "Radial", "Redaction", "Storefront", "StrictJSON", "TapPay",
                "TestGateway", "Time", "WalletSimulator", "WebFiles", .asyncHTTPClient, .crypto, .cryptoExtras,
                .httpTypes, .nioCore,
            ]),
        .tests(
            "WebhooksTests", in: "Tests/WebhooksTests",
            [
                "Administration", "DialectKit", "Gateway", "Hosts", "MemoryStore", "Money", "Payments", "Redaction",
                "TestGateway", "TestServing", "Time", "Webhooks", .asn1, .crypto, .httpTypes, .hummingbird, .logging,
                .nioCore, .nioPosix, .nioSSL, .serviceLifecycle, .x509,
            ]),
        .tests(
            "ServerTests", in: "Tests/ServerTests",
            [
                "DialectKit", "Gateway", "Server", "Payments", "TestProcesses", .asyncHTTPClient, .httpTypes,
                .hummingbird, .logging, .metrics, .nioCore, .nioEmbedded, .nioHTTP1, .nioPosix, .nioSSL,
                .serviceLifecycle, .asn1, .crypto, .x509,
            ]),
        .tests(
            "WorkersTests", in: "Tests/WorkersTests",
            [
                "Administration", "ApplePayToken", "DialectKit", "Gateway", "MemoryStore", "Payments", "Redaction",
                "Server", "StrictJSON", "TestGateway", "TestUpstream", "Time", "Webhooks", "Workers", .logging,
                .metrics,
            ]),
        .tests(
            "ProbesTests", in: "Tests/ProbesTests",
            [
                "Administration", "AppleSessions", "Hosts", "OpenIDConnect", "Payments", "Probes", "TestApple",
                "TestUpstream", "Time", "WalletSimulator", "Webhooks",
            ]),
        .tests(
            "ServicesTests", in: "Tests/ServicesTests",
            ["Administration", "DialectKit", "Payments", "Services", "TestGateway", .httpTypes]),
        .tests(
            "pomonaTests", in: "Tests/pomonaTests",
            [
                "AcquirerLink", "AdminAPI", "Administration", "ApplePayToken", "AppleSessions", "Chaos", "Clients",
                "DialectKit", "Gateway", "Hosts", "Money", "OpenIDConnect", "Payments", "Redaction", "SQLiteStore",
                "Server", "Settings", "SimulatorAcquirer", "StoreRows", "Storefront", "StrictJSON", "TPDirect",
                "TapPay", "TestApple", "TestPostgres", "TestProcesses", "TestServing", "TestShop", "TestUpstream",
                "Threads", "Time", "WalletSimulator", "Webhooks", "Workers", "pomona", .argumentParser, .asn1,
                .asyncHTTPClient, .crypto, .cryptoExtras, .grdb, .httpTypes, .hummingbird, .hummingbirdTLS, .logging,
                .nioCore, .nioHTTP1, .nioSSL, .passKit, .serviceLifecycle, .x509,
            ]),
        .tests("TidyTests", in: "Tests/TidyTests", []),
    ]
)
