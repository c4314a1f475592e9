//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Keyed anew in every process (`Hasher`), so that nobody can choose what collides.
func hashedKey<each Part: Hashable>(_ parts: repeat each Part) -> UInt64 {
    var hasher = Hasher()
    repeat hasher.combine(each parts)
    return UInt64(bitPattern: Int64(hasher.finalize()))
}

/// A dictionary that never holds more than so many: when the newer half is full, the older half is forgotten. What is
/// asked for stays.
struct TwoGenerations<Value> {
    private let halfMax: Int
    private var newer: [UInt64: Value] = [:]
    private var older: [UInt64: Value] = [:]

    init(max: Int) {
        self.halfMax = Swift.max(1, max / 2)
    }

    var count: Int { self.newer.count + self.older.count }

    subscript(key: UInt64) -> Value? {
        mutating get {
            if let value = self.newer[key] { return value }
            guard let value = self.older.removeValue(forKey: key) else { return nil }
            self.insert(value, key)
            return value
        }
        set {
            self.older[key] = nil
            if let newValue { self.insert(newValue, key) } else { self.newer[key] = nil }
        }
    }

    private mutating func insert(_ value: Value, _ key: UInt64) {
        if self.newer[key] == nil, self.newer.count >= self.halfMax {
            self.older = self.newer
            self.newer = [:]
        }
        self.newer[key] = value
    }
}
