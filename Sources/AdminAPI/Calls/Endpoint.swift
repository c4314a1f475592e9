//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
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

    /// Who may ask.
    enum Audience: Hashable, Sendable {
        /// Whoever has the scope: with a token, or signed in.
        case scope(Scope)
        /// Everybody.
        case anybody
        /// Everybody who comes with a page of the portal's, signed in or not.
        case portal
        /// Whoever is signed in, or about to be.
        case signingIn
        /// A person who is signed in, whatever the role: what he does with what is his own.
        case person
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
    let audience: Audience
    var query: [Parameter] = []
    var body: Schema?
    var status: HTTPResponse.Status = .ok
    /// What is answered.
    let answer: Schema
    var precondition = Guard.none
    let handle: @Sendable (Call) async throws -> Answer

    /// How long the body may be.
    var bytesMax = Endpoint.bodyBytesMax
    /// Of what may be answered, where that is a stream and no JSON.
    var streamTypes: [String] = []

    static let bodyBytesMax = 512 * 1024
    /// An object with nothing in it, however it is written.
    private static let emptyBodyBytesMax = 1024
    /// A settlement file of 8 MiB in Base64.
    static let fileBytesMax = 12 * 1024 * 1024

    /// What the caller must have; `nil` where that is not a scope.
    var scope: Scope? {
        guard case .scope(let scope) = self.audience else { return nil }
        return scope
    }
}

extension Endpoint {
    init(
        method: HTTPRequest.Method, path: String, name: String, summary: String, group: String, scope: Scope,
        query: [Parameter] = [], body: Schema? = nil, status: HTTPResponse.Status = .ok, answer: Schema,
        precondition: Guard = .none, handle: @escaping @Sendable (Call) async throws -> Answer
    ) {
        self.init(
            method: method, path: path, name: name, summary: summary, group: group, audience: .scope(scope),
            query: query, body: body, status: status, answer: answer, precondition: precondition, handle: handle)
    }
}

extension Endpoint {
    /// By what it is called. What can be read can be asked for without its content (RFC 9110, section 9.1); not so what is made
    /// while it is sent, of which there is nothing before the content.
    var methods: [HTTPRequest.Method] {
        self.method == .get && self.streamTypes.isEmpty ? [.get, .head] : [self.method]
    }
}

// MARK: - Bodies

extension Endpoint {
    /// What a body is held against. Where there is nothing to say, clients that always send JSON send an empty object; `nil`
    /// for what is read, where a body means nothing (RFC 9110, section 9.3.1).
    var takenBody: Schema? { self.body ?? (self.method == .get ? nil : .object(Schema.Object([]))) }

    /// How long that may be.
    var takenBytesMax: Int {
        guard self.body == nil else { return self.bytesMax }
        return self.method == .get ? 0 : Self.emptyBodyBytesMax
    }

    /// Whether a call without a body is one with nothing in it: an act of which all may be left out. What is replaced as a
    /// whole is never replaced by nothing because its body got lost, nor is a part of a payment's money taken for all of it.
    var bodyMayBeMissing: Bool {
        guard let body = self.body else { return true }
        if case .actKey = self.precondition { return false }
        guard self.method == .post, case .object(let object) = body else { return false }
        return object.oneOf.isEmpty && object.fields.allSatisfy { !$0.isRequired }
    }
}

extension Endpoint {
    /// The same, whose answer is made while it is sent.
    func streaming(_ types: String...) -> Endpoint {
        var copy = self
        copy.streamTypes = types
        return copy
    }

    /// The same, which takes a body of that length.
    func taking(bytesMax: Int) -> Endpoint {
        var copy = self
        copy.bytesMax = bytesMax
        return copy
    }
}

/// What is answered while it is made.
struct StreamAnswer: Sendable {
    let type: String
    /// Under what name it is kept; `nil` for what nobody keeps.
    var fileName: String?
    let stream: WireStream

    var response: WireResponse {
        var response = WireResponse(status: .ok, headers: AdminDesk.headers(self.type))
        if let fileName {
            // RFC 6266; the name is of letters, digits, hyphens and a dot.
            response.headers[.contentDisposition] = "attachment; filename=\"\(fileName)\""
        }
        response.stream = self.stream
        return response
    }
}

/// What a call is answered when it succeeds.
struct Answer: Sendable {
    var body: JSON
    /// Of what was asked for, as it is now.
    var tag: EntityTag?
    var location: String?
    /// In the place of the body.
    var stream: StreamAnswer?
    /// What becomes of the browser's session.
    var cookie: SessionCookie.Change?

    init(_ body: JSONObject, tag: EntityTag? = nil, location: String? = nil) {
        self.init(.object(body), tag: tag, location: location)
    }

    /// - Parameter body: an object.
    init(_ body: JSON, tag: EntityTag? = nil, location: String? = nil) {
        self.body = body
        self.tag = tag
        self.location = location
    }

    init(_ stream: StreamAnswer) {
        self.init(JSONObject())
        self.stream = stream
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
        return Answer(["data": .array(page.map(view)), "next": .string(orNull: next)])
    }

    /// One resource, with its tag.
    static func resource(_ view: JSONObject, location: String? = nil) -> Answer {
        Answer(view, tag: EntityTag(of: view), location: location)
    }
}
