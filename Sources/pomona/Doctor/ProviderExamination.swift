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
        var findings: [Finding] = []
        for configured in configuration.openID { findings += await self.findings(configured, siteURL) }
        return findings
    }

    private func findings(_ configured: OpenIDConfiguration, _ siteURL: String) async -> [Finding] {
        let own = OpenIDSurroundings(
            clock: self.surroundings.clock, random: self.surroundings.random, sleep: self.surroundings.sleep)
        do {
            let provider = try OpenIDProvider(try configured.settings(siteURL: siteURL), own)
            let before = self.surroundings.clock()
            let date = try await provider.examine()
            let good = Finding(
                .configuration, "provider_answers", .good, subject: configured.name,
                "\(configured.issuer) answers as sign-in needs it.", because: Self.reason)
            guard let said = date.flatMap(HTTPDate.moment) else { return [good] }
            let comparison = ClockComparison(
                name: configured.issuer, said: said, precision: 1000, before: before, after: self.surroundings.clock())
            return [good, comparison.finding]
        } catch let failure as OpenIDFailure {
            return [self.failure(configured, code: failure.code.rawValue, failure.explanation)]
        } catch let failure as CommandFailure {
            return [self.failure(configured, code: failure.code, failure.message)]
        } catch {
            return [self.failure(configured, code: nil, "Its authorities' certificates cannot be read.")]
        }
    }

    private func failure(_ configured: OpenIDConfiguration, code: String?, _ advice: String) -> Finding {
        Finding(
            .configuration, "provider_fails", .warning, subject: configured.name,
            "People cannot sign in through \(configured.issuer)\(code.map { " (\($0))" } ?? "").", because: Self.reason,
            advice: advice)
    }
}
