//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Payments
import StrictJSON
import Testing
import Time

@testable import pomona

/// `pomona payments resolve`: what a person decides.
struct CliResolveTests {
    private static let unknown = "op_01M7YRCW0HRMMTHEQKHE6Y9WF6"

    @Test(arguments: [
        ["op_1", "--failed", "--reason", "x"], [Self.unknown, "--reason", "x"],
        [Self.unknown, "--approved", "--failed", "--reason", "x"], [Self.unknown, "--failed"],
        [Self.unknown, "--failed", "--reference", "1", "--reason", "x"], [Self.unknown, "--failed", "--reason", ""],
        [Self.unknown, "--failed", "--reason", "two\nlines"],
    ])
    func refusesWhatIsNoDecision(_ arguments: [String]) async throws {
        let folder = try CliFolder()
        let result = try await CliTool.pomona(["payments", "resolve", "--data", folder.file("data")] + arguments)
        #expect(result.exitCode == 64, "\(result.stderr)")
    }

    /// An authorization of an hour ago whose answer was lost, beside the demo's payments.
    private static func lost(in data: String) async throws -> (PaymentID, OperationID) {
        let surroundings = Surroundings.system
        let hourAgo = surroundings.clock().adding(seconds: -3600)
        let payment = PaymentID(at: hourAgo, random: surroundings.random(10))
        let operation = OperationID(at: hourAgo, random: surroundings.random(10))
        let store = try await DataDirectory(path: data).storeLocation().open()
        try await store.write { transaction in
            let other = try #require(try transaction.payments(PaymentQuery()).first)
            let opened = try Payment.opening(
                id: payment, merchantID: other.merchantID, mode: other.mode, dialect: other.dialect,
                acquirer: other.acquirer, accountID: other.accountID, orderID: nil, amount: other.amount,
                instrument: other.instrument, authorizationID: operation, at: hourAgo)
            try transaction.insert(opened)
            try transaction.update(
                try opened.transition(on: .resolve(operation, .unknown(.timedOut)), at: hourAgo), from: opened.version)
        }
        try await store.close()
        return (payment, operation)
    }

    private static func resolve(
        _ operation: OperationID, _ arguments: [String], _ data: String
    ) async throws -> CliResult {
        try await CliTool.pomona(
            ["payments", "resolve", operation.text, "--data", data, "--reason", "seen by Ann"] + arguments)
    }

    @Test func approvalIsBookedWithItsReference() async throws {
        let sandbox = try await CliSandbox.copy()
        let data = sandbox.data
        let (payment, operation) = try await Self.lost(in: data)
        let approved = try await Self.resolve(operation, ["--approved", "--reference", "4711"], data)
        #expect(approved.exitCode == 0, "\(approved.stdout)\(approved.stderr)")
        #expect(approved.stdout == "\(operation) is booked; \(payment) is authorized now.\n")
        let shown = try await CliTool.pomona(["payments", "show", operation.text, "--data", data, "--json"]).json()
        #expect(shown["state"] == "authorized" && shown["authorized"] == shown["amount"], "\(shown.text())")
        #expect(shown["operations"]?.array?.map { $0["acquirerReference"] } == ["4711"])
        #expect(shown["journal"]?.array?.isEmpty == false)
        let log = try await CliTool.pomona(["audit", "list", "--data", data, "--json"]).stdout
        for text in ["operation.decide", operation.text, "seen by Ann"] { #expect(log.contains(text), "\(text)") }
        #expect(try await CliTool.pomona(["ledger", "check", "--data", data]).exitCode == 0)
        // It is known now, and that stays.
        let again = try await Self.resolve(operation, ["--failed", "--json"], sandbox.data)
        #expect(again.exitCode == 1 && again.errorCode == "operation_resolved", "\(again.stdout)")
    }

    @Test func whatCameToNothingIsBookedAsThat() async throws {
        let sandbox = try await CliSandbox.copy()
        let data = sandbox.data
        let (payment, operation) = try await Self.lost(in: data)
        let failed = try await Self.resolve(operation, ["--failed", "--json"], data)
        #expect(failed.exitCode == 0, "\(failed.stdout)\(failed.stderr)")
        #expect(try failed.json() == ["payment": .string(payment.text), "state": "notProcessed"])
        let shown = try await CliTool.pomona(["payments", "show", payment.text, "--data", data, "--json"]).json()
        #expect(shown["operations"]?.array?.map { $0["failure"] } == ["neverArrived"], "\(shown.text())")
        #expect(shown["journal"] == [])
        // In the words that lists have for it.
        let (other, lost) = try await Self.lost(in: data)
        let said = try await Self.resolve(lost, ["--failed"], data)
        #expect(said.stdout == "\(lost) is booked; \(other) is not processed now.\n", "\(said.stderr)")
        #expect(try await CliTool.pomona(["ledger", "check", "--data", sandbox.data]).exitCode == 0)
    }

    /// The payment's own rules stand above a person's.
    @Test func whatThePaymentDoesNotAllowIsSaid() {
        let failure = PaymentsResolveCommand.failure(of: .approvalExceedsRequest)
        #expect(failure.code == "decision_not_allowed" && failure.stage == "store")
        #expect(failure.message.contains("approvalExceedsRequest"))
    }

    @Test func operationThatTheStoreDoesNotHaveIsRefused() async throws {
        let folder = try CliFolder()
        let sandbox = try await SandboxProcess(
            data: folder.file("data"), arguments: ["--port", "0", "--tls-port", "0", "--no-shop"])
        let resolve = ["payments", "resolve", "--data", folder.file("data"), "--json", "--failed", "--reason", "x"]
        let unknown = try await CliTool.pomona(resolve + [Self.unknown])
        #expect(unknown.exitCode == 1)
        #expect(try unknown.json()["error"]?["code"]?.string == "operation_unknown", "\(unknown.stdout)")
        #expect(await sandbox.stop() == 0)
    }
}
