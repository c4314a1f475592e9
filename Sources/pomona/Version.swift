//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What this program is called by: one place for its version (script/release writes it).
enum Version {
    /// Semantic Versioning 2.0.0, without a leading "v".
    static let text = "0.1.0"
}
