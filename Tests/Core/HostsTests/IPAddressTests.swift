//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Hosts
import TestRandom
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

@Suite struct IPAddressTests {
    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254",
        "169.254.0.1",
        "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1",
        "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.255", "240.0.0.1",
        "255.255.255.255",
        "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1",
        "64:ff9b::a00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:0:4136:e378::1", "2001:db8::1", "2002:7f00:1::",
        "2002:808:808::1", "3fff::1", "5f00::1", "fc00::1", "fd12:3456::1", "fe80::1", "febf::1", "fec0::1", "ff02::1",
        "4000::1",
    ])
    func refusesAddressesThatAreNotPublic(text: String) throws {
        #expect(try #require(IPAddress(text)).isPublic == false)
    }

    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.1",
        "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.0.1.1", "192.167.255.255", "198.17.255.255",
        "198.20.0.0", "223.255.255.255", "2606:4700:4700::1111", "2a00:1450::1", "2001:200::1", "2001:4860:4860::8888",
        "2003::1", "::ffff:8.8.8.8", "64:ff9b::808:808",
    ])
    func takesAddressesOfThePublicInternet(text: String) throws {
        #expect(try #require(IPAddress(text)).isPublic)
    }

    @Test(arguments: ["127.0.0.1", "127.255.255.254", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "::ffff:7f12:3456"])
    func knowsThisMachine(text: String) throws {
        #expect(try #require(IPAddress(text)).isLoopback)
    }

    @Test(arguments: [
        "126.255.255.255", "128.0.0.0", "0.0.0.0", "::", "::2", "::7f00:1", "::ffff:128.0.0.1", "64:ff9b::7f00:1",
        "1::1",
    ])
    func knowsOtherMachines(text: String) throws {
        #expect(try #require(IPAddress(text)).isLoopback == false)
    }

    @Test(arguments: [
        "", "127.1", "2130706433", "0x7f.0.0.1", "1.2.3.4.5", "256.1.1.1", "localhost", "::g", "1::2::3", "1.2.3",
        "1.2.3.",
        ".1.2.3", "1..2.3", "1.2.3.4 ", " 1.2.3.4", "1.2.3.4\n", "-1.2.3.4", "1.2.3.999999999999", "١.2.3.4", "1,2,3,4",
        ":",
        ":::", "::1:", ":1::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7::8", "1:2:3:4:5:6:7:8::", "12345::",
        "::1.2.3", "::256.1.1.1", "1.2.3.4::", "::1.2.3.4:5", "1:2:3:4:5:6:7:1.2.3.4", "[::1]", "fe80::1%eth0",
        "::1/128",
    ])
    func refusesWhatIsNoAddress(text: String) {
        #expect(IPAddress(text) == nil)
    }

    /// Some readers take them for octal numbers, and 010.0.0.1 for 8.0.0.1.
    @Test(arguments: ["010.0.0.1", "10.0.0.01", "10.00.0.1", "10.0.0.001", "::ffff:010.0.0.1"])
    func refusesLeadingZeros(text: String) {
        #expect(IPAddress(text) == nil)
    }

    /// The system's reader of C ends there.
    @Test(arguments: ["127.0.0.1\u{0}", "127.0.0.1\u{0}.example", "::1\u{0}", "::\u{0}:1"])
    func refusesWhatStandsBehindAZeroByte(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func readsWhatTheSystemReads() {
        var random = SeededRandom(seed: 4291)
        let numbers = ["0", "1", "9", "10", "127", "192", "255", "256", "01", "00", "", "1000"]
        let groups = ["0", "1", "2f", "ab", "ffff", "DB8", "0000", "", "00000", "g", "192.0.2.7", "192.0.2.07"]
        var readCount = 0
        for _ in 0..<20_000 {
            let isIPv6 = Bool.random(using: &random)
            let count = isIPv6 ? Int.random(in: 2...9, using: &random) : 4
            let pieces = (0..<count).compactMap { _ in (isIPv6 ? groups : numbers).randomElement(using: &random) }
            let text = pieces.joined(separator: isIPv6 ? ":" : ".")
            let own = IPAddress(text)?.bytes
            #expect(own == Self.systemsBytes(text), "\(text)")
            if own != nil { readCount += 1 }
        }
        #expect(readCount > 500)
    }

    private static func systemsBytes(_ text: String) -> [UInt8]? {
        var (v4, v6) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &v4) == 1 { return withUnsafeBytes(of: v4) { Array($0) } }
        return inet_pton(AF_INET6, text, &v6) == 1 ? withUnsafeBytes(of: v6) { Array($0) } : nil
    }

    @Test func versionsAreApartAndTheAddressIsOne() throws {
        let (plain, mapped) = (try #require(IPAddress("192.0.2.7")), try #require(IPAddress("::ffff:192.0.2.7")))
        #expect(
            plain != mapped && (plain.high, plain.low) == (mapped.high, mapped.low) && plain.isOfIPv4 && mapped.isOfIPv4
        )
        #expect(!plain.isIPv6 && mapped.isIPv6 && plain.bytes == [192, 0, 2, 7] && mapped.bytes.count == 16)
        for text in ["::192.0.2.7", "2001:db8::1", "::", "::1:ffff:c000:207", "1::ffff:c000:207"] {
            #expect(try #require(IPAddress(text)).isOfIPv4 == false)
        }
    }

    @Test func charactersAreThoseOfBothVersions() {
        let characters = Set("0123456789ABCDEFabcdef:.".utf8)
        for byte in UInt8.min...UInt8.max {
            #expect(IPAddress.isCharacter(byte) == characters.contains(byte), "\(byte)")
        }
    }

    @Test func writesAnAddressSoThatItIsReadAgain() throws {
        for text in ["192.0.2.7", "2001:db8:0:0:0:0:0:1"] {
            #expect(try #require(IPAddress(text)).description == text)
        }
        for count in 0...20 where ![4, 16].contains(count) {
            #expect(IPAddress(bytes: [UInt8](repeating: 1, count: count)) == nil)
        }
        let bytes = (0..<16).map { UInt8($0 * 17) }
        #expect(IPAddress(bytes: bytes)?.bytes == bytes)
        #expect(IPAddress(bytes: [127, 0, 0, 1])?.description == "127.0.0.1")
    }
}
