// swift-tools-version: 6.2
//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//
// Fuzz targets for what reads untrusted input, for libFuzzer. script/fuzz builds and runs them.

import PackageDescription

let package = Package(
    name: "pomona-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "pomona", path: ".."),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    ],
    targets: [
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                .product(name: "ApplePayToken", package: "pomona"),
                .product(name: "PomonaDialects", package: "pomona"),
                .product(name: "PomonaLink", package: "pomona"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            // libFuzzer brings the main function. The house's tests compile these files too, without it.
            swiftSettings: [
                .swiftLanguageMode(.v6), .treatAllWarnings(as: .error), .define("FUZZING"),
                .unsafeFlags(["-parse-as-library"]),
            ])
    ]
)
