//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// How much of a document is read. Whatever goes beyond is refused before it costs more than the bytes themselves.
struct XMLLimits: Hashable, Sendable {
    var bytesMax = 64 * 1024
    /// How deep elements may stand in one another; the root's depth is 1. The deepest message has 4.
    var depthMax = 16
    var elementsMax = 1000
    /// Of one element.
    var attributesMax = 16
    var nameBytesMax = 64
}
