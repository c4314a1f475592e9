//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments

extension PAYONE {
    /// How often a new txid is tried when one is taken already: of 900 million, several in a row are not taken by chance.
    private static let txidAttemptsMax = 8

    func authorize(
        _ request: AuthorizationRequest, _ merchant: MerchantContext, _ form: ReceivedForm
    ) async throws(PAYONEError) -> Answer {
        let instrument = try request.instrument()
        let context = CallContext(merchant: merchant, idempotency: request.idempotency)
        var attemptsLeft = Self.txidAttemptsMax
        while true {
            let labels = self.labels(for: request, merchant, form)
            let command = AuthorizeCommand(
                context: context, instrument: instrument, amount: request.amount, order: .named(request.reference),
                purpose: request.capturesAtOnce ? .sale : .authorization, details: request.details, labels: labels,
                references: labels.fields[LabelField.txid].map { [Self.txidReference($0)] } ?? [],
                networks: AccountSettings(merchant).networks)
            let outcome: OperationOutcome
            do throws(GatewayRefusal) {
                outcome = try await self.gateway.authorize(command)
            } catch {
                attemptsLeft -= 1
                guard case .referenceTaken = error, attemptsLeft > 0 else { throw PAYONEError(error) }
                continue
            }
            return try Answer(authorization: outcome)
        }
    }

    static func txidReference(_ txid: String) -> ReferenceName { ReferenceName(kind: LabelField.txid, value: txid) }

    private func labels(
        for request: AuthorizationRequest, _ merchant: MerchantContext, _ form: ReceivedForm
    ) -> OperationLabels {
        var fields = [
            LabelField.sequenceNumber: "0",
            LabelField.request: request.capturesAtOnce ? "authorization" : "preauthorization",
            LabelField.txid: self.randomID(),
            LabelField.userid: self.randomID(),
        ]
        fields[LabelField.aid] = form.readableText("aid")
        fields[LabelField.customerID] = request.customerID
        fields[LabelField.parameter] = request.parameter
        fields[LabelField.language] = CustomerLanguage(of: form)?.rawValue
        return OperationLabels(
            reference: request.reference, memo: request.narrativeText,
            notifyURL: AccountSettings(merchant).notificationURL, fields: fields)
    }

    /// Nine digits: no more fit into the 32-bit columns in which some shops keep them.
    private func randomID() -> String {
        let number = self.gateway.randomBytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return String(100_000_000 + number % 900_000_000)
    }
}
