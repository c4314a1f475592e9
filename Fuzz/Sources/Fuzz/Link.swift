//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import NIOCore
import StrictJSON

@testable import AcquirerLink

/// The link to an acquirer: the bytes of a connection are cut into frames, and each is taken for a request, an answer and
/// every message of the handshake. What is read as a request, an answer, a notice, an account, a check or findings is written and read again alike.
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
    if let notice = try? LinkNotice(body) {
        precondition((try? LinkNotice(notice.json.serialized())) == notice, "a notice changed by being written")
    }
    if var reader = try? LinkFrame.decode(body), (try? reader.text("type")) != nil {
        if let (account, description) = try? LinkAccount.read(after: reader) {
            let json = LinkAccount.json(account, description)
            var again = try? LinkFrame.decode(json.serialized())
            _ = try? again?.text("type")
            let read = again.flatMap { try? LinkAccount.read(after: $0) }
            precondition(read.map { LinkAccount.json($0, $1) } == json, "an account changed by being written")
        }
        _ = try? LinkReceipt(after: reader)
        if let time = try? LinkTime(after: reader) {
            let again = LinkTime(number: time.number, milliseconds: time.milliseconds)
            precondition(again == time, "a time changed by being written")
        }
        if let signOn = try? LinkSignOn(after: reader) {
            precondition(
                rewritten(signOn.json, LinkSignOn.init(after:)) == signOn, "a sign-on changed by being written")
        }
        if let check = try? LinkCheck(after: reader) {
            precondition(rewritten(check.json, LinkCheck.init(after:)) == check, "a check changed by being written")
        }
        if let findings = try? LinkFindings(after: reader) {
            precondition(
                rewritten(findings.json, LinkFindings.init(after:)) == findings, "findings changed by being written")
        }
    }
    _ = try? LinkHandshake.readHello(body)
    _ = try? LinkHandshake.readReady(body)
    _ = try? LinkFrame.decode(body)
}

/// What is read of a message that was written.
private func rewritten<Message>(_ json: JSON, _ read: (LinkReader) throws -> Message) -> Message? {
    guard var reader = try? LinkFrame.decode(json.serialized()), (try? reader.text("type")) != nil else { return nil }
    return try? read(reader)
}
