//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Payments
import Redaction
import Settings
import TestGateway
import Testing
import Time

/// What is found to be an alarm.
struct AlarmLookTests {
    private static let dialect = DialectName("test")

    private static func open() async throws -> (TestGateway, TestMerchant) {
        let test = try await TestGateway.open()
        return (test, try await test.addMerchant("shop", dialect: Self.dialect, key: "SHOP"))
    }

    /// "kind subject severity step".
    private static func alarms(_ look: AlarmLook) -> [String] {
        look.findings.map { found in
            "\(found.kind.rawValue) \(found.finding.code) \(found.finding.severity.rawValue)"
                + (found.finding.step.map { " \($0)" } ?? "")
        }
    }

    @Test func looksAtAllAndFindsNothingWhereNothingIsWrong() async throws {
        let (test, _) = try await Self.open()
        let administration = test.gateway.administration
        let look = try await administration.lookForAlarms()
        #expect(Self.alarms(look) == [])
        #expect(
            look.scopes
                == Set([.certificate, .wrongKey, .unknownOutcome, .deadWebhooks, .work].map { AlarmScope($0) }))
        let acquirers = try await administration.lookForFailingAcquirers(node: "one")
        #expect(acquirers.findings.isEmpty && acquirers.scopes == [AlarmScope(.acquirer, node: "one")])
        let books = try await administration.lookAtBooks {}
        #expect(books.findings.isEmpty && books.scopes == [AlarmScope(.ledger), AlarmScope(.audit)])
    }

    @Test(
        arguments: [
            (61, nil), (59, "notice 60"), (29, "warning 30"), (13, "failure 14"), (6, "failure 7"), (0, "failure 1"),
        ] as [(Int64, String?)])
    func findsCertificatesThatEnd(_ days: Int64, _ expected: String?) async throws {
        let (test, merchant) = try await Self.open()
        let end = try #require(try await test.gateway.administration.credentials(of: merchant.id).first?.notAfter)
        test.clock.advance(seconds: end.seconds - test.clock.now.seconds - days * 86_400 - 3600)
        let look = try await test.gateway.administration.lookForAlarms()
        #expect(Self.alarms(look) == (expected.map { ["certificate certificate_ends \($0)"] } ?? []))
        test.clock.advance(seconds: days * 86_400 + 3601)
        #expect(
            Self.alarms(try await test.gateway.administration.lookForAlarms())
                == ["certificate certificate_ended failure 0"])
    }

    /// Activated here and not at Apple, it takes nothing from the one that wallets seal for.
    @Test func certificateEndsUntilATokenHasComeForTheNext() async throws {
        let (test, merchant) = try await Self.open()
        let administration = test.gateway.administration
        let first = try #require(
            try await administration.credentials(of: merchant.id).first { $0.purpose == .paymentProcessing })
        let end = try #require(first.notAfter)
        let next = AppleCredential(
            id: String(repeating: "ab", count: 32), merchantID: merchant.id, purpose: first.purpose,
            merchantIdentifier: first.merchantIdentifier, certificatePEM: first.certificatePEM,
            notAfter: end.adding(seconds: 400 * 86_400), sealedPrivateKey: first.sealedPrivateKey,
            createdAt: test.clock.now)
        try await test.store.write { try $0.upsert(next) }
        test.clock.advance(seconds: end.seconds - test.clock.now.seconds - 5 * 86_400)
        let look = try await administration.lookForAlarms()
        #expect(Self.alarms(look) == ["certificate certificate_ends failure 7"])
        #expect(look.findings.first?.finding.advice?.contains("activate it at Apple's") == true)
        let running = { try await test.gateway.runningCertificates().map(\.keyPrefix) }
        #expect(try await running().contains(String(first.id.prefix(16))))
        try await test.store.write { transaction in
            try transaction.upsert(
                Observation(
                    kind: .keyUse, merchantID: merchant.id, subject: next.id, number: 0, at: next.createdAt))
        }
        #expect(Self.alarms(try await administration.lookForAlarms()) == [])
        #expect(try await !running().contains(String(first.id.prefix(16))))
    }

    /// An alarm is read by people who see that merchant alone.
    @Test func alarmNamesNoOtherMerchant() async throws {
        let (test, merchant) = try await Self.open()
        let other = try await test.addMerchant("neighbour", dialect: Self.dialect, key: "OTHER")
        let key = try #require(
            try await test.gateway.administration.credentials(of: other.id).first { $0.purpose == .paymentProcessing })
        let call = RefusedCall(
            id: RefusedCallID(at: test.clock.now, random: test.gateway.randomBytes(10)), at: test.clock.now,
            merchantID: merchant.id, dialect: Self.dialect, operation: "pay", wireCode: "X", stage: .keySelection,
            code: "key_unknown", text: "", requestID: "1", publicKeyHash: key.id)
        try await test.store.write { try $0.insert(call) }
        let found = try #require(try await test.gateway.administration.lookForAlarms().findings.first?.finding)
        #expect(found.code == "wrong_key_of_other_merchant")
        #expect(!found.text.contains("neighbour") && !found.text.contains(key.merchantIdentifier))
    }

    @Test func findsTokensForOtherKeys() async throws {
        let (test, merchant) = try await Self.open()
        let at = test.clock.now
        let call = RefusedCall(
            id: RefusedCallID(at: at, random: test.gateway.randomBytes(10)), at: at, merchantID: merchant.id,
            dialect: Self.dialect, operation: "pay", wireCode: "X", stage: .keySelection, code: "key_unknown", text: "",
            requestID: "1", publicKeyHash: String(repeating: "cd", count: 32))
        try await test.store.write { try $0.insert(call) }
        let look = try await test.gateway.administration.lookForAlarms()
        #expect(Self.alarms(look) == ["wrong_key wrong_key_unknown warning"])
        #expect(look.findings.first?.subject == "shop/" + String(repeating: "cd", count: 32))
        test.clock.advance(seconds: 86_401)
        #expect(Self.alarms(try await test.gateway.administration.lookForAlarms()) == [])
    }

    private struct ShutBank: Connector {
        let name = AcquirerName("bank")
        let settings: [SettingDescription] = []
        let secrets: [SecretDescription] = []

        private struct Silence: Acquirer {
            let name = AcquirerName("bank")
            let capabilities = AcquirerCapabilities(recovery: .reversal)

            func perform(_ request: AcquirerRequest) async -> AcquirerOutcome { .unclear("silence") }
            func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome { .unknown(.unclear("silence")) }
        }

        func open(_ account: OpenedAcquirerAccount) throws(ConnectorError) -> any Acquirer { Silence() }

        func check(_ account: OpenedAcquirerAccount) async -> [ConnectorFinding] {
            [
                ConnectorFinding("host", isGood: false, "not reached"),
                ConnectorFinding("credentials", isGood: false, "refused"),
            ]
        }
    }

    @Test func findsAcquirersThatFailOnceAnAccount() async throws {
        let test = try await TestGateway.open { $0.connectors.append(ShutBank()) }
        let merchant = try await test.addMerchant("shop", dialect: Self.dialect, key: "SHOP")
        _ = try await test.gateway.administration.addAcquirerAccount(
            AcquirerAccountDraft(name: "bank", connector: AcquirerName("bank")), to: merchant.id)
        let look = try await test.gateway.administration.lookForFailingAcquirers(node: "one")
        #expect(Self.alarms(look) == ["acquirer acquirer_fails failure"])
        #expect(look.findings.first?.subject == "one/shop/bank")
    }

    /// The log's last entry is made anew by somebody who has not its key.
    @Test func findsAnAuditLogThatIsNotAsItWasWritten() async throws {
        let (test, _) = try await Self.open()
        let last = try #require(try await test.store.read { try $0.lastAuditEntry() })
        let forged = AuditEntry(
            number: last.number + 1, at: last.at, actor: "nobody", act: last.act, subject: "", details: [:],
            previousDigest: last.digest, digest: Array(repeating: 1, count: AuditEntry.digestBytesCount))
        try await test.store.write { try $0.append(forged) }
        let look = try await test.gateway.administration.lookAtBooks {}
        #expect(Self.alarms(look) == ["audit audit_broken failure"])
    }
}
