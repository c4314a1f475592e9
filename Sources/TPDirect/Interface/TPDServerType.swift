//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(ObjectiveC)
import Foundation
#endif

/// Which of the gateway's environments an app belongs to.
#if canImport(ObjectiveC)
@objc
#endif
public enum TPDServerType: Int, Sendable {
    /// Everything works and no money moves.
    #if canImport(ObjectiveC)
    @objc(TPDServer_SandBox)
    #endif
    case sandBox = 0
    #if canImport(ObjectiveC)
    @objc(TPDServer_Production)
    #endif
    case production = 1
}
