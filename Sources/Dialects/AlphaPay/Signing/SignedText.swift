//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What is signed: `<METHOD> <path>\n<Merchant-Code>.<time>.<Nonce>.<body>`, the body byte by byte as it travels.
///
/// Requests, replies and notifications are signed alike; a reply names the method and the path of its request.
struct SignedText {
    let method: String
    let path: String
    let merchantCode: String
    let time: String
    let nonce: String
    let body: [UInt8]

    var bytes: [UInt8] {
        Array("\(self.method) \(self.path)\n\(self.merchantCode).\(self.time).\(self.nonce).".utf8) + self.body
    }
}
