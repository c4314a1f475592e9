//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A value in a place of its own, which copies share: of a struct with many texts each copy would count every one of them.
/// Equal and hashed by what it holds; changed by putting another into another place, so that nobody sees it change.
@propertyWrapper
public struct Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
    private final class Place: Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    private var place: Place

    public init(wrappedValue: Value) { self.place = Place(wrappedValue) }

    public var wrappedValue: Value {
        get { self.place.value }
        set { self.place = Place(newValue) }
    }

    public static func == (one: Boxed, other: Boxed) -> Bool {
        one.place === other.place || one.place.value == other.place.value
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(self.place.value) }
}
