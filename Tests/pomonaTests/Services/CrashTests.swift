//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import Foundation
import Gateway
import Money
import Payments
import SQLiteStore
import SimulatorAcquirer
import StrictJSON
import Synchronization
import Testing

@testable import pomona

/// kill -9 under load, then a new start on the same directory.
@Suite(.timeLimit(.minutes(5))) struct CrashTests {
    /// What the shops of the load know when the gateway dies.
    private final class Journal: Sendable {
        struct Entries {
            /// Orders that were begun.
            var paymentIDs: [String] = []
            /// Those whose payment the gateway has acknowledged.
            var acknowledged: [String] = []
        }

        private let entries = Mutex(Entries())

        var all: Entries { self.entries.withLock { $0 } }

        func begin(_ paymentID: String) { self.entries.withLock { $0.paymentIDs.append(paymentID) } }

        /// - Returns: how many are acknowledged now.
        func acknowledge(_ paymentID: String) -> Int {
            self.entries.withLock { entries in
                entries.acknowledged.append(paymentID)
                return entries.acknowledged.count
            }
        }
    }

    private static let shopsCount = 8
    private static let acknowledgedBeforeCrash = 60
    /// Every fifth payment is one whose outcome the acquirer keeps from the gateway (CommWeb's "timed out").
    private static func amount(_ index: Int) -> Int64 { index % 5 == 4 ? 5858 : 1000 + Int64(index) }

    /// Pays until the gateway no longer answers.
    private static func load(_ shop: Shop, number: Int, _ journal: Journal, onEnough: @Sendable () -> Void) async {
        var index = 0
        do {
            while true {
                let amount = self.amount(index)
                let paymentID = try await shop.order("order-\(number)-\(index)", amount: amount)
                journal.begin(paymentID)
                let answer = try await shop.pay(paymentID, amount: amount)
                if answer["result"]?["resultStatus"]?.string == "S",
                    journal.acknowledge(paymentID) == self.acknowledgedBeforeCrash
                {
                    onEnough()
                }
                index += 1
            }
        } catch {
            // The connection is gone: so is the gateway.
        }
    }

    @Test func losesNoAcknowledgedPaymentAndResolvesEverything() async throws {
        let folder = try CliFolder()
        let data = folder.file("data")
        let journal = Journal()
        let first = try await SandboxProcess(data: data)
        let shop = try Shop(url: first.http, data: data)
        let (enough, signalEnough) = AsyncStream.makeStream(of: Void.self)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<Self.shopsCount {
                group.addTask {
                    await Self.load(shop, number: number, journal) { signalEnough.yield() }
                }
            }
            for await _ in enough { break }
            #expect(await first.stop(SIGKILL) == -SIGKILL)
        }
        let known = journal.all
        #expect(known.acknowledged.count >= Self.acknowledgedBeforeCrash)

        let second = try await SandboxProcess(data: data)
        let again = try Shop(url: second.http, data: data)
        for paymentID in known.acknowledged {
            let answer = try await again.inquire(paymentID)
            #expect(answer["paymentStatus"]?.string == "SUCCESS", "\(answer.text())")
        }
        try await Self.waitUntilResolved(data, asking: again, about: known.paymentIDs)
        // What was begun is known to its end: paid, or waiting to be paid because nothing of the attempt was kept.
        for paymentID in known.paymentIDs {
            let status = try await again.inquire(paymentID)["paymentStatus"]?.string
            #expect(status == "SUCCESS" || status == "FAILED" || status == "PAYMENT_IN_PROCESS", "\(status ?? "none")")
        }
        // It takes payments again.
        let paymentID = try await again.order("order-after", amount: 700)
        #expect(try await again.pay(paymentID, amount: 700)["paymentStatus"]?.string == "SUCCESS")
        #expect(await second.stop() == 0)
        try await Self.checkBooks(data, atLeast: known.acknowledged.count + 1)
    }

    private static func unresolvedCount(_ store: SQLiteStore) async throws -> Int {
        try await store.read { reader in
            let query = PaymentQuery(limit: 1_000_000)
            return try reader.payments(query).flatMap(\.operations).count { !$0.state.isResolved }
        }
    }

    /// Another process does the recovering, and there is nothing to wait on but what it has written: asks for every
    /// payment again and again until none is open. The suite's time limit ends it when that never happens.
    private static func waitUntilResolved(_ data: String, asking shop: Shop, about paymentIDs: [String]) async throws {
        let store = try SQLiteStore.openReadOnly(path: DataDirectory(path: data).storePath)
        while try await self.unresolvedCount(store) > 0 {
            for paymentID in paymentIDs { _ = try await shop.inquire(paymentID) }
        }
        try await store.close()
    }

    /// The ledger against itself, and the gateway's payments against what the acquirer really did.
    private static func checkBooks(_ data: String, atLeast count: Int) async throws {
        let directory = DataDirectory(path: data)
        let store = try SQLiteStore.openReadOnly(path: directory.storePath)
        let report = try await LedgerAudit.run(store: store)
        #expect(report.isSound, "\(report.problems)")
        #expect(report.paymentsCount >= count)
        #expect(try await self.unresolvedCount(store) == 0)
        let payments = try await store.read { try $0.payments(PaymentQuery(limit: 1_000_000)) }
        try await store.close()
        let book = try SimulatorBook.open(path: directory.acquirerStorePath)
        for payment in payments {
            let captured = try await book.position(payment.id)?.captured.minorUnits ?? 0
            #expect(captured == payment.capturedAmount.minorUnits)
        }
        try book.close()
        let check = try await CliTool.pomona(["ledger", "check", "--data", data])
        #expect(check.exitCode == 0, "\(check.stdout)\(check.stderr)")
    }
}
