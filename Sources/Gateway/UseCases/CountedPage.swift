//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Of all that comes by, how much it is and what stands on one page.
public struct CountedPage<Element: Sendable>: Sendable {
    public private(set) var elements: [Element] = []
    public private(set) var totalCount = 0
    private let range: Range<Int>

    /// - Parameters:
    ///   - offset: how many come before the page.
    ///   - limit: how many are on it at most.
    public init(offset: Int, limit: Int) {
        self.range = offset..<offset + limit
    }

    public mutating func add(_ element: Element) {
        if self.range.contains(self.totalCount) { self.elements.append(element) }
        self.totalCount += 1
    }

    /// How many pages there are.
    public var pagesCount: Int { (self.totalCount + self.range.count - 1) / self.range.count }
}
