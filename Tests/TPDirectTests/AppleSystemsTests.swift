//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Foundation
import TestProcesses
import Testing

/// What Apple's systems compile of TPDirect, type-checked on Linux by script/typecheck-apple: the Objective-C half, the
/// documented samples as they are printed, and the proof that the check finds what it is for.
@Suite(.serialized) struct AppleSystemsTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func check(_ arguments: [String]) async throws -> Command.Outcome {
        try await Command(["/bin/bash", "script/typecheck-apple"] + arguments, in: Self.root.path).run()
    }

    @Test func tpDirectCompilesForEachSystemOfApples() async throws {
        let outcome = try await Self.check([])
        #expect(outcome.status == 0, "\(outcome.errorsText)")
        for platform in ["ios", "catalyst", "macos"] {
            #expect(outcome.outputText.contains("TPDirect compiles for \(platform)\n"))
        }
        for version in [5, 6] {
            for app in [
                "TapPay/Apps/DocumentationSample", "TapPay/Apps/ExampleAppDelegate",
                "TapPay/Apps/PublishedFrameworkApp", "PAYONE/Apps/DocumentationSample",
            ] { #expect(outcome.outputText.contains("Vectors/\(app).swift compiles in Swift \(version)\n")) }
        }
        for app in ["DocumentationSample", "ExampleAppDelegate"] {
            #expect(outcome.outputText.contains("Vectors/TapPay/Apps/\(app).m compiles\n"))
        }
    }

    /// A change of one file that must not pass.
    struct Fault: Sendable {
        let name: String
        let file: String
        /// Replaced; the end of the file if it is empty.
        var text = ""
        let replacement: String
        var platform = "ios"
        /// What the compiler says of it.
        let message: String

        func plant(in sources: URL) throws {
            let file = sources.appending(path: self.file)
            let text = try String(contentsOf: file, encoding: .utf8)
            try #require(self.text.isEmpty || text.contains(self.text))
            let changed =
                self.text.isEmpty
                ? "\(text)\n\(self.replacement)\n" : text.replacing(self.text, with: self.replacement)
            try changed.write(to: file, atomically: true, encoding: .utf8)
        }
    }

    static let faults = [
        Fault(
            name: "a selector that is declared twice", file: "Interface/ObjectiveC.swift",
            replacement: """
                extension TPDApplePay {
                    @objc(canMakePaymentsUsingNetworks:)
                    public static func again(_ networks: [String]) -> Bool { networks.isEmpty }
                }
                """,
            message: "with Objective-C selector 'canMakePaymentsUsingNetworks:' conflicts with"),
        Fault(
            name: "a warning", file: "Flow/DelegateCalls.swift", text: "return selected ?? cart",
            replacement: "return (selected ?? cart) ?? cart", message: "left side of nil coalescing operator '??'"),
        Fault(
            name: "a deprecation", file: "Interface/TPDConsumer.swift",
            replacement: "@available(*, deprecated) func old() {}\nfunc new() { old() }\n",
            message: "TPDirect is not free of warnings"),
        Fault(
            name: "a class without its @objcMembers", file: "Interface/TPDCart.swift", text: "@objcMembers",
            replacement: "", message: "property 'shippingType' not found on object of type 'TPDCart *'"),
        Fault(
            name: "an enumeration without its @objc", file: "Interface/TPDServerType.swift", text: "@objc\n",
            replacement: "\n", message: "'@objc' enum case is not allowed outside of an '@objc' enum"),
        Fault(
            name: "a name of Objective-C's that is gone", file: "Interface/ObjectiveC.swift",
            text: "@objc(addPaymentItem:)", replacement: "@objc(addAnItem:)", message: "addPaymentItem:"),
        Fault(
            name: "a type that Objective-C does not have", file: "Interface/TPDApplePayDelegate.swift",
            text: "withExpiryMillis expiryMillis: Int,", replacement: "withExpiryMillis expiryMillis: Int?,",
            message: "cannot be represented in Objective-C"),
        Fault(
            name: "a member that apps do not see", file: "Interface/TPDConsumer.swift",
            text: "public var requiredBillingAddressFields", replacement: "var requiredBillingAddressFields",
            message: "'requiredBillingAddressFields' is inaccessible"),
        Fault(
            name: "what a Mac requires", file: "Flow/Sheet.swift", text: "func presentationWindow(",
            replacement: "func window(", platform: "macos",
            message: "does not conform to protocol 'PKPaymentAuthorizationControllerDelegate'"),
        Fault(
            name: "what a Mac does not have", file: "Interface/TPDApplePay.swift", text: "#if os(iOS) || os(Linux)",
            replacement: "#if os(iOS) || os(macOS)", platform: "macos",
            message: "'openPaymentSetup()' is unavailable in macOS"),
        Fault(
            name: "a data race", file: "Flow/Sheet.swift",
            replacement: "func race(_ contact: PKContact) { Task.detached { _ = contact.name } }\n",
            message: "risks causing data races"),
    ]

    @Test func eachFaultIsFound() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "apple-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (number, fault) in Self.faults.enumerated() {
            let sources = folder.appending(path: "\(number)")
            try FileManager.default.copyItem(at: Self.root.appending(path: "Sources/TPDirect"), to: sources)
            try fault.plant(in: sources)
            let outcome = try await Self.check([
                // What does not depend on TPDirect is compiled once for all.
                "--cache", folder.appending(path: "cache").path,
                "--sources", sources.path, "--platform", fault.platform,
            ])
            #expect(outcome.status == 1, "\(fault.name)")
            #expect(outcome.errorsText.contains(fault.message), "\(fault.name): \(outcome.errorsText)")
        }
    }

    @Test func takesNoOtherArguments() async throws {
        for arguments in [["--platform", "watchos"], ["--frobnicate", "x"]] {
            let outcome = try await Self.check(arguments)
            #expect(outcome.status == 64)
            #expect(outcome.errorsText.hasPrefix("usage: ") || outcome.errorsText.contains("no platform watchos"))
        }
    }
}
#endif
