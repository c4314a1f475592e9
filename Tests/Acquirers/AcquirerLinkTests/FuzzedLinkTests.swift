//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import FuzzInputs
import NIOCore
import StrictJSON
import Testing

@testable import AcquirerLink

/// The inputs of the fuzz target Link (Vectors/Fuzz), read as the target reads them: as the bytes of a connection, and as
/// the body of one frame. What once made it fail is among them.
struct FuzzedLinkTests {
    private static func bodies(of input: FuzzInput) -> [[UInt8]] {
        var buffer = ByteBuffer(bytes: input.bytes)
        var decoder = LinkFrameDecoder()
        var bodies = [input.bytes]
        while let body = try? decoder.decode(buffer: &buffer) { bodies.append(body) }
        return bodies
    }

    @Test func readsOrRefusesEach() throws {
        var requests: [String: Int] = [:]
        var answers: [String] = []
        var greetings: [String] = []
        for input in try FuzzInput.all(of: "Link") {
            let bodies = Self.bodies(of: input)
            requests[input.name] = bodies.filter { (try? LinkRequest.read($0)) != nil }.count
            if bodies.contains(where: { (try? LinkAnswer($0)) != nil }) { answers.append(input.name) }
            if bodies.contains(where: { (try? LinkHandshake.readHello($0)) != nil }) { greetings.append(input.name) }
        }
        #expect(
            requests.filter { $0.value > 0 } == [
                "query-and-authorize": 2, "capture": 1, "refund-and-void": 2, "reverse": 1, "time": 1,
            ])
        #expect(answers == ["answer", "not-processed", "token-refused"])
        let notices = try FuzzInput.all(of: "Link").flatMap { Self.bodies(of: $0) }.compactMap { try? LinkNotice($0) }
        #expect(notices.map(\.number) == [1, 2])
        #expect(greetings == ["hello-with-revision", "hello"])
    }

    @Test func whatIsReadOfTheCorpusIsWrittenAndReadAgainAlike() throws {
        for input in try FuzzInput.all(of: "Link") + FuzzInput.corpus(of: "Link") {
            for body in Self.bodies(of: input) {
                if let (number, request) = try? LinkRequest.read(body) {
                    let json = request.json(number: number)
                    let again = try LinkRequest.read(json.serialized())
                    #expect(again.request.json(number: again.number) == json, "\(input.name)")
                }
                if let notice = try? LinkNotice(body) {
                    #expect(try LinkNotice(notice.json.serialized()) == notice, "\(input.name)")
                }
                if let answer = try? LinkAnswer(body) {
                    #expect(try LinkAnswer(answer.json.serialized()) == answer, "\(input.name)")
                }
            }
        }
    }
}
