//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Testing

struct HexTests {
    @Test(arguments: [([], ""), ([0], "00"), ([0, 0x0F, 0xA0, 0xFF], "000fa0ff")] as [([UInt8], String)])
    func writesTwoDigitsForEachByteAndReadsThemBack(bytes: [UInt8], text: String) {
        #expect(Hex.encode(bytes) == text)
        #expect(Hex.encode(bytes, isUpperCase: true) == text.uppercased())
        #expect(Hex.decode(text) == bytes)
        #expect(Hex.decode(text.uppercased()) == bytes)
    }

    @Test(arguments: ["0", "000", "0g", " 00", "00 ", "+f", "-1", "0x00", "0\u{0}", "é0", "٠٠"])
    func refusesWhatIsNoHexadecimal(text: String) {
        #expect(Hex.decode(text) == nil)
    }
}
