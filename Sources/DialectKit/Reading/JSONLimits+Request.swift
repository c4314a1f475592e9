//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import StrictJSON

extension JSONLimits {
    /// For what a client has sent: a string with U+0000 is malformed, wherever it stands. PostgreSQL's texts cannot hold
    /// it, and what one store refuses no dialect takes.
    public static func ofRequest(bytesMax: Int, depthMax: Int, valuesMax: Int) -> JSONLimits {
        JSONLimits(bytesMax: bytesMax, depthMax: depthMax, valuesMax: valuesMax, allowsNUL: false)
    }
}
