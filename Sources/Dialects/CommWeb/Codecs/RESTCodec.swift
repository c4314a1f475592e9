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
        if let contentType = request.headers[.contentType], !MediaType.isUTF8(contentType, "application/json") {
            throw CommWebError(.mediaTypeNotSupported, "The Content-Type must be application/json, in UTF-8.")
        }
        do throws(BodyError) {
            return RequestFields(flattening: try JSONObject(body: request.body, limits: self.limits))
        } catch {
            throw CommWebError(.bodyMalformed, error.description)
        }
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
