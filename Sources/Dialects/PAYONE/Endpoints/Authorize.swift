//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments

extension PAYONE {
    func authorize(
        _ request: AuthorizationRequest, _ merchant: MerchantContext, _ form: ReceivedForm
    ) async throws(PAYONEError) -> Answer {
        let instrument = try request.instrument()
        let context = CallContext(merchant: merchant, idempotency: request.idempotency)
        let outcome: OperationOutcome
        do throws(GatewayRefusal) {
            outcome = try await self.gateway.fresh(LabelField.txid, bytesCount: Self.idBytesCount) {
                random throws(GatewayRefusal) in
                let txid = Self.id(random)
                var command = AuthorizeCommand(
                    context: context, instrument: instrument, amount: request.amount,
                    order: .named(request.reference), purpose: request.capturesAtOnce ? .sale : .authorization,
                    details: request.details, labels: self.labels(for: request, txid, form),
                    references: [Self.txidReference(txid)], networks: AccountSettings(merchant).networks)
                command.statedNetwork = request.network
                return try await self.gateway.authorize(command)
            }
        } catch {
            throw PAYONEError(error)
        }
        return try Answer(authorization: outcome)
    }

    static func txidReference(_ txid: String) -> ReferenceName { ReferenceName(kind: LabelField.txid, value: txid) }

    private func labels(
        for request: AuthorizationRequest, _ txid: String, _ form: ReceivedForm
    ) -> OperationLabels {
        var fields = [
            LabelField.sequenceNumber: "0",
            LabelField.request: request.capturesAtOnce ? "authorization" : "preauthorization",
            LabelField.txid: txid,
            LabelField.userid: Self.id(self.gateway.randomBytes(Self.idBytesCount)),
        ]
        fields[LabelField.aid] = form.readableText("aid")
        fields[LabelField.customerID] = request.customerID
        fields[LabelField.parameter] = request.parameter
        fields[LabelField.language] = CustomerLanguage(of: form)?.rawValue
        return OperationLabels(
            reference: request.reference, memo: request.narrativeText,
            notifySettings: [AccountSettings.notificationURLName], fields: fields)
    }

    private static let idBytesCount = 8

    /// Nine digits: no more fit into the 32-bit columns in which some shops keep them.
    private static func id(_ random: [UInt8]) -> String {
        let number = random.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return String(100_000_000 + number % 900_000_000)
    }
}
