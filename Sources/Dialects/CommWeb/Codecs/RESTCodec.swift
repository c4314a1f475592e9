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
        if let contentType = request.headers[.contentType], !self.isJSON(contentType) {
            throw CommWebError(.mediaTypeNotSupported, "The Content-Type must be application/json, in UTF-8.")
        }
        let json: JSON
        do throws(JSONError) {
            json = try JSON.parse(request.body, limits: self.limits)
        } catch {
            throw CommWebError(.bodyMalformed, "The body is not valid JSON: \(error.description).")
        }
        guard let object = json.object else {
            throw CommWebError(.bodyMalformed, "The body must be a JSON object, and is \(json.kind).")
        }
        return RequestFields(flattening: object)
    }

    /// The fields that stand in a URL's query.
    static func fields(ofQuery query: String?) throws(CommWebError) -> RequestFields {
        guard let query, !query.isEmpty else { return RequestFields() }
        return try NVPCodec.fields(of: Array(query.utf8), contentType: NVPCodec.mediaType)
    }

    static func response(_ answer: Answer) -> WireResponse {
        WireResponse(
            status: answer.status, headers: [.contentType: "application/json;charset=UTF-8"],
            body: answer.fields.json.serialized())
    }

    /// `application/json`, with UTF-8 as the charset if one is named (RFC 8259, section 8.1).
    private static func isJSON(_ contentType: String) -> Bool {
        if contentType == "application/json" { return true }
        let parts = contentType.lowercased().split(separator: ";").map { part in part.filter { $0 != " " && $0 != "\"" }
        }
        guard parts.first == "application/json" else { return false }
        return parts.dropFirst().allSatisfy { !$0.hasPrefix("charset=") || $0 == "charset=utf-8" }
    }
}
