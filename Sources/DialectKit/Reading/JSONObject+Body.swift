//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import StrictJSON

/// Why a body is not the JSON object that is expected, in the words of an error message.
public struct BodyError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
}

extension JSONObject {
    /// The object that a request's body is.
    public init(body: [UInt8], limits: JSONLimits) throws(BodyError) {
        let json: JSON
        do throws(JSONError) {
            json = try JSON.parse(body, limits: limits)
        } catch {
            throw BodyError(description: "The body is not valid JSON: \(error.description).")
        }
        guard let object = json.object else {
            throw BodyError(description: "The body must be a JSON object, and is \(json.kind).")
        }
        self = object
    }
}
