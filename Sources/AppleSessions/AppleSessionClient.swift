//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Gateway
public import Redaction
import StrictJSON

/// Asks Apple for merchant sessions: "Requesting an Apple Pay payment session" (Apple Pay on the Web), with the merchant's
/// identity certificate as the TLS client's. For platform integrators it also registers merchants.
///
/// Where to ask is never taken from a request as it stands: ``AppleSessionTarget`` chooses among Apple's hosts.
public final class AppleSessionClient: Sendable {
    public let settings: AppleSessionSettings
    let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void
    let connections: AppleSessionConnections

    public init(
        settings: AppleSessionSettings, sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void
    ) {
        self.settings = settings
        self.sleep = sleep
        self.connections = AppleSessionConnections(clientsMax: settings.identitiesMax)
    }

    /// How many merchants' connections are open.
    public var identitiesCount: Int { self.connections.count }

    /// Closes all connections. Requests that come later fail, since there is no connection.
    public func shutdown() async {
        await self.connections.shutdown()
    }

    /// A session, byte for byte as it came.
    ///
    /// - Throws: `MerchantSessionFailure`.
    public func request(_ session: MerchantSessionRequest) async throws(MerchantSessionFailure) -> Redacted<[UInt8]> {
        let target = try AppleSessionTarget(
            validationURL: session.validationURL, mode: session.mode, settings: self.settings)
        let call = AppleCall(
            endpoint: target.endpoint, path: target.call.path, body: Self.body(of: session, target.call))
        do throws(AppleCallFailure) {
            let bytes = try await self.send(call, by: session.identity)
            guard (try? JSON.parse(bytes))?.object != nil else { throw AppleCallFailure(.answerUnreadable) }
            return Redacted(bytes)
        } catch {
            throw error.reason
        }
    }

    /// The shapes of both calls; the earlier one's is of the archived "Requesting an Apple Pay Payment Session".
    private static func body(of session: MerchantSessionRequest, _ call: AppleSessionTarget.Call) -> [UInt8] {
        let identifier = JSON.string(session.merchantIdentifier)
        let body: JSON =
            switch call {
            case .paymentSession:
                [
                    "merchantIdentifier": identifier, "displayName": .string(session.displayName),
                    "initiative": "web", "initiativeContext": .string(session.domainName),
                ]
            case .startSession:
                [
                    "merchantIdentifier": identifier, "domainName": .string(session.domainName),
                    "displayName": .string(session.displayName),
                ]
            }
        return body.serialized()
    }
}
