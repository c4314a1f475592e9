//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Testing

@testable import Webhooks

/// Servers that are slow or gone, and the places that they leave to the others.
@Suite struct TargetPlacesTests {
    private static func places(_ count: Int = 64) -> TargetPlaces {
        TargetPlaces(WebhookSettings(concurrencyMax: count, timeoutSeconds: 10))
    }

    @Test func unknownServerHasFourUntilItAnswersQuickly() {
        let places = Self.places()
        let target = "https://shop.example/n"
        for _ in 0..<4 { #expect(places.holdSeconds(target) == nil) }
        #expect(places.holdSeconds("https://shop.example/other") == 1)
        #expect(places.holdSeconds("https://another.example/n") == nil)
        #expect(places.holdSeconds("https://shop.example:8443/n") == nil)
        // What was not sent says nothing of a server, and one quick answer may be chance.
        places.ended(target, nil)
        places.ended(target, .init(milliseconds: 20, hasTimedOut: false))
        for _ in 0..<2 { #expect(places.holdSeconds(target) == nil) }
        #expect(places.holdSeconds(target) == 1)
        for _ in 0..<2 { places.ended(target, .init(milliseconds: 20, hasTimedOut: false)) }
        for _ in 0..<40 { #expect(places.holdSeconds(target) == nil) }
        places.ended(target, .init(milliseconds: 2000, hasTimedOut: false))
        #expect(places.holdSeconds(target) == 2)
    }

    @Test func slowServerHasFourAndWhatWaitsIsSpread() {
        let places = Self.places()
        let target = "https://slow.example/n"
        #expect(places.holdSeconds(target) == nil)
        places.ended(target, .init(milliseconds: 8000, hasTimedOut: false))
        for _ in 0..<4 { #expect(places.holdSeconds(target) == nil) }
        let held = (0..<40).map { _ in places.holdSeconds(target) ?? 0 }
        #expect(held.prefix(9) == [8, 8, 8, 8, 16, 16, 16, 16, 24])
        #expect(held.max() == 60)
        places.ended(target, .init(milliseconds: 8000, hasTimedOut: false))
        #expect(places.holdSeconds(target) == nil && places.holdSeconds(target) == 8)
    }

    /// A provider drops what is sent to dozens of shops: each of them is tried, and the others are notified.
    @Test func aFourthOfThePlacesIsForThoseThatAnswer() {
        let places = Self.places()
        let quick = "https://quick.example/n"
        for _ in 0..<3 {
            #expect(places.holdSeconds(quick) == nil)
            places.ended(quick, .init(milliseconds: 20, hasTimedOut: false))
        }
        let taken = (0..<60).filter { places.holdSeconds("https://gone-\($0).example/n") == nil }
        #expect(taken.count == 48)
        for _ in 0..<16 { #expect(places.holdSeconds(quick) == nil) }
        for number in taken {
            places.ended("https://gone-\(number).example/n", .init(milliseconds: 10_000, hasTimedOut: true))
        }
        #expect(places.holdSeconds("https://gone-1.example/n") == nil)
        #expect(places.holdSeconds("https://gone-1.example/n") == 10)
    }
}
