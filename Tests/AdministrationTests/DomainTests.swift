//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Payments
import StrictJSON
import TestGateway
import Testing
import Time

/// Merchants' domains, which every node serves.
struct DomainTests {
    private static let file = Array("7B227073704964223A2239363432".utf8)

    private static func host(_ name: String = "shop.example.com") throws -> WellKnownHost {
        try #require(WellKnownHost(name))
    }

    private struct House {
        let test: TestGateway
        let administration: Administration
        let one: Merchant
        let two: Merchant
    }

    private static func open() async throws -> House {
        let test = try await TestGateway.open()
        let administration = test.gateway.administration.acting(as: "alice from 192.0.2.7")
        var merchants: [Merchant] = []
        for name in ["one", "two"] {
            merchants.append(
                try await administration.createMerchant(
                    name: name, displayName: name, mode: .live, countryCode: "CA"))
        }
        return House(test: test, administration: administration, one: merchants[0], two: merchants[1])
    }

    private static func code(_ body: () async throws -> Void) async throws -> AdministrationError.Code? {
        do {
            try await body()
            return nil
        } catch let error as AdministrationError {
            return error.code
        }
    }

    @Test func keepsWhatHasBeenAdded() async throws {
        let house = try await Self.open()
        let administration = house.administration
        #expect(try await administration.domains().isEmpty)
        let domain = try await administration.addDomain(try Self.host(), to: house.one.id, file: Self.file)
        #expect(domain.merchants == ["one"] && Array(domain.file.utf8) == Self.file && domain.check == nil)
        try await administration.addDomain(
            try Self.host("b.example"), to: house.two.id, file: Array("other\n".utf8))
        #expect(try await administration.domains().map(\.host.name) == ["b.example", "shop.example.com"])
        #expect(try await administration.domain(try Self.host()) == domain)
        #expect(try await administration.domains(of: house.two.id).map(\.host.name) == ["b.example"])
        #expect(try await administration.hasDomain(try Self.host(), house.one.id))
        #expect(try await !administration.hasDomain(try Self.host(), house.two.id))
        let renewed = try await administration.addDomain(
            try Self.host(), to: house.one.id, file: Array("renewed".utf8))
        #expect(renewed.file == "renewed" && renewed.registeredAt == domain.registeredAt)
        #expect(domain.view["bytes"] == 28 && domain.view["check"] == .null)
        #expect(JSON.object(domain.view).text().contains("7B22") == false)
    }

    @Test func merchantsShareADomainOnlyWithTheSameFile() async throws {
        let house = try await Self.open()
        let (administration, host) = (house.administration, try Self.host())
        try await administration.addDomain(host, to: house.two.id, file: Self.file)
        try await administration.addDomain(host, to: house.one.id, file: Self.file)
        #expect(try await administration.domain(host)?.merchants == ["one", "two"])
        let taken = try await Self.code {
            try await administration.addDomain(host, to: house.one.id, file: Array("other".utf8))
        }
        #expect(taken == .domainTaken)
        let proposed = try await Self.code {
            try await administration.checkDomain(host, file: Array("other".utf8), of: nil, .live)
        }
        #expect(proposed == .domainTaken)
        try await administration.checkDomain(host, file: Self.file, of: nil, .live)
        try await administration.removeDomain(host, of: house.one.id)
        #expect(try await administration.domain(host)?.merchants == ["two"])
        try await administration.removeDomain(host, of: house.two.id)
        #expect(try await administration.domain(host) == nil)
        let unknown = try await Self.code { try await administration.removeDomain(host, of: house.two.id) }
        #expect(unknown == .domainUnknown)
    }

    /// Nobody reads the file of a sandbox merchant, whose people are many and may name any host.
    @Test func aSandboxMerchantKeepsNoLiveOneFromItsDomain() async throws {
        let house = try await Self.open()
        let (administration, host) = (house.administration, try Self.host())
        let sandbox = try await administration.createMerchant(
            name: "a-sandbox", displayName: "A", mode: .sandbox, countryCode: "CA")
        let standIn = RegisteredDomain.standIn(for: host)
        #expect(try await Array(administration.addDomain(host, to: sandbox.id, file: standIn).file.utf8) == standIn)
        try await administration.checkDomain(host, file: Self.file, of: nil, .live)
        let domain = try await administration.addDomain(host, to: house.one.id, file: Self.file)
        #expect(domain.merchants == ["a-sandbox", "one"] && Array(domain.file.utf8) == Self.file)
        // Nor takes it the live one's place when it comes later.
        try await administration.removeDomain(host, of: sandbox.id)
        let later = try await administration.addDomain(host, to: sandbox.id, file: standIn)
        #expect(Array(later.file.utf8) == Self.file)
        let taken = try await Self.code {
            try await administration.addDomain(host, to: house.two.id, file: Array("other".utf8))
        }
        #expect(taken == .domainTaken)
        try await administration.removeDomain(host, of: house.one.id)
        #expect(try await administration.domain(host).map { Array($0.file.utf8) } == standIn)
    }

    /// It would be kept, and served nowhere.
    @Test func aSandboxMerchantsOwnFileIsRefusedBesideALiveOnes() async throws {
        let house = try await Self.open()
        let (administration, host) = (house.administration, try Self.host())
        let sandbox = try await administration.createMerchant(
            name: "a-sandbox", displayName: "A", mode: .sandbox, countryCode: "CA")
        let own = Array("own".utf8)
        try await administration.addDomain(host, to: sandbox.id, file: own)
        // A live merchant's comes in its place, whoever was there first.
        try await administration.addDomain(host, to: house.one.id, file: Self.file)
        for merchant in [sandbox.id, nil] {
            let taken = try await Self.code {
                try await administration.checkDomain(host, file: own, of: merchant, .sandbox)
            }
            #expect(taken == .domainTaken)
        }
        let taken = try await Self.code { try await administration.addDomain(host, to: sandbox.id, file: own) }
        #expect(taken == .domainTaken)
        #expect(try await administration.domain(host)?.asRegistered(by: "a-sandbox").file == "own")
        try await administration.addDomain(host, to: sandbox.id, file: Self.file)
        try await administration.addDomain(host, to: sandbox.id, file: RegisteredDomain.standIn(for: host))
        #expect(try await administration.domain(host).map { Array($0.file.utf8) } == Self.file)
    }

    @Test func whatAMerchantHasRegisteredIsItsOwn() async throws {
        let house = try await Self.open()
        let (administration, host) = (house.administration, try Self.host())
        let sandbox = try await administration.createMerchant(
            name: "a-sandbox", displayName: "A", mode: .sandbox, countryCode: "CA")
        try await administration.addDomain(host, to: house.one.id, file: Self.file)
        try await administration.noteCheck(
            of: host,
            [
                Finding(
                    .domain, "domain_served", .good, merchant: "one", subject: host.name, "text", because: "",
                    advice: nil)
            ])
        let first = house.test.clock.now
        house.test.clock.advance(seconds: 60)
        let standIn = RegisteredDomain.standIn(for: host)
        let domain = try await administration.addDomain(host, to: sandbox.id, file: standIn)
        let own = domain.asRegistered(by: "a-sandbox")
        #expect(Array(own.file.utf8) == standIn && own.registeredAt == house.test.clock.now && own.check == nil)
        let live = domain.asRegistered(by: "one")
        #expect(Array(live.file.utf8) == Self.file && live.registeredAt == first && live.check?.isGood == true)
        // What is served, and looked at, is the live merchant's.
        #expect(Array(domain.file.utf8) == Self.file && domain.registeredAt == first && domain.check?.isGood == true)
    }

    @Test(arguments: [[], [0xFF, 0xFE], [0x41, 0], Array(repeating: 0x41, count: 64 * 1024 + 1)] as [[UInt8]])
    func refusesFilesThatCannotBeApples(file: [UInt8]) async throws {
        let house = try await Self.open()
        let refused = try await Self.code {
            try await house.administration.addDomain(try Self.host(), to: house.one.id, file: file)
        }
        #expect(refused == .domainFileMalformed)
        #expect(try await house.administration.domains().isEmpty)
    }

    @Test func takesTheLargestFile() async throws {
        let house = try await Self.open()
        let largest = [UInt8](repeating: 0x41, count: 64 * 1024)
        let domain = try await house.administration.addDomain(try Self.host(), to: house.one.id, file: largest)
        #expect(domain.file.utf8.count == 64 * 1024)
    }

    @Test func aClosedMerchantRegistersNoneAndIsTakenOff() async throws {
        let house = try await Self.open()
        try await house.administration.addDomain(try Self.host(), to: house.one.id, file: Self.file)
        try await house.administration.closeMerchant(house.one.id)
        let refused = try await Self.code {
            try await house.administration.addDomain(try Self.host("b.example"), to: house.one.id, file: Self.file)
        }
        #expect(refused == .merchantClosed)
        try await house.administration.removeDomain(try Self.host(), of: house.one.id)
        #expect(try await house.administration.domains().isEmpty)
    }

    @Test func actsStandInTheLogAndWhatChangesNothingDoesNot() async throws {
        let house = try await Self.open()
        let (administration, host) = (house.administration, try Self.host())
        let before = try await administration.read { try $0.lastAuditEntry()?.number ?? 0 }
        try await administration.addDomain(host, to: house.one.id, file: Self.file)
        try await administration.addDomain(host, to: house.one.id, file: Self.file)
        try await administration.noteCheck(of: host, [])
        try await administration.removeDomain(host, of: house.one.id)
        let entries = try await administration.read { try $0.auditEntries(after: before, limit: 10) }
        #expect(entries.map(\.act) == [.domainAdd, .domainRemove])
        for entry in entries {
            #expect(entry.subject == "shop.example.com" && entry.details["merchant"] == "one")
            #expect(entry.actor == "alice from 192.0.2.7")
        }
    }

    @Test func theWorstThatWasFoundIsKept() async throws {
        let house = try await Self.open()
        let (administration, host) = (house.administration, try Self.host())
        try await administration.addDomain(host, to: house.one.id, file: Self.file)
        try await administration.addDomain(host, to: house.two.id, file: Self.file)
        func finding(_ code: String, _ severity: Finding.Severity, of name: String = "shop.example.com") -> Finding {
            Finding(
                .domain, code, severity, merchant: "one, two", subject: name, "text of \(code)", because: "",
                advice: "advice")
        }
        let checked = try await administration.noteCheck(
            of: host,
            [
                finding("domain_served", .good), finding("domain_certificate_ends", .warning),
                finding("domain_redirects", .failure, of: "b.example"),
            ])
        let check = try #require(checked?.check)
        #expect(check.code == "domain_certificate_ends" && !check.isGood && check.at == house.test.clock.now)
        #expect(check.text == "text of domain_certificate_ends" && check.advice == "advice")
        let again = try await administration.noteCheck(of: host, [finding("domain_served", .good)])
        #expect(again?.check?.isGood == true)
        #expect(try await administration.domain(host)?.view["check"]?["code"]?.string == "domain_served")
        // A new file has not been looked at.
        try await administration.removeDomain(host, of: house.two.id)
        let renewed = try await administration.addDomain(host, to: house.one.id, file: Array("new".utf8))
        #expect(renewed.check == nil)
        #expect(try await administration.noteCheck(of: try Self.host("b.example"), []) == nil)
    }
}
