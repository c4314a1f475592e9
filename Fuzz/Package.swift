// swift-tools-version: 6.2
//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//
// Fuzz targets for what reads untrusted input, for libFuzzer. script/fuzz builds and runs them.

import PackageDescription

/// libFuzzer brings the main function; each target is one function that it calls.
func fuzz(_ name: String, _ product: String) -> Target {
    .executableTarget(
        name: name, dependencies: [.product(name: product, package: "pomona")],
        swiftSettings: [
            .swiftLanguageMode(.v6), .treatAllWarnings(as: .error), .unsafeFlags(["-parse-as-library"]),
        ])
}

let package = Package(
    name: "pomona-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "pomona", path: "..")],
    targets: [
        fuzz("FuzzTokenJSON", "ApplePayToken"),
        fuzz("FuzzSignedData", "ApplePayToken"),
        fuzz("FuzzForm", "PomonaDialects"),
        fuzz("FuzzXML", "PomonaDialects"),
    ]
)
