//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import NIOCore

@testable import AcquirerLink

/// The link to an acquirer: the bytes of a connection are cut into frames, and each is taken for a request, an answer and
/// every message of the handshake. What is read as a request or an answer is written and read again alike.
func fuzzLink(_ bytes: [UInt8]) {
    var buffer = ByteBuffer(bytes: bytes)
    var decoder = LinkFrameDecoder()
    while let body = try? decoder.decode(buffer: &buffer) {
        precondition(!body.isEmpty && body.count <= LinkFrame.bytesMax, "a frame is out of bounds")
        fuzzLinkMessage(body)
    }
    // Most bytes are no frame: without its length, too.
    fuzzLinkMessage(bytes)
}

private func fuzzLinkMessage(_ body: [UInt8]) {
    if let (number, request) = try? LinkRequest.read(body) {
        let json = request.json(number: number)
        let again = try? LinkRequest.read(json.serialized())
        precondition(again?.request.json(number: again?.number ?? 0) == json, "a request changed by being written")
    }
    if let answer = try? LinkAnswer(body) {
        precondition((try? LinkAnswer(answer.json.serialized())) == answer, "an answer changed by being written")
    }
    _ = try? LinkHandshake.readHello(body)
    _ = try? LinkHandshake.checkReady(body)
    _ = try? LinkFrame.decode(body)
}
