//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import Payments
import StrictJSON

extension AdminEndpoints {
    /// Where the `type` of a problem leads.
    static let problems: [Endpoint] = [
        Endpoint(
            method: .get, path: "/problems", name: "listProblems",
            summary: "What a call may be refused as: each code with its status and what to do about it. For everybody.",
            group: "Catalog", audience: .anybody, answer: AdminSchemas.list(of: "ProblemKind")
        ) { _ in Answer(["data": .array(ProblemKind.all.map { .object($0.view) })]) }
    ]
}
