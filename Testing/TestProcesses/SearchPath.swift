//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// Where this machine's programs are.
public enum SearchPath {
    /// The folders of PATH, in its order.
    public static var folders: [String] {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    }

    /// - Parameter others: folders to look in when no one of ``folders`` has it.
    /// - Returns: the program's path; `nil` when it is not installed.
    public static func find(_ program: String, orIn others: [String] = []) -> String? {
        (self.folders + others).lazy.map { "\($0)/\(program)" }.first(where: FileManager.default.isExecutableFile)
    }
}
