//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

#if canImport(UIKit)
import UIKit
#endif

/// What the SDK asks of the system that it runs on.
enum Device {
    /// The version of TapPay's API whose behaviour this SDK has: deferred payments with the total of 1 on old systems.
    static let sdkVersion = "2.6.0"

    /// Apple's simulator shows the sheet and hands out tokens without data.
    static var isSimulator: Bool {
        #if targetEnvironment(simulator)
        true
        #else
        false
        #endif
    }

    /// iOS's major version; a new one where there is no iOS.
    static var systemMajorVersion: Int {
        #if os(iOS)
        ProcessInfo.processInfo.operatingSystemVersion.majorVersion
        #else
        17
        #endif
    }

    /// What the gateway knows the app by: its bundle's identifier, or the program's name where there is no bundle.
    static var appName: String { Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName }

    @MainActor static func identifier() -> String {
        #if canImport(UIKit) && !os(watchOS)
        UIDevice.current.identifierForVendor?.uuidString ?? UUID().uuidString
        #else
        UUID().uuidString
        #endif
    }
}
