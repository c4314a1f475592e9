//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import StrictJSON

/// JSON both ways.
enum RESTCodec {
    private static let limits = JSONLimits.ofRequest(bytesMax: CommWeb.bodyBytesMax, depthMax: 24, valuesMax: 2000)

    /// The fields of a body. An empty body has none: several operations need nothing but their URL.
    static func fields(of request: WireRequest) throws(CommWebError) -> RequestFields {
        guard !request.body.isEmpty else { return RequestFields() }
        if let problem = request.contentCodingProblem { throw CommWebError(.mediaTypeNotSupported, problem) }
        let body = try self.utf8(of: request)
        do throws(BodyError) {
            return RequestFields(flattening: try JSONObject(body: body, limits: self.limits))
        } catch {
            throw CommWebError(.bodyMalformed, error.description)
        }
    }

    /// The vendor's sample clients say `text/plain`, since an HTTP library says so of any text, and its plugins say that it is
    /// a form, since libcurl says so of any body. All of them send JSON.
    private static let mediaTypes: Set<String> = [
        "application/json", "text/json", "text/plain", "application/x-www-form-urlencoded",
    ]

    /// The body as JSON is read, in UTF-8 (RFC 8259, section 8.1), though the vendor's gateway takes ISO-8859-1 as well, also
    /// where nothing is declared.
    private static func utf8(of request: WireRequest) throws(CommWebError) -> [UInt8] {
        let charset: FormCharset? =
            switch request.headers[.contentType] {
            // Written so by most clients.
            case nil, "application/json": nil
            case "application/json;charset=UTF-8": .utf8
            case let contentType?: try self.charset(of: contentType)
            }
        let isUTF8 =
            switch charset {
            // What isn't is found by the reader, which says where.
            case .utf8: true
            case .latin1: request.body.allSatisfy { $0 < 0x80 }
            case nil: String(validating: request.body, as: UTF8.self) != nil
            }
        return isUTF8 ? request.body : Array(Latin1.text(request.body).utf8)
    }

    /// - Returns: `nil` where none is declared.
    private static func charset(of contentType: String) throws(CommWebError) -> FormCharset? {
        guard let type = MediaType(contentType), self.mediaTypes.contains(type.essence) else {
            throw CommWebError(.mediaTypeNotSupported, "The Content-Type must be application/json.")
        }
        guard let label = type.parameters["charset"] else { return nil }
        guard let charset = FormCharset(label: label) else {
            throw CommWebError(.mediaTypeNotSupported, "The charset must be UTF-8 or ISO-8859-1.")
        }
        return charset
    }

    /// The fields that stand in a URL's query.
    static func fields(ofQuery query: String?) throws(CommWebError) -> RequestFields {
        guard let query, !query.isEmpty else { return RequestFields() }
        return try NVPCodec.fields(of: Array(query.utf8), contentType: NVPCodec.mediaType)
    }

    static func response(_ answer: Answer) -> WireResponse {
        WireResponse(
            status: answer.status, headers: [.contentType: "application/json;charset=UTF-8"],
            body: answer.fields.serialized())
    }
}
