//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Testing

@testable import pomona

@Suite("pomona demo")
struct CliDemoTests {
    @Test func printsWhatItPromises() async throws {
        let demo = try await CliSandbox.shared().demo
        for promise in [
            "A merchant is onboarded", "signing request", "issued by", "1. verified", "signer", "under the root",
            "signing time",
            "2. decrypted", "489537xxxxxx5671", "ECI 7", "3. authorized", "4. captured", "42.50 CAD",
            "a part is refunded", "partially refunded", "a second refund", "APPLE_PAY_TOKEN_INVALID",
            "APPLE_PAY_TOKEN_REPEATED", "the answer to a payment is lost", "authorize, capture in parts, void",
            "TapPay", "pay-by-prime", "rec_trade_id",
            "CommWeb (Mastercard Gateway)", "SUCCESS APPROVED CAPTURED", "PAYONE", "Radial", "account token",
            "signed notifications", "The ledger",
            "payable", "receivable", "every journal balances",
        ] {
            #expect(demo.stdout.contains(promise), "missing: \(promise)")
        }
        #expect(!demo.stdout.contains("✗"))
        #expect(demo.stderr.isEmpty)
    }

    @Test func isPlainAndFitsIntoAHundredColumnsWhenPiped() async throws {
        let demo = try await CliSandbox.shared().demo
        #expect(!demo.stdout.contains("\u{1B}"))
        for line in demo.stdout.split(separator: "\n") {
            // A word that cannot be broken, such as an id, may stand out.
            #expect(line.count <= 100, "\(line)")
        }
    }

    @Test func showsNoAccountNumberAndNoCryptogram() async throws {
        let demo = try await CliSandbox.shared().demo
        #expect(!demo.stdout.contains("4895370012345671"))
        #expect(!demo.stdout.contains("onlinePaymentCryptogram"))
        #expect(!demo.stdout.contains("PRIVATE KEY"))
    }

    /// The demonstration has paid through every dialect; every byte of every file that the stores have written is
    /// searched.
    @Test func storesHoldNoAccountNumberNoTokenAndNoSecret() async throws {
        let data = try await CliSandbox.shared().data
        let files = try FileManager.default.contentsOfDirectory(atPath: data).filter { $0.contains(".sqlite") }
        #expect(files.contains("pomona.sqlite") && files.contains("acquirer.sqlite"))
        var secrets = ["4895370012345671", "ephemeralPublicKey", "PRIVATE KEY"]
        for name in ["commweb", "payone", "radial", "tappay"] {
            let card = try DataDirectory(path: data).loadMerchant(name)
            secrets += card.values.map(\.value).filter { $0.count >= 32 }
        }
        #expect(secrets.count == 13)
        for file in files {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(data)/\(file)"))
            for secret in secrets {
                #expect(bytes.firstRange(of: Data(secret.utf8)) == nil, "\(file) holds a secret")
            }
            // The search finds what is there: the masked number's ends.
            if file == "pomona.sqlite" { #expect(bytes.firstRange(of: Data("489537".utf8)) != nil) }
        }
    }

    @Test func leavesNothingBehindWithoutADirectory() async throws {
        func leftovers() throws -> Set<String> {
            Set(
                try FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory())
                    .filter { $0.hasPrefix("pomona-demo-") })
        }
        let before = try leftovers()
        let demo = try await CliTool.pomona(["demo"])
        #expect(demo.exitCode == 0, "\(demo.stdout)\(demo.stderr)")
        #expect(try leftovers().subtracting(before).isEmpty)
    }

    @Test func refusesADirectoryThatCannotBeMade() async throws {
        let folder = try CliFolder()
        let file = try folder.write("file", "in the way")
        let demo = try await CliTool.pomona(["demo", "--data", "\(file)/data"])
        #expect(demo.exitCode == 1)
        #expect(demo.stderr.contains("cannot be made"))
    }
}
