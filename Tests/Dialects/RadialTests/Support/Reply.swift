//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes

@testable import Radial

/// An answer, read.
struct Reply {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let response: WireResponse
    let root: XMLElement

    init(_ response: WireResponse) throws {
        self.response = response
        guard response.headers[.contentType] == "application/xml; charset=UTF-8" else {
            throw Failure(description: "the Content-Type is not that of XML")
        }
        self.root = try XMLReader.read(response.body)
        guard self.root.namespace == "http://api.gsicommerce.com/schema/checkout/1.0" else {
            throw Failure(description: "the namespace is another")
        }
    }

    var status: Int { self.response.status.code }

    var text: String { String(decoding: self.response.body, as: UTF8.self) }

    /// The text at a path: "PaymentContext/OrderId".
    subscript(path: String) -> String? { self.root.descendant(path)?.text }

    var accountToken: String { self["PaymentContext/PaymentAccountUniqueId"] ?? "" }

    /// "409 OrderAlreadyAuthorizedException", or the root's name for what is no Fault.
    var fault: String {
        self.root.name == "Fault" ? "\(self.status) \(self["Code"] ?? "")" : "\(self.status) \(self.root.name)"
    }
}
