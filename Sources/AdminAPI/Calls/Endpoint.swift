//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import Payments
import StrictJSON

/// One thing that can be asked for: what it is called, who may ask, what is sent and answered, and what is done. The
/// OpenAPI document is written from these, and calls are held against them.
struct Endpoint: Sendable {
    /// What keeps a call from being done twice, or over what somebody else has done.
    enum Guard: Sendable {
        /// It changes nothing.
        case none
        /// The header Idempotency-Key: the same call is answered again, and not done again.
        case idempotencyKey
        /// The same, and what the key names is kept with the payment and not beside it.
        case actKey
        /// The header If-Match with the tag of what is changed (RFC 9110, section 13.1.1).
        case ifMatch
    }

    struct Parameter: Sendable {
        let name: String
        let schema: Schema
        let meaning: String

        init(_ name: String, _ schema: Schema, _ meaning: String) {
            self.name = name
            self.schema = schema
            self.meaning = meaning
        }
    }

    let method: HTTPRequest.Method
    /// After /admin/v1: "/merchants/{merchant}".
    let path: String
    /// The operation's id.
    let name: String
    let summary: String
    /// Under what heading it stands in the document.
    let group: String
    let scope: Scope
    var query: [Parameter] = []
    var body: Schema?
    var status: HTTPResponse.Status = .ok
    /// What is answered.
    let answer: Schema
    var precondition = Guard.none
    let handle: @Sendable (Call) async throws -> Answer

    static let bodyBytesMax = 512 * 1024
}

/// What a call is answered when it succeeds.
struct Answer: Sendable {
    var body: JSON
    /// Of what was asked for, as it is now.
    var tag: EntityTag?
    var location: String?

    init(_ body: JSONObject, tag: EntityTag? = nil, location: String? = nil) {
        self.init(.object(body), tag: tag, location: location)
    }

    /// - Parameter body: an object.
    init(_ body: JSON, tag: EntityTag? = nil, location: String? = nil) {
        self.body = body
        self.tag = tag
        self.location = location
    }

    /// A page of a list, of which one more than the page has was asked for.
    ///
    /// - Parameters:
    ///   - view: how an element is shown.
    ///   - cursor: an element's place, for the parameter `after` of the next page.
    static func page<Element>(
        _ found: [Element], limit: Int, view: (Element) -> JSON, cursor: (Element) -> String
    ) -> Answer {
        let page = found.prefix(limit)
        let next = found.count > page.count ? page.last.map(cursor) : nil
        return Answer(["data": .array(page.map(view)), "next": next.map { .string($0) } ?? .null])
    }

    /// One resource, with its tag.
    static func resource(_ view: JSONObject, location: String? = nil) -> Answer {
        Answer(view, tag: EntityTag(of: view), location: location)
    }
}
