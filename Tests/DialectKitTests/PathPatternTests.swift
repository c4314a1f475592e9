//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import DialectKit
import Testing

@Suite struct PathPatternTests {
    @Test func takesParametersByName() {
        let pattern: PathPattern = "/version/{version}/merchant/{merchantId}/order/{orderId}"
        let parameters = pattern.match("/version/100/merchant/TEST1/order/a%2Fb%20c")
        #expect(parameters?["version"] == "100")
        #expect(parameters?["merchantId"] == "TEST1")
        #expect(parameters?["orderId"] == "a/b c")
        #expect(parameters?["nothing"] == nil)
    }

    @Test(arguments: [
        ("/a/b", "/a/b/"), ("/a/b", "/a"), ("/a/b", "/A/b"), ("/a/b", "/a//b"), ("/a/{b}", "/a/"), ("/a/{b}", "/a/x/y"),
        ("/a/{b}", "/a/%zz"), ("/a/{b}", "/a/%4"), ("/a/{b}", "/a/%FF"), ("/a/b", ""),
    ])
    func refusesWhatDoesNotFit(pattern: String, path: String) {
        #expect(PathPattern(pattern).match(path) == nil)
    }

    /// No store takes the character: only who looks at a parameter before is given it.
    @Test func takesNullForWhomIsAskedAlone() {
        #expect(PathPattern("/a/{b}").match("/a/x%00") == nil)
        let pattern = PathPattern("/a/{b}/{c}", takingNull: ["b"])
        #expect(pattern.match("/a/x%00/y")?["b"] == "x\0")
        #expect(pattern.match("/a/x/y%00") == nil)
    }

    @Test func percentCodingRoundTrips() {
        let text = "a+b/c==, d_é"
        let encoded = PercentCoding.encoded(text)
        #expect(encoded == "a%2Bb%2Fc%3D%3D%2C%20d_%C3%A9")
        #expect(PercentCoding.decoded(encoded) == text)
        #expect(PercentCoding.decoded("a+b") == "a+b")
    }
}
