//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import NIOCore
import StrictJSON

/// A message on the wire: its length in four bytes, the highest first, and one JSON object of so many bytes.
enum LinkFrame {
    static let lengthBytesCount = 4
    /// A sealed Apple Pay token is the largest thing in a message, with some five kilobytes.
    static let bytesMax = 64 * 1024

    /// Nothing nests deeper than the answer to an earlier operation, and nothing has more values than the description of an
    /// account that is paid in every currency there is.
    private static let limits = JSONLimits(bytesMax: LinkFrame.bytesMax, depthMax: 6, valuesMax: 2048)

    /// - Returns: `nil` for a message that is larger than a frame may be.
    static func encode(_ message: JSON) -> [UInt8]? {
        let body = message.serialized()
        guard body.count <= self.bytesMax else { return nil }
        let length = UInt32(body.count)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + body
    }

    static func decode(_ body: [UInt8]) throws(LinkViolation) -> LinkReader {
        let message: JSON
        do throws(JSONError) {
            message = try JSON.parse(body, limits: self.limits)
        } catch {
            throw LinkViolation("json_\(error.code.rawValue)")
        }
        return try LinkReader(message)
    }
}

/// The other end has said something that the link's language has no meaning for. What it said is not kept.
struct LinkViolation: Error, Hashable, CustomStringConvertible {
    /// The rule that was broken, for the log.
    let rule: String

    init(_ rule: String) {
        self.rule = rule
    }

    var description: String { self.rule }
}

/// Cuts the bytes of a connection into the bodies of frames. A length that is out of bounds ends it before any of the
/// body is kept.
struct LinkFrameDecoder: NIOSingleStepByteToMessageDecoder {
    typealias InboundOut = [UInt8]

    mutating func decode(buffer: inout ByteBuffer) throws -> [UInt8]? {
        guard let length = buffer.getInteger(at: buffer.readerIndex, as: UInt32.self) else { return nil }
        guard length > 0 else { throw LinkViolation("frame_empty") }
        guard length <= LinkFrame.bytesMax else { throw LinkViolation("frame_too_large") }
        guard buffer.readableBytes >= LinkFrame.lengthBytesCount + Int(length) else { return nil }
        buffer.moveReaderIndex(forwardBy: LinkFrame.lengthBytesCount)
        return buffer.readBytes(length: Int(length))
    }

    /// Half a frame is no message.
    mutating func decodeLast(buffer: inout ByteBuffer, seenEOF: Bool) throws -> [UInt8]? {
        try self.decode(buffer: &buffer)
    }
}
