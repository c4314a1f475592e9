//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import WalletSimulator

enum SimulatedCardNames {
    static func card(_ name: String) -> SimulatedCard? { SimulatedCard.named(name) }
}
