//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import StrictJSON

/// What is answered: an HTTP status and fields.
struct Answer: Sendable {
    var status: HTTPResponse.Status
    var fields: AnswerFields
    var retryAfterSeconds: Int?

    init(status: HTTPResponse.Status = .ok, _ fields: AnswerFields) {
        self.status = status
        self.fields = fields
    }

    init(_ error: CommWebError) {
        self.init(status: error.status, error.fields)
        self.retryAfterSeconds = error.retryAfterSeconds
    }
}

/// The two flavors of the interface: the same operations and fields, written in two ways.
enum Flavor: Hashable, Sendable {
    case rest
    case nvp

    /// By the path; what is under neither prefix is answered in JSON.
    init(path: String) {
        let parts = path.split(separator: "/", maxSplits: 2)
        self = parts.count >= 2 && parts[0] == "api" && parts[1] == "nvp" ? .nvp : .rest
    }
}
