//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Testing

@testable import PAYONE

@Suite struct EmailAddressTests {
    private static func a(_ count: Int) -> String { String(repeating: "a", count: count) }

    @Test(arguments: [
        "a@b.c", "john.appleseed@apple.com", "a+b_c-d@sub.shop.example", "!#$%&'*+-/=?^_`{|}~@b.example",
        "\"a b\"@b.example", "\"a\\\"b@c\"@b.example", "a@xn--bcher-kva.example", "A@B.C", "1@2.3",
        "\(a(63))@\(a(63)).\(a(60)).\(a(60)).\(a(4))", "a@b.c.d.e.f",
    ])
    func takesAddresses(address: String) {
        #expect(EmailAddress.isValid(address))
    }

    @Test(arguments: [
        "", "a@b", "@b.c", "a@.c", "a@b.", "a@b..c", "ab.c", "a b@c.de", ".a@b.cd", "a.@b.cd", "a..b@c.de", "a@b_c.de",
        "a@-b.de", "a@b-.de", "ä@b.de", "a@bücher.de", "\"a@b.de", "\"@b.de", "\"a\"b\"@c.de", "\"a\\\"@b.de",
        "a@b@c.de",
        "a@b.c.d.e.f.g", "a\n@b.de", "a@[1.2.3.4]",
        // Each part one character too long.
        "\(a(64))@b.de", "a@\(a(64)).de", "a@b.\(a(63)).\(a(62))", "\(a(63))@\(a(63)).\(a(60)).\(a(60)).\(a(5))",
    ])
    func refusesWhatIsNone(address: String) {
        #expect(!EmailAddress.isValid(address))
        #expect(ParameterFormat.email.problem(with: address) != nil)
    }

    @Test func theLongestAddressHas254Characters() {
        let longest = "\(Self.a(63))@\(Self.a(63)).\(Self.a(60)).\(Self.a(60)).\(Self.a(4))"
        #expect(longest.count == EmailAddress.charactersMax)
    }
}
