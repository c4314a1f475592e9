//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AlphaPay
import CommWeb
import DialectKit
import Gateway
import PAYONE
import Radial
import Redaction

/// A dialect of this program and the sandbox's merchant for it. A further dialect is one more value here, and a demo
/// account in DemoAccounts.swift.
struct DialectModule: Sendable {
    /// Also the name of its demo merchant.
    let name: String
    let make: @Sendable (Gateway) -> any Dialect
    let demo: DemoAccount

    static let all: [DialectModule] = [.alphaPay, .commWeb, .payone, .radial]

    static let alphaPay = DialectModule(name: "alphapay", make: { AlphaPay(gateway: $0) }, demo: .alphaPay)
    static let commWeb = DialectModule(name: "commweb", make: { CommWeb(gateway: $0) }, demo: .commWeb)
    static let payone = DialectModule(name: "payone", make: { PAYONE(gateway: $0) }, demo: .payone)
    static let radial = DialectModule(name: "radial", make: { Radial(gateway: $0) }, demo: .radial)
}
