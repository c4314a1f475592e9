// swift-tools-version: 6.2
//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//
// Measurements, apart from the tests: machines are noisy, and a timed test is no test. script/bench runs them.

import PackageDescription

let package = Package(
    name: "pomona-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "pomona", path: ".."),
        .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
    ],
    targets: [
        .executableTarget(
            name: "Bench",
            dependencies: [
                .product(name: "ApplePayToken", package: "pomona"),
                .product(name: "PomonaClients", package: "pomona"),
                .product(name: "PomonaCore", package: "pomona"),
                .product(name: "PomonaShops", package: "pomona"),
                .product(name: "PomonaStores", package: "pomona"),
                .product(name: "WalletSimulator", package: "pomona"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)],
            // What is measured in process has the allocator that `pomona` is linked with.
            linkerSettings: [.linkedLibrary(":libtcmalloc_minimal.so.4", .when(platforms: [.linux]))])
    ]
)
