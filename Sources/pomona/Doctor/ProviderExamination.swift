//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Foundation
import OpenIDConnect
import Time

/// Asks the OpenID Connect providers of a configuration for all that sign-in needs of them: the discovery document, the
/// keys, and what their clocks say. Nobody is signed in.
struct ProviderExamination: Sendable {
    /// The configuration as it stands in the file.
    let text: String
    var environment: [String: String] = ProcessInfo.processInfo.environment
    var surroundings = Surroundings.system

    private static let reason = "Nobody can sign in through the provider otherwise."

    func findings() async -> [Finding] {
        guard
            let values = try? ConfigurationValues(flags: [:], environment: self.environment, fileText: self.text),
            let configuration = try? ServeConfiguration.make(values), let siteURL = configuration.adminURL
        else {
            // What is wrong with the configuration another examination says.
            return []
        }
        return await Self.findings(configuration.openID, siteURL: siteURL, self.surroundings)
    }

    /// - Parameter siteURL: where browsers come back to.
    static func findings(
        _ providers: [OpenIDConfiguration], siteURL: String, _ surroundings: Surroundings
    ) async -> [Finding] {
        var findings: [Finding] = []
        for configured in providers { findings += await self.findings(configured, siteURL, surroundings) }
        return findings
    }

    private static func findings(
        _ configured: OpenIDConfiguration, _ siteURL: String, _ surroundings: Surroundings
    ) async -> [Finding] {
        let own = OpenIDSurroundings(
            clock: surroundings.clock, random: surroundings.random, sleep: surroundings.sleep)
        do {
            let provider = try OpenIDProvider(try configured.settings(siteURL: siteURL), own)
            let before = surroundings.clock()
            let date = try await provider.examine()
            let good = Finding(
                .configuration, "provider_answers", .good, subject: configured.name,
                "\(configured.issuer) answers as sign-in needs it.", because: self.reason)
            guard let said = date.flatMap(HTTPDate.moment) else { return [good] }
            let comparison = ClockComparison(
                name: configured.issuer, said: said, precision: 1000, before: before, after: surroundings.clock())
            return [good, comparison.finding]
        } catch let failure as OpenIDFailure {
            return [self.failure(configured, code: failure.code.rawValue, failure.explanation)]
        } catch let failure as CommandFailure {
            return [self.failure(configured, code: failure.code, failure.message)]
        } catch {
            return [self.failure(configured, code: nil, "Its authorities' certificates cannot be read.")]
        }
    }

    private static func failure(_ configured: OpenIDConfiguration, code: String?, _ advice: String) -> Finding {
        Finding(
            .configuration, "provider_fails", .warning, subject: configured.name,
            "People cannot sign in through \(configured.issuer)\(code.map { " (\($0))" } ?? "").", because: self.reason,
            advice: advice)
    }
}
