//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Time

/// A Fault: a code of the table and a sentence. As an error it ends a call.
struct RadialFault: Error, Hashable, Sendable {
    let code: FaultCode
    let message: String
    /// When the caller may ask again, where that is known.
    var retryAfterSeconds: Int?

    init(_ code: FaultCode, _ message: String? = nil) {
        self.code = code
        self.message = message ?? code.message
    }

    static func throttled(_ seconds: Int) -> RadialFault {
        var fault = RadialFault(.tooManyRequests)
        fault.retryAfterSeconds = seconds
        return fault
    }

    /// The document, after the vendor's sample.
    func node(at now: Timestamp) -> XMLNode {
        XMLNode(
            "Fault",
            [
                XMLNode("CreateTimestamp", text: now.description), XMLNode("Code", text: self.code.rawValue),
                XMLNode("Description", text: self.message),
            ])
    }
}
