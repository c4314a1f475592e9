//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON

/// A field by its dotted path ("order.amount").
typealias FieldLeaf = (path: String, value: JSON)

extension Array where Element == FieldLeaf {
    /// Ascending, no path twice: of a path that stands there twice, the last.
    var inOrderOfPaths: [FieldLeaf] {
        var ordered: [FieldLeaf] = []
        ordered.reserveCapacity(self.count)
        // The sort is stable: of equal paths the last comes last.
        for leaf in self.sorted(by: { $0.path < $1.path }) {
            if ordered.last?.path == leaf.path { ordered.removeLast() }
            ordered.append(leaf)
        }
        return ordered
    }
}
