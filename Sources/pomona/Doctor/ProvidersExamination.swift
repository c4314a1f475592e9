//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Foundation
import OpenIDConnect
import Probes

/// Asks the OpenID Connect providers of a configuration, as it stands in the file.
struct ProvidersExamination: Sendable {
    let text: String
    var environment: [String: String] = ProcessInfo.processInfo.environment
    var surroundings = Surroundings.system

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
        for configured in providers {
            let examination = ProviderExamination(
                name: configured.name, issuer: configured.issuer, surroundings: surroundings.ofProviders
            ) { () throws(ProviderExamination.Unusable) in
                do throws(CommandFailure) {
                    return try configured.settings(siteURL: siteURL)
                } catch {
                    throw ProviderExamination.Unusable(code: error.code, advice: error.message)
                }
            }
            findings += await examination.findings()
        }
        return findings
    }
}

extension Surroundings {
    var ofProviders: OpenIDSurroundings {
        OpenIDSurroundings(clock: self.clock, random: self.random, sleep: self.sleep)
    }
}
