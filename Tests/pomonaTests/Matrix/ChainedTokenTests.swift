//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import SQLiteStore
import StrictJSON
import Testing

@testable import pomona

/// `pomona sandbox --upstream` in one process, and `pomona token mint` for its merchants: for the key of whoever opens
/// the token.
struct ChainedTokenTests {
    private static func withSandbox(
        _ service: UpstreamService, in folder: CliFolder? = nil,
        _ body: (_ sandbox: SandboxProcess, _ directory: DataDirectory) async throws -> Void
    ) async throws {
        let folder = try folder ?? CliFolder()
        let directory = DataDirectory(path: folder.file("data"))
        let sandbox = try await SandboxProcess(
            data: directory.path,
            arguments: ["--port", "0", "--tls-port", "0", "--no-shop", "--upstream", service.rawValue])
        try await body(sandbox, directory)
        #expect(await sandbox.stop() == 0, "\(sandbox.log)")
    }

    private static func mint(_ version: String, _ merchant: String, in directory: DataDirectory) async throws
        -> CliResult
    {
        try await CliTool.pomona([
            "token", "mint", "--data", directory.path, "--merchant", merchant, "--amount", "10.99", "--currency", "CAD",
            "--version", version, "--json",
        ])
    }

    /// MPGS is sent what this gateway has opened, AlphaPay what it has not.
    @Test(arguments: [UpstreamService.alphapay, .mpgs], ["EC_v1", "RSA_v1"])
    func paysWithTokensOfEitherVersion(_ service: UpstreamService, _ version: String) async throws {
        try await Self.withSandbox(service) { sandbox, directory in
            let shop = try Shop(url: sandbox.http, data: directory.path)
            let minted = try await Self.mint(version, "alphapay", in: directory)
            #expect(minted.exitCode == 0, "\(minted.stdout)\(minted.stderr)")
            let paymentData = try minted.json()
            #expect(paymentData["version"]?.string == version)
            let paymentID = try await shop.order("order-1", amount: 1099)
            let answer = try await shop.call(
                "apple-pay/pay", ["paymentId": .string(paymentID), "token": ["paymentData": paymentData]])
            #expect(answer["paymentStatus"]?.string == "SUCCESS", "\(answer.text())\n\(sandbox.log)")
            let upstream = SandboxChain.directory(of: service, in: directory)
            for store in [directory, upstream] {
                let books = try SQLiteStore.openReadOnly(path: store.storePath)
                #expect(try await books.read { try $0.payments(PaymentQuery()) }.map(\.state) == [.captured])
                try await books.close()
            }
            let merchant = directory.merchant("alphapay")
            let holder = service.opensTokens ? service : nil
            #expect(try directory.loadMerchant("alphapay").keyHolder == holder)
            for other in [nil, UpstreamService.alphapay] {
                let isThere = FileSystem.exists(merchant.processingCertificatePath(of: other, isRSA: true))
                #expect(isThere == (version == "RSA_v1" && other == holder))
            }
        }
    }

    /// The key of the other version is no newer certificate of the first.
    @Test func laterStartsKeepBothKeys() async throws {
        let folder = try CliFolder()
        for run in 1...2 {
            try await Self.withSandbox(.alphapay, in: folder) { sandbox, directory in
                let shop = try Shop(url: sandbox.http, data: directory.path)
                for version in ["RSA_v1", "EC_v1"] {
                    let minted = try await Self.mint(version, "alphapay", in: directory)
                    #expect(minted.exitCode == 0, "\(version), run \(run): \(minted.stdout)\(minted.stderr)")
                    let paymentID = try await shop.order("\(version)-\(run)", amount: 1099)
                    let answer = try await shop.call(
                        "apple-pay/pay",
                        ["paymentId": .string(paymentID), "token": ["paymentData": try minted.json()]])
                    #expect(answer["paymentStatus"]?.string == "SUCCESS", "\(answer.text())")
                }
            }
        }
    }

    @Test(arguments: [UpstreamService.payone, .radial])
    func mintsNoTokenThatItsServiceHasNoFieldFor(_ service: UpstreamService) async throws {
        try await Self.withSandbox(service) { _, directory in
            let refused = try await Self.mint("RSA_v1", "alphapay", in: directory)
            #expect(refused.exitCode == 1 && refused.errorCode == "token_version_not_supported", "\(refused.stdout)")
            #expect(refused.stdout.contains(service.title), "\(refused.stdout)")
            #expect(try await Self.mint("EC_v1", "alphapay", in: directory).exitCode == 0)
        }
    }
}
