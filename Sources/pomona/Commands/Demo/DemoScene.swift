//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What the demonstration shows of a payment in one of the dialects.
struct DemoScene: Sendable {
    let title: String
    /// In the major unit of what the demo merchant charges in.
    let amount: String
    /// What the service calls its requests.
    let authorization: String
    let capture: String
    /// What it calls what it answers a payment's name with.
    let reference: String
}
