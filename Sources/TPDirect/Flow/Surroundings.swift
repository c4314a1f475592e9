//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import PassKit

/// What a payment needs of the world.
@MainActor struct Surroundings {
    var setup: TPDSetup
    var client: PrimeClient
    var isSimulator: Bool
    var systemMajorVersion: Int
    var appName: String

    static var system: Surroundings {
        Surroundings(
            setup: .shareInstance(), client: .system, isSimulator: Device.isSimulator,
            systemMajorVersion: Device.systemMajorVersion, appName: Device.appName)
    }
}
