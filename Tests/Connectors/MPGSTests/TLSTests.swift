//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Money
import NIOSSL
import Payments
import TestUpstream
import Testing

@testable import MPGS

/// Real handshakes with a gateway whose authority is a test's own.
@Suite struct TLSTests {
    private static let approving: StubUpstream.Script = { _, _ in StubAnswer(status: 201, body: TestReply().text) }

    private static func outcome(
        port: Int, settings: [String: String] = [:], secrets: [String: String] = ["password": Bench.password],
        through client: UpstreamClient
    ) async throws -> AcquirerOutcome {
        let account = Bench.account(host: "https://localhost:\(port)", settings: settings, secrets: secrets)
        return try await MPGSConnector(client: client).open(account)
            .perform(Bench.request(.authorize(Bench.charge()), try Bench.money(3010)))
    }

    private static func isApproved(_ outcome: AcquirerOutcome) -> Bool {
        if case .approved = outcome { true } else { false }
    }

    @Test func authorityOfTheAccountIsTrusted() async throws {
        let authority = try TestAuthority("bank")
        let stub = try await StubUpstream(
            tls: try TestAuthority.server(authority.certify(host: "localhost")), script: Self.approving)
        let client = Bench.client()
        let outcome = try await Self.outcome(
            port: stub.port, settings: ["trustRoot": authority.certificatePEM], through: client)
        #expect(Self.isApproved(outcome), "\(outcome)")
        await client.shutdown()
        await stub.close()
    }

    @Test func anotherAuthorityIsNot() async throws {
        let authority = try TestAuthority("bank")
        let other = try TestAuthority("other")
        let stub = try await StubUpstream(
            tls: try TestAuthority.server(authority.certify(host: "localhost")), script: Self.approving)
        let client = Bench.client()
        for settings in [[:], ["trustRoot": other.certificatePEM]] {
            let outcome = try await Self.outcome(port: stub.port, settings: settings, through: client)
            #expect(outcome == .notProcessed(NotProcessed(.notSent, "tls_not_trusted")))
        }
        #expect(stub.requests.isEmpty)
        await client.shutdown()
        await stub.close()
    }

    @Test func certificateForAnotherHostIsNotTaken() async throws {
        let authority = try TestAuthority("bank")
        let stub = try await StubUpstream(
            tls: try TestAuthority.server(authority.certify(host: "gateway.bank.example")), script: Self.approving)
        let client = Bench.client()
        let outcome = try await Self.outcome(
            port: stub.port, settings: ["trustRoot": authority.certificatePEM], through: client)
        #expect(outcome == .notProcessed(NotProcessed(.notSent, "tls_wrong_host")))
        #expect(stub.requests.isEmpty)
        await client.shutdown()
        await stub.close()
    }

    // MARK: - Client certificates

    @Test func certificateStandsForThePassword() async throws {
        let authority = try TestAuthority("bank")
        let merchants = try TestAuthority("merchants")
        let merchant = try merchants.certify(host: nil)
        let stub = try await StubUpstream(
            tls: try TestAuthority.server(authority.certify(host: "localhost"), clients: merchants),
            script: Self.approving)
        let client = Bench.client()
        let outcome = try await Self.outcome(
            port: stub.port, settings: ["trustRoot": authority.certificatePEM],
            secrets: ["clientCertificate": merchant.certificatePEM, "clientKey": merchant.keyPEM], through: client)
        #expect(Self.isApproved(outcome), "\(outcome)")
        #expect(stub.requests.map(\.clientCertificate) == [merchant.certificateDER])
        #expect(stub.requests.allSatisfy { $0.header("Authorization") == nil })
        await client.shutdown()
        await stub.close()
    }

    /// One client serves all accounts; a connection that one merchant has proven is no other's.
    @Test func accountsShareNoConnection() async throws {
        let authority = try TestAuthority("bank")
        let merchants = try TestAuthority("merchants")
        let identities = [try merchants.certify(host: nil), try merchants.certify(host: nil)]
        let stub = try await StubUpstream(
            tls: try TestAuthority.server(authority.certify(host: "localhost"), clients: merchants),
            script: Self.approving)
        let client = Bench.client()
        for identity in identities + identities {
            _ = try await Self.outcome(
                port: stub.port, settings: ["trustRoot": authority.certificatePEM],
                secrets: ["clientCertificate": identity.certificatePEM, "clientKey": identity.keyPEM], through: client)
        }
        #expect(stub.requests.map(\.clientCertificate) == (identities + identities).map(\.certificateDER))
        await client.shutdown()
        await stub.close()
    }

    /// In TLS 1.3 a server looks at the client's certificate when the client already writes (RFC 8446, section 2): then
    /// nothing was done, and yet nobody can say so.
    @Test func withoutCertificateNothingIsApproved() async throws {
        let authority = try TestAuthority("bank")
        let merchants = try TestAuthority("merchants")
        let stranger = try TestAuthority("other").certify(host: nil)
        let stub = try await StubUpstream(
            tls: try TestAuthority.server(authority.certify(host: "localhost"), clients: merchants),
            script: Self.approving)
        let client = Bench.client()
        for secrets in [
            ["password": Bench.password],
            ["clientCertificate": stranger.certificatePEM, "clientKey": stranger.keyPEM],
        ] {
            let outcome = try await Self.outcome(
                port: stub.port, settings: ["trustRoot": authority.certificatePEM], secrets: secrets, through: client)
            switch outcome {
            case .unknown: break
            case .notProcessed(let not): #expect(not.reason == .notSent)
            case .approved, .declined, .accepted: Issue.record("\(outcome)")
            }
        }
        #expect(stub.requests.isEmpty)
        await client.shutdown()
        await stub.close()
    }

    @Test func keyOfAnotherCertificateIsNotSent() async throws {
        let authority = try TestAuthority("bank")
        let merchants = try TestAuthority("merchants")
        let (one, other) = (try merchants.certify(host: nil), try merchants.certify(host: nil))
        let stub = try await StubUpstream(
            tls: try TestAuthority.server(authority.certify(host: "localhost"), clients: merchants),
            script: Self.approving)
        let client = Bench.client()
        let outcome = try await Self.outcome(
            port: stub.port, settings: ["trustRoot": authority.certificatePEM],
            secrets: ["clientCertificate": one.certificatePEM, "clientKey": other.keyPEM], through: client)
        guard case .notProcessed(let not) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(not.reason == .notSent)
        await client.shutdown()
        await stub.close()
    }
}
