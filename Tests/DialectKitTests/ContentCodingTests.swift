//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import Testing

@Suite struct ContentCodingTests {
    private static func request(_ codings: [String], body: [UInt8] = [0x7B, 0x7D]) -> WireRequest {
        var headers = HTTPFields()
        for coding in codings { headers.append(HTTPField(name: .contentEncoding, value: coding)) }
        return WireRequest(method: .post, path: "/", headers: headers, body: body)
    }

    @Test(arguments: [["gzip"], ["br"], ["GZIP"], ["identity, gzip"], ["identity", "deflate"], ["zstd"]])
    func refusesACodedBody(codings: [String]) throws {
        let problem = try #require(Self.request(codings).contentCodingProblem)
        #expect(problem.contains("Content-Encoding") && problem.hasSuffix("."))
        // There is nothing that could be coded.
        #expect(Self.request(codings, body: []).contentCodingProblem == nil)
    }

    @Test(arguments: [[], [""], ["identity"], [" Identity ,identity"], ["UTF-8"], ["none"]])
    func takesABodyAsItIs(codings: [String]) {
        #expect(Self.request(codings).contentCodingProblem == nil)
    }

    /// RFC 9110, section 15.5.16.
    @Test func namesTheCodingThatIsTakenWhereACodingIsRefused() {
        let refused = WireResponse(status: .unsupportedMediaType)
        #expect(Self.request(["gzip"]).namingCoding(in: refused).headers[.acceptEncoding] == "identity")
        #expect(Self.request([]).namingCoding(in: refused).headers[.acceptEncoding] == nil)
        #expect(Self.request(["gzip"]).namingCoding(in: WireResponse(status: .ok)).headers.isEmpty)
    }
}
