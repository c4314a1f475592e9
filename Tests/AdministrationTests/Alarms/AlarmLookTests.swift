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
