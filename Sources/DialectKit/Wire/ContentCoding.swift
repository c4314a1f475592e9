//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes

extension WireRequest {
    /// Why the body is not read, as a sentence: it is compressed (RFC 9110, section 8.4); `nil` if it is not. No dialect
    /// takes that, and whoever read it all the same would complain of something else. What is no compression is passed over:
    /// some clients name their character set there.
    public var contentCodingProblem: String? {
        // Left out by nearly all clients.
        guard !self.body.isEmpty, let codings = self.headers[.contentEncoding] else { return nil }
        let isCompressed = codings.split(separator: ",").contains { coding in
            Self.compressions.contains(coding.filter { $0 != " " && $0 != "\t" }.lowercased())
        }
        return isCompressed ? "Compressed bodies are not taken. Send the body as it is, without Content-Encoding." : nil
    }

    /// The answer, and where it refuses the body's coding, which one would be taken: a 415 about codings ought to say so, which
    /// keeps it apart from one about the media type (RFC 9110, section 15.5.16).
    public func namingCoding(in answer: WireResponse) -> WireResponse {
        guard answer.status == .unsupportedMediaType, self.contentCodingProblem != nil else { return answer }
        var answer = answer
        answer.headers[.acceptEncoding] = "identity"
        return answer
    }

    /// IANA's registry of content codings.
    private static let compressions: Set = [
        "aes128gcm", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "pack200-gzip", "x-compress", "x-gzip",
        "zstd",
    ]
}
