//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Hosts
import Synchronization
import TestUpstream
import Testing
import Time
import Webhooks

@testable import Probes

/// Domains as Apple reads them: over TLS, from a web server that may be anybody's.
struct DomainExaminationTests {
    private static let name = "shop.example.com"
    private static let file = "7B227073704964223A2239363432"
    /// It is given to nobody; one that was given back may be another test's by now.
    private static let deafPort = 1

    private static func entry(_ file: String = Self.file) throws -> RegisteredDomain {
        RegisteredDomain(
            host: try #require(WellKnownHost(Self.name)), merchants: ["shop"], file: file,
            registeredAt: Timestamp(seconds: 0))
    }

    /// What is found of a server that answers so.
    ///
    /// - Parameters:
    ///   - certified: the name that its certificate is for.
    ///   - trusts: whether its authority is trusted.
    private static func finding(
        _ answer: StubAnswer, certified: String = Self.name, trusts: Bool = true, at moment: Timestamp? = nil
    ) async throws -> Finding {
        let authority = try TestUpstream.TestAuthority("The web's")
        let server = try await StubUpstream(
            tls: try TestUpstream.TestAuthority.server(try authority.certify(host: certified))
        ) { request, _ in
            request.path == "/.well-known/apple-developer-merchantid-domain-association"
                ? answer : StubAnswer(status: 500, body: "another path")
        }
        let examination = DomainExamination(
            port: server.port, authorityPEM: trusts ? authority.certificatePEM : nil,
            reach: .anywhere([Self.name: "127.0.0.1"]), clock: { moment ?? Timestamp.now() })
        let findings = await examination.findings([try Self.entry()])
        await server.close()
        // The test's certificate is for some days, which is a finding of its own.
        let ofFile = findings.filter { $0.code != "domain_certificate_ends" }
        #expect(ofFile.count == 1)
        let finding = try #require(ofFile.first)
        #expect(finding.subject == Self.name && finding.merchant == "shop" && finding.area == .domain)
        return finding
    }

    @Test func isGoodWhereTheFileIsServed() async throws {
        let finding = try await Self.finding(StubAnswer(status: 200, body: Self.file))
        #expect(finding.code == "domain_served" && finding.severity == .good && finding.advice == nil)
    }

    @Test(arguments: [
        (200, "another file", "domain_serves_another_file"), (200, "", "domain_serves_another_file"),
        (301, Self.file, "domain_redirects"), (302, "", "domain_redirects"), (308, "", "domain_redirects"),
        (404, Self.file, "domain_not_served"), (403, "", "domain_not_served"), (500, "", "domain_not_served"),
    ])
    func saysWhatAppleWouldMeet(status: Int, body: String, code: String) async throws {
        let location = [(name: "Location", value: "https://\(Self.name)/elsewhere")]
        let finding = try await Self.finding(
            StubAnswer(status: status, body: body, headers: (300..<400).contains(status) ? location : []))
        #expect(finding.code == code && finding.severity == .failure && finding.advice != nil)
    }

    @Test func takesNoFileOfAnyLength() async throws {
        let long = String(repeating: "x", count: RegisteredDomain.fileBytesMax + 1)
        #expect(try await Self.finding(StubAnswer(status: 200, body: long)).code == "domain_serves_another_file")
    }

    /// By the certificate that the domain showed when the file was read.
    @Test func saysWhenTheCertificateHasEnded() async throws {
        let authority = try TestUpstream.TestAuthority("The web's")
        let server = try await StubUpstream(
            tls: try TestUpstream.TestAuthority.server(try authority.certify(host: Self.name))
        ) { _, _ in StubAnswer(status: 200, body: Self.file) }
        let examination = DomainExamination(
            port: server.port, authorityPEM: authority.certificatePEM, reach: .anywhere([Self.name: "127.0.0.1"]),
            clock: { Timestamp(seconds: 4_000_000_000) })
        let findings = await examination.findings([try Self.entry()])
        await server.close()
        #expect(Set(findings.map(\.code)) == ["domain_served", "domain_certificate_ended"])
        #expect(findings.first { $0.code == "domain_certificate_ended" }?.severity == .failure)
    }

    @Test func saysThatACertificateIsNotTrusted() async throws {
        let answer = StubAnswer(status: 200, body: Self.file)
        #expect(try await Self.finding(answer, trusts: false).code == "domain_not_trusted")
        let other = try await Self.finding(answer, certified: "other.example.com")
        #expect(other.code == "domain_certificate_name" && other.advice?.contains(Self.name) == true)
        #expect(
            try await Self.finding(answer, trusts: false, at: Timestamp(seconds: 4_000_000_000)).code
                == "domain_certificate_ended")
    }

    @Test func saysThatNoTLSThatAppleSpeaksIsSpoken() async throws {
        let authority = try TestUpstream.TestAuthority("The web's")
        let tls = try TestUpstream.TestAuthority.server(try authority.certify(host: Self.name), isOld: true)
        let server = try await StubUpstream(tls: tls) { _, _ in StubAnswer(status: 200, body: Self.file) }
        let examination = DomainExamination(
            port: server.port, authorityPEM: authority.certificatePEM, reach: .anywhere([Self.name: "127.0.0.1"]),
            clock: { Timestamp.now() })
        let findings = await examination.findings([try Self.entry()])
        await server.close()
        #expect(findings.map(\.code) == ["domain_tls_too_old"])
    }

    @Test func saysThatNoTLSComesAbout() async throws {
        let server = try await StubUpstream { _, _ in StubAnswer(status: 200, body: "") }
        let examination = DomainExamination(
            port: server.port, reach: .anywhere([Self.name: "127.0.0.1"]),
            clock: { Timestamp.now() })
        let findings = await examination.findings([try Self.entry()])
        await server.close()
        #expect(findings.map(\.code) == ["domain_tls_fails"])
    }

    @Test(arguments: [
        ("text/plain; charset=utf-8", "domain_served"), ("application/octet-stream", "domain_served"),
        ("application/pkcs7-mime", "domain_served"), ("text/html; charset=utf-8", "domain_content_type"),
        ("Text/HTML", "domain_content_type"),
    ])
    func saysAsWhatTheFileComes(type: String, code: String) async throws {
        let finding = try await Self.finding(
            StubAnswer(status: 200, body: Self.file, headers: [(name: "Content-Type", value: type)]))
        #expect(finding.code == code && finding.severity == (code == "domain_served" ? .good : .warning))
    }

    @Test func saysThatNobodyListens() async throws {
        let entries = [try Self.entry()]
        let findings = await DomainExamination(
            port: Self.deafPort, reach: .anywhere([Self.name: "127.0.0.1"]), clock: { Timestamp.now() }
        ).findings(entries)
        #expect(findings.map(\.code) == ["domain_not_reached"])
    }

    /// Whoever registers a domain finds out nothing of the network within: a name without an address, one that leads there
    /// and an address written as a name are one answer, and nothing is asked.
    @Test(arguments: [
        [], ["127.0.0.1"], ["10.0.0.7"], ["169.254.169.254"], ["192.0.2.7", "192.168.1.1"], ["::1"], ["fd00::7"],
    ])
    func looksAtNoInnerNetwork(addresses: [String]) async throws {
        let asked = Mutex(0)
        let server = try await StubUpstream { _, _ in
            asked.withLock { $0 += 1 }
            return StubAnswer(status: 200, body: Self.file)
        }
        let resolver = Resolver { _ in addresses.compactMap { IPAddress($0) } }
        let examination = DomainExamination(
            port: server.port, reach: .publicInternet(resolver), clock: { Timestamp.now() })
        let literal = RegisteredDomain(
            host: try #require(WellKnownHost("127.0.0.1")), merchants: ["shop"], file: Self.file,
            registeredAt: Timestamp(seconds: 0))
        let findings = await examination.findings([try Self.entry(), literal])
        await server.close()
        #expect(findings.map(\.code) == ["domain_not_public", "domain_not_public"])
        #expect(findings.allSatisfy { $0.severity == .failure && $0.advice?.contains("domains.allow") == true })
        #expect(asked.withLock { $0 } == 0)
    }

    @Test func aSilentNameServerKeepsNobodyWaiting() async throws {
        let (silence, end) = AsyncStream<Void>.makeStream()
        let resolver = Resolver { _ in
            for await _ in silence {}
            return []
        }
        let waits = Mutex<[Int64]>([])
        let examination = DomainExamination(
            reach: .publicInternet(resolver), clock: { Timestamp.now() },
            sleep: { milliseconds in waits.withLock { $0.append(milliseconds) } })
        #expect(await examination.findings([try Self.entry()]).map(\.code) == ["domain_not_public"])
        #expect(waits.withLock { $0 } == [10_000])
        end.finish()
    }

    /// What was looked at is what is asked: another look-up could lead elsewhere.
    @Test func asksTheAddressThatItHasLookedAt() async throws {
        let lookUps = Mutex<[String]>([])
        let resolver = Resolver { host in
            lookUps.withLock { $0.append(host) }
            return [try #require(IPAddress("2001:4860:4860::8888")), try #require(IPAddress("8.8.8.8"))]
        }
        #expect(await resolver.publicAddresses(of: Self.name).map(\.description).first == "8.8.8.8")
        #expect(lookUps.withLock { $0 } == [Self.name])
        #expect(await resolver.publicAddresses(of: "10.1.2.3").isEmpty)
        #expect(lookUps.withLock { $0 } == [Self.name])
    }

    /// More than are asked at once, in the order in which they are registered.
    @Test func asksManyDomains() async throws {
        let names = (0..<40).map { "shop\($0).example.com" }
        let entries = try names.map { name in
            RegisteredDomain(
                host: try #require(WellKnownHost(name)), merchants: ["shop"], file: Self.file,
                registeredAt: Timestamp(seconds: 0))
        }
        let examination = DomainExamination(
            port: Self.deafPort, reach: .anywhere(Dictionary(uniqueKeysWithValues: names.map { ($0, "127.0.0.1") })),
            clock: { Timestamp.now() })
        let findings = await examination.findings(entries)
        #expect(findings.map(\.subject) == names)
        #expect(findings.allSatisfy { $0.code == "domain_not_reached" })
    }

    @Test func saysThatTheAuthorityIsNoCertificate() async throws {
        let entries = [try Self.entry()]
        let examination = DomainExamination(
            authorityPEM: "no certificate", reach: .anywhere(), clock: { Timestamp.now() })
        let findings = await examination.findings(entries)
        #expect(findings.map(\.code) == ["trust_not_readable"])
        #expect(await examination.findings([]).isEmpty)
    }
}
