//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON
import Testing

@Suite("pomona token verify and inspect")
struct CliTokenTests {
    static let genuine = CliVectors.path("ApplePayToken/radial-seed-token.json")

    @Test func verifiesTheGenuineTokenAtItsTime() async throws {
        let result = try await CliTool.pomona(
            ["token", "verify", "--token", Self.genuine, "--at", "2015-12-10T17:45:00Z", "--json"])
        #expect(result.exitCode == 0)
        let json = try result.json()
        #expect(json["verified"]?.bool == true)
        #expect(json["version"]?.string == "EC_v1")
        #expect(json["signingTime"]?.string == "2015-12-10T17:44:10Z")
        #expect(json["trustAnchor"]?["label"]?.string == "Apple Root CA - G3")
        #expect(json["signerName"]?.string?.hasPrefix("ecc-smp-broker-sign_UC4") == true, "\(json)")
        #expect(
            json["trustAnchor"]?["id"]?.string == "9b219d0fbff36a5fb32090571906bceea68617c833a3f61b81e962a8e64db8af")
    }

    @Test func printsThatTheTokenIsGenuine() async throws {
        let result = try await CliTool.pomona(
            ["token", "verify", "--token", Self.genuine, "--at", "2015-12-10T17:45:00Z"])
        #expect(result.exitCode == 0)
        #expect(result.stdout.contains("The token is genuine."))
        #expect(result.stdout.contains("50 seconds before the time of the check"))
        #expect(!result.stdout.contains("\u{1B}"))
        #expect(result.stderr.isEmpty)
    }

    @Test func refusesTheGenuineTokenToday() async throws {
        let result = try await CliTool.pomona(["token", "verify", "--token", Self.genuine, "--json"])
        #expect(result.exitCode == 1)
        #expect(result.errorCode == "signing_time_too_old")
        #expect(result.errorStage == "window")
        let error = try #require(try result.json()["error"]?.object)
        #expect(error.names == ["code", "stage", "message"])
    }

    @Test func printsOnStandardErrorWhyATokenIsRefused() async throws {
        let result = try await CliTool.pomona(["token", "verify", "--token", Self.genuine])
        #expect(result.exitCode == 1)
        #expect(result.stdout.isEmpty)
        #expect(result.stderr.hasPrefix("error: The token was signed at 2015-12-10T17:44:10Z"))
        #expect(result.stderr.contains("signing_time_too_old"))
    }

    @Test func readsStandardInputAndEveryWrapping() async throws {
        let paymentData = try String(contentsOfFile: Self.genuine, encoding: .utf8)
        let token =
            "{\"paymentData\":\(paymentData),\"paymentMethod\":{\"network\":\"Visa\",\"displayName\":\"Visa 1234\"}}"
        let payment = "{\"token\":\(token),\"billingContact\":{\"familyName\":\"Appleseed\"}}"
        for text in [paymentData, token, payment] {
            let result = try await CliTool.pomona(
                ["token", "verify", "--token", "-", "--at", "2015-12-10T17:45:00Z", "--json"], stdin: text)
            #expect(result.exitCode == 0, "\(result.stdout)")
            let json = try result.json()
            #expect(json["paymentMethod"]?["network"]?.string == (text == paymentData ? nil : "Visa"))
        }
    }

    @Test func refusesATokenWhoseDataHasBeenChanged() async throws {
        let folder = try CliFolder()
        let text = try String(contentsOfFile: Self.genuine, encoding: .utf8)
        let changed = text.replacingOccurrences(of: "\"data\": \"GcUs", with: "\"data\": \"GcUt")
        #expect(changed != text)
        let result = try await CliTool.pomona([
            "token", "verify", "--token", try folder.write("token.json", changed), "--at", "2015-12-10T17:45:00Z",
            "--json",
        ])
        #expect(result.exitCode == 1)
        #expect(result.errorCode == "message_digest_mismatch")
        #expect(result.errorStage == "signature")
    }

    @Test(arguments: [
        ("", "json_malformed"), ("{", "json_malformed"), ("[]", "token_shape_unknown"), ("{}", "token_shape_unknown"),
        ("{\"paymentData\":{}}", "payment_data_empty"), ("{\"version\":\"EC_v2\"}", "version_unsupported"),
        ("{\"version\":\"EC_v1\"}", "member_missing"),
    ])
    func refusesWhatIsNoToken(_ text: String, _ code: String) async throws {
        for command in ["verify", "inspect"] {
            let result = try await CliTool.pomona(["token", command, "--token", "-", "--json"], stdin: text)
            #expect(result.exitCode == 1)
            #expect(result.errorCode == code, "\(command): \(result.stdout)")
            #expect(result.errorStage == "parse")
        }
    }

    @Test func refusesFilesThatAreTooLargeOrNotThere() async throws {
        let folder = try CliFolder()
        let large = try folder.write("large.json", String(repeating: " ", count: 64 * 1024 + 1))
        let tooLarge = try await CliTool.pomona(["token", "verify", "--token", large, "--json"])
        #expect(tooLarge.exitCode == 1)
        #expect(tooLarge.errorCode == "file_too_large")
        for path in [folder.file("absent.json"), folder.path] {
            let absent = try await CliTool.pomona(["token", "verify", "--token", path, "--json"])
            #expect(absent.exitCode == 1)
            #expect(absent.errorCode == "file_unreadable")
            #expect(absent.errorStage == "input")
        }
    }

    @Test func refusesATrustRootThatIsNone() async throws {
        let folder = try CliFolder()
        let result = try await CliTool.pomona([
            "token", "verify", "--token", Self.genuine, "--trust-root", try folder.write("root.pem", "nothing"),
            "--json",
        ])
        #expect(result.exitCode == 1)
        #expect(result.errorCode == "certificate_unreadable")
    }

    @Test(arguments: [
        ["token", "verify"],
        ["token", "verify", "--token"],
        ["token", "verify", "--token", "x", "--at", "yesterday"],
        ["token", "verify", "--token", "x", "--at", "2015-12-10"],
        ["token", "verify", "--token", "x", "--unheard-of"],
        ["token", "open", "--token", "x"],
        ["token", "open", "--token", "x", "--key", "k"],
        ["token", "open", "--token", "x", "--key", "k", "--certificate", "c", "--merchant-identifier", "m"],
        ["token", "open", "--token", "-", "--key", "-", "--merchant-identifier", "m"],
        ["token", "mint", "--merchant", "alphapay"],
        ["token", "mint", "--merchant", "alphapay", "--amount", "10.999", "--currency", "CAD"],
        ["token", "mint", "--merchant", "alphapay", "--amount", "1e3", "--currency", "CAD"],
        ["token", "mint", "--merchant", "alphapay", "--amount", "-1", "--currency", "CAD"],
        ["token", "mint", "--merchant", "alphapay", "--amount", "10", "--currency", "XQX"],
        ["token", "mint", "--merchant", "alphapay", "--amount", "10", "--currency", "CAD", "--card", "diners"],
        ["token", "mint", "--merchant", "alphapay", "--amount", "10", "--currency", "CAD", "--kind", "magstripe"],
        ["token", "mint", "--merchant", "alphapay", "--amount", "10", "--currency", "CAD", "--version", "EC_v2"],
        ["token", "mint", "--merchant", "alphapay", "--amount", "10", "--currency", "CAD", "--format", "xml"],
        ["token", "unheard-of"],
        ["certificate", "csr"],
        ["certificate", "csr", "--merchant", "m", "--purpose", "tls", "--merchant-identifier", "m"],
        ["certificate", "csr", "--merchant", "m", "--purpose", "payment-processing", "--merchant-identifier", ""],
        [
            "certificate", "csr", "--merchant", "m", "--purpose", "merchant-identity", "--merchant-identifier", "m",
            "--algorithm", "p256",
        ],
        ["certificate", "import", "--merchant", "m"],
        ["certificate", "import", "--merchant", "m", "-", "--key", "-"],
        ["certificate", "inspect"],
        ["ledger", "check", "surplus"],
        ["payments", "list", "--limit", "0"],
        ["payments", "list", "--limit", "many"],
        ["payments", "show"],
        ["demo", "--unheard-of"],
        ["unheard-of"],
    ])
    func wrongCommandLinesExit64(_ arguments: [String]) async throws {
        let result = try await CliTool.pomona(arguments)
        #expect(result.exitCode == 64, "\(result.stdout)\(result.stderr)")
        #expect(result.stdout.isEmpty)
        #expect(!result.stderr.isEmpty)
    }

    @Test func inspectionExplainsTheGenuineToken() async throws {
        let result = try await CliTool.pomona(
            ["token", "inspect", "--token", Self.genuine, "--at", "2015-12-10T17:45:00Z", "--json"])
        #expect(result.exitCode == 0)
        let json = try result.json()
        #expect(json["sound"]?.bool == true)
        #expect(json["certificates"]?.array?.count == 2)
        #expect(json["findings"]?.array?.allSatisfy { $0["outcome"]?.string == "passed" } == true)
        let text = try await CliTool.pomona(
            ["token", "inspect", "--token", Self.genuine, "--at", "2015-12-10T17:45:00Z"])
        #expect(text.exitCode == 0)
        #expect(text.stdout.contains("ecc-smp-broker-sign_UC4-PROD"))
        #expect(text.stdout.contains("Nothing is wrong with it"))
        #expect(text.stdout.contains(" intermediate_certificate  "), "the longest name")
        #expect(text.stdout.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }

    @Test func inspectionGoesOnPastTheFirstFailure() async throws {
        let text = try String(contentsOfFile: Self.genuine, encoding: .utf8)
            .replacingOccurrences(of: "\"data\": \"GcUs", with: "\"data\": \"GcUt")
        let result = try await CliTool.pomona(["token", "inspect", "--token", "-", "--json"], stdin: text)
        #expect(result.exitCode == 0)
        let json = try result.json()
        #expect(json["sound"]?.bool == false)
        let failed = json["findings"]?.array?.filter { $0["outcome"]?.string == "failed" }.compactMap {
            $0["code"]?.string
        }
        #expect(failed == ["message_digest_mismatch", "signing_time_too_old"])
        let people = try await CliTool.pomona(["token", "inspect", "--token", "-"], stdin: text)
        #expect(people.stdout.contains("It would be refused: 2 checks fail."))
        #expect(people.stdout.contains("[message_digest_mismatch]"))
    }
}
