//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AlphaPayUpstream
import ConnectorKit
import MPGS
import PAYONEUpstream
import Payments
import RadialUpstream
import TapPayUpstream
import Time

/// The time, and bytes that nobody can guess.
struct Surroundings: Sendable {
    let clock: @Sendable () -> Timestamp
    let random: @Sendable (Int) -> [UInt8]
}

/// A service whose sandbox may be called, if its operator has an account there.
enum RealService: String, CaseIterable, Sendable {
    case mpgs, payone, radial, tappay, alphapay

    /// The variable that names the file with an account's settings.
    var variable: String { "POMONA_REAL_\(self.rawValue.uppercased())_SETTINGS" }

    func connector(_ client: UpstreamClient, _ surroundings: Surroundings) -> any Connector {
        switch self {
        case .mpgs: MPGSConnector(client: client)
        case .payone: PAYONEConnector(client: client)
        case .radial: RadialConnector(client: client)
        case .tappay: TapPayConnector(client: client)
        case .alphapay: AlphaPayConnector(client: client, clock: surroundings.clock, random: surroundings.random)
        }
    }

    /// The secrets that the service compares.
    var credentials: [String] {
        switch self {
        case .mpgs: ["password"]
        case .payone: ["key"]
        case .radial: ["apikey"]
        case .tappay: ["appKey", "partnerKey"]
        case .alphapay: ["privateKey"]
        }
    }

    /// What the documents believe or do not know, and a step shows. docs/connectors has each in its place.
    func belief(about step: SandboxStep) -> String? {
        switch (self, step) {
        case (.mpgs, .pay): "a PAY without totalAuthorizedAmount has totalCapturedAmount"
        case (.mpgs, .repeatRefund): "an identical PUT is answered again"
        case (.payone, .void): "a capture of 0 with capturemode completed voids an authorization"
        case (.payone, .refund): "a request that was refused has used no sequencenumber"
        case (.payone, .wrongCredentials): "a wrong key is refused by a number of its own"
        case (.radial, .ask), (.radial, .repeatRefund): "a request under its requestId is answered again"
        case (.tappay, .ask): "query shows a payment as soon as it is answered"
        case (.tappay, .askForRefund): "trade-history names a refund by its bank_refund_id, with action 3"
        case (.tappay, .repeatRefund): "a second refund with one bank_refund_id is refused, and not made"
        case (.tappay, .void): "a refund before the capture takes the authorization back"
        case (.alphapay, .repeatOrder): "one paymentRequestId with the same fields is one order"
        case (.alphapay, .pay): "the codes of a refusal are those of docs/connectors/alphapay.md"
        case (.alphapay, .askForRefund): "inquiryRefund finds a refund by its refundRequestId alone"
        case (.alphapay, .repeatRefund): "a second refund with one refundRequestId is not made"
        case (.alphapay, .wrongCredentials): "the refusal of a signature is signed"
        default: nil
        }
    }
}

enum SandboxStep: String, CaseIterable, Sendable {
    case check, wrongCredentials, repeatOrder, pay, ask, capture, refundBeyond, refund, askForRefund, repeatRefund, void
}
