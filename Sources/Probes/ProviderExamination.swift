//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Administration
public import OpenIDConnect
import Time

/// Asks an OpenID Connect provider for all that sign-in needs of it: the discovery document, the keys, and what its clock
/// says. Nobody is signed in.
public struct ProviderExamination: Sendable {
    /// Why a provider cannot be asked at all: what it is configured with cannot be used.
    public struct Unusable: Error {
        let code: String
        let advice: String

        public init(code: String, advice: String) {
            self.code = code
            self.advice = advice
        }
    }

    let name: String
    let issuer: String
    let settings: @Sendable () throws(Unusable) -> OpenIDProviderSettings
    let surroundings: OpenIDSurroundings

    private static let reason = "Nobody can sign in through the provider otherwise."

    public init(
        name: String, issuer: String, surroundings: OpenIDSurroundings,
        settings: @escaping @Sendable () throws(Unusable) -> OpenIDProviderSettings
    ) {
        self.name = name
        self.issuer = issuer
        self.settings = settings
        self.surroundings = surroundings
    }

    public func findings() async -> [Finding] {
        do {
            let provider = try OpenIDProvider(try self.settings(), self.surroundings)
            let before = self.surroundings.clock()
            let date = try await provider.examine()
            let good = Finding(
                .configuration, "provider_answers", .good, subject: self.name,
                "\(self.issuer) answers as sign-in needs it.", because: Self.reason)
            guard let said = date.flatMap(HTTPDate.moment) else { return [good] }
            let comparison = ClockComparison(
                name: self.issuer, said: said, precision: 1000, before: before, after: self.surroundings.clock())
            return [good, comparison.finding]
        } catch let failure as OpenIDFailure {
            return [self.failure(code: failure.code.rawValue, failure.explanation)]
        } catch let unusable as Unusable {
            return [self.failure(code: unusable.code, unusable.advice)]
        } catch {
            return [self.failure(code: nil, "Its authorities' certificates cannot be read.")]
        }
    }

    private func failure(code: String?, _ advice: String) -> Finding {
        Finding(
            .configuration, "provider_fails", .warning, subject: self.name,
            "People cannot sign in through \(self.issuer)\(code.map { " (\($0))" } ?? "").", because: Self.reason,
            advice: advice)
    }
}
