//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Foundation
import StrictJSON
import Testing

@testable import ApplePayToken

/// The files in Vectors/ApplePayToken; SOURCE.md there says where they come from.
enum Vectors {
    static func bytes(_ name: String) throws -> [UInt8] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return Array(try Data(contentsOf: root.appendingPathComponent("Vectors/ApplePayToken/\(name)")))
    }

    static func json(_ name: String) throws -> JSON {
        try JSON.parse(try self.bytes(name))
    }
}

/// The genuine token, signed by Apple.
struct GenuineToken {
    let json: JSON
    let token: UnverifiedToken

    /// A little after its signing time, 2015-12-10T17:44:10Z.
    static let now = Date(timeIntervalSince1970: 1_449_769_500)  // 2015-12-10T17:45:00Z

    init() throws {
        self.json = try Vectors.json("radial-seed-token.json")
        self.token = try UnverifiedToken(json: self.json)
    }

    /// The same token with other bytes in one place.
    func with(data: [UInt8]? = nil, signature: [UInt8]? = nil, header: TokenHeader? = nil) throws -> UnverifiedToken {
        try UnverifiedToken(
            version: .ecV1, data: data ?? self.token.data, signature: signature ?? self.token.signature,
            header: header ?? self.token.header)
    }
}

/// A text of a vector, in one of the two encodings.
enum VectorText {
    static func hex(_ json: JSON?, _ name: String) throws -> [UInt8] {
        let text = try #require(json?[name]?.string)
        return try #require(Hex.decode(text))
    }

    static func base64(_ json: JSON?, _ name: String) throws -> [UInt8] {
        let text = try #require(json?[name]?.string)
        return try #require(Base64.decode(text, padding: .required))
    }
}

extension Date {
    init(_ text: String) throws {
        self = try Date(text, strategy: .iso8601)
    }
}
