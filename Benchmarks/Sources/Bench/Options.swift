//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// What the command line says.
struct Options: Sendable {
    /// One of ``Part/all``, or a share of one.
    let only: String?
    /// The built `pomona`, for what is measured from outside.
    let program: URL?
    let paymentsCount: Int?
    /// At how many a second latencies are measured.
    let perSecond: Double?
    /// A Python with the peers' packages.
    let peers: URL?
    /// Where the lines go, for programs.
    let path: String?

    init(_ arguments: [String]) {
        let option = { (name: String) in
            arguments.firstIndex(of: name).flatMap { $0 + 1 < arguments.count ? arguments[$0 + 1] : nil }
        }
        self.only = option("--only")
        self.program = option("--pomona").map { URL(filePath: $0) }
        self.paymentsCount = option("--payments").flatMap { Int($0) }
        self.perSecond = option("--pace").flatMap { Double($0) }
        self.peers = option("--peers").map { URL(filePath: $0) }
        self.path = option("--json")
    }
}
