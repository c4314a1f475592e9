//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Testing

@testable import Server

/// The list of metrics and the program agree: nothing is counted that is not in it, and nothing is in it that is not
/// counted.
@Suite struct MetricListTests {
    private static let sources = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources")

    /// Cookies' names have the same form.
    private static let cookies: Set<String> = ["pomona_openid", "pomona_session"]

    /// Names that stand in the program as string literals by themselves.
    private static func names() throws -> Set<String> {
        let files = try #require(FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
        var names: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            guard !file.lastPathComponent.hasPrefix("MetricDescription") else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /"(pomona_[a-z_]+|process_[a-z_]+)"/) { names.insert(String(match.1)) }
        }
        return names.subtracting(Self.cookies)
    }

    /// As it is exposed: a counter's label may lack its suffix, and so may a timer's.
    private static func listed(_ name: String) -> MetricDescription? {
        MetricDescription.all.first { metric in
            metric.name == name || (metric.kind == .counter && metric.name == name + "_total")
                || (metric.kind == .histogram && metric.name == name + "_seconds")
        }
    }

    @Test func everythingThatIsCountedIsListed() throws {
        let names = try Self.names()
        #expect(names.count > 20)
        for name in names { #expect(Self.listed(name) != nil, "\(name) is not in MetricDescription.all") }
    }

    @Test func everythingThatIsListedIsCounted() throws {
        let counted = Set(try Self.names().compactMap { Self.listed($0)?.name })
        for metric in MetricDescription.all {
            #expect(counted.contains(metric.name), "\(metric.name) is never counted")
        }
    }

    @Test func namesAreUniqueAndSayTheirUnit() {
        let all = MetricDescription.all
        #expect(Set(all.map(\.name)).count == all.count)
        for metric in all {
            #expect(!metric.meaning.isEmpty && !metric.meaning.contains("|") && !metric.meaning.contains("\n"))
            #expect((metric.kind == .counter) == metric.name.hasSuffix("_total"), "\(metric.name)")
            if metric.unit == .bytes { #expect(metric.name.hasSuffix("_bytes")) }
            if metric.kind == .histogram { #expect(metric.name.hasSuffix("_seconds") == (metric.unit == .seconds)) }
        }
        #expect(MetricDescription.helpTexts.count == all.count)
    }

    /// An alert is about the metric that it stands beside, and about none that there is not.
    @Test func alertsAreOfListedMetrics() throws {
        let alerts = MetricDescription.all.flatMap { metric in metric.alerts.map { (metric, $0) } }
        #expect(Set(alerts.map(\.1.name)).count == alerts.count)
        for (metric, alert) in alerts {
            #expect(alert.expression.contains(metric.name), "\(alert.name)")
            for match in alert.expression.matches(of: /(pomona|process)_[a-z_]+/) {
                let name = String(match.0).replacing("_bucket", with: "")
                #expect(MetricDescription.all.contains { $0.name == name }, "\(alert.name): \(name)")
            }
            for match in alert.expression.matches(of: /\{([a-z]+)=/) {
                #expect(metric.labels.contains(String(match.1)) || match.1 == "job", "\(alert.name): \(match.1)")
            }
        }
    }
}
