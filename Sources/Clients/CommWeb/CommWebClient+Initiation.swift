//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON

extension CommWebClient {
    /// Who asks for a payment, and under what agreement ("Credential on File Transactions", the vendor's integration guide).
    public struct Initiation: Hashable, Sendable {
        /// `transaction.source`.
        public enum Source: String, Hashable, Sendable, CaseIterable {
            case callCentre = "CALL_CENTRE"
            case internet = "INTERNET"
            case mailOrder = "MAIL_ORDER"
            /// The merchant alone: the provider must have enabled it for the merchant.
            case merchant = "MERCHANT"
            case moto = "MOTO"
            case telephoneOrder = "TELEPHONE_ORDER"
            case voiceResponse = "VOICE_RESPONSE"
        }

        /// `agreement.type`.
        public enum AgreementType: String, Hashable, Sendable, CaseIterable {
            case installment = "INSTALLMENT"
            case other = "OTHER"
            case recurring = "RECURRING"
            case unscheduled = "UNSCHEDULED"
        }

        /// `sourceOfFunds.provided.card.storedOnFile`.
        public enum StoredOnFile: String, Hashable, Sendable, CaseIterable {
            case notStored = "NOT_STORED"
            case stored = "STORED"
            case toBeStored = "TO_BE_STORED"
        }

        public var source = Source.internet
        /// 1 to 100 characters.
        public var agreementID: String?
        public var agreementType: AgreementType?
        public var storedOnFile: StoredOnFile?

        public init() {}

        func set(_ fields: inout JSONFields) {
            fields.set("transaction.source", self.source.rawValue)
            fields.set("agreement.id", self.agreementID)
            fields.set("agreement.type", self.agreementType?.rawValue)
            fields.set("sourceOfFunds.provided.card.storedOnFile", self.storedOnFile?.rawValue)
        }
    }
}
