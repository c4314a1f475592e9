//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import TestShop
import TestUpstream
import Testing

@testable import pomona

/// Any dialect in, any of the five services out: over two gateways as processes, with a proxy between them, the books of both say the
/// same after whatever a shop does.
@Suite("Matrix", .serialized, .timeLimit(.minutes(30))) struct MatrixTests {
    @Test(arguments: UpstreamService.allCases) func booksAgree(_ service: UpstreamService) async throws {
        try await Self.play(service, late: false)
    }

    @Test(arguments: UpstreamService.allCases) func booksAgreeOnWhatComesLate(_ service: UpstreamService) async throws {
        try await Self.play(service, late: true)
    }

    private static func play(_ service: UpstreamService, late: Bool) async throws {
        let sandbox = try await ChainedSandbox.open(service, decidesLater: late)
        for cell in MatrixCell.possible where cell.pair.service == service && cell.law.isLate == late {
            do {
                try await MatrixStory.begin(cell, sandbox).play()
            } catch {
                Issue.record("\(cell): \(error)\n\(sandbox.log)")
            }
        }
        try await sandbox.close()
    }

    /// Each of the others has its reason: no sale, no such currency.
    @Test func mostPairsExist() {
        #expect(MatrixCell.all.count == MatrixPair.all.count * MatrixLaw.allCases.count)
        #expect(
            ShopDialects.all.map { $0.name } == DialectModule.all.map(\.name).sorted(), "a dialect that no chain speaks"
        )
        #expect(
            Set(PaidService.all.map(\.name)) == Set(UpstreamService.allCases.map(\.rawValue)),
            "a service without a shop")
        #expect(MatrixPair.all.count == ShopDialects.all.count * UpstreamService.allCases.count)
        let missing = MatrixPair.all.filter { pair in !MatrixCell.possible.contains { $0.pair == pair } }
        #expect(missing.count == 3)
    }

    /// Wherever anything can be paid, a sale can, but for a shop whose API only reserves.
    @Test func everyPairButOfRadialShopsSells() {
        for pair in MatrixPair.all where MatrixLaw.decline.obstacle(pair) == nil {
            #expect((MatrixLaw.sale.obstacle(pair) == nil) == (pair.dialect != "radial"), "\(pair)")
            #expect((MatrixLaw.wholeCapture.obstacle(pair) == nil) == (pair.means.captures != .withAuthorization))
        }
    }
}
