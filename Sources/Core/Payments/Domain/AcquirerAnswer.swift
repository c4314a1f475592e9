//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

/// What the acquirer said beside yes or no.
public struct AcquirerAnswer: Hashable, Sendable {
    /// The acquirer's reference for the operation (a retrieval reference number), unique at the acquirer.
    public var reference: String?
    /// The authorization code (ISO 8583, field 38), up to six characters.
    public var authorizationCode: String?
    /// The raw response code (ISO 8583, field 39): "00", "51" …
    public var responseCode: String?
    /// The system trace audit number (ISO 8583, field 11), six digits.
    public var stan: String?
    /// The card network's identifier of the transaction, up to 15 characters.
    public var networkReference: String?
    /// The issuer's word on the billing address, the network's letter: "Y", "N", "U" …
    public var addressCheck: String?
    /// The issuer's word on the card security code, the network's letter: "M", "N", "P" …
    public var securityCodeCheck: String?
    /// The last four digits of the card behind the device account (the FPAN), where the acquirer reports them.
    public var fundingPANSuffix: String?
    /// That card's expiry, "YYMM".
    public var fundingExpiryYearMonth: String?
    /// What that card's account is called by its network, the same for the card and all its device accounts (the PAR of
    /// EMVCo's tokenisation framework): 29 capital letters and digits. No number can be made of it.
    public var paymentAccountReference: String?
    /// What the network advises after a decline (Mastercard's merchant advice code): "03", do not try again.
    public var merchantAdviceCode: String?
    /// The electronic commerce indicator under which the acquirer has processed it: the token's or another.
    public var eci: String?
    /// What the acquirer's settlement calls the batch in which it is: "20260314".
    public var reconciliationID: String?
    /// By which card networks know what was presented to an issuer, a capture or a refund (ARN): 23 digits.
    public var acquirerReferenceNumber: String?
    /// Which of the banks behind a vendor has processed it, by the vendor's name for it: "COMMWEB_S2I".
    public var processor: String?
    /// Until when it holds an authorization that nobody captures.
    public var authorizationExpiresAt: Timestamp?
    /// The word or number that the vendor has for the outcome, beside the issuer's: "INSUFFICIENT_FUNDS", "10003".
    public var vendorCode: String?
    /// The vendor's sentence about it, for operators: at most 100 characters, in whatever language the vendor writes.
    public var vendorText: String?

    public init(
        reference: String? = nil, authorizationCode: String? = nil, responseCode: String? = nil, stan: String? = nil,
        networkReference: String? = nil, addressCheck: String? = nil, securityCodeCheck: String? = nil,
        fundingPANSuffix: String? = nil, fundingExpiryYearMonth: String? = nil, paymentAccountReference: String? = nil,
        merchantAdviceCode: String? = nil, eci: String? = nil, reconciliationID: String? = nil,
        acquirerReferenceNumber: String? = nil, processor: String? = nil, authorizationExpiresAt: Timestamp? = nil,
        vendorCode: String? = nil, vendorText: String? = nil
    ) {
        self.reference = reference
        self.authorizationCode = authorizationCode
        self.responseCode = responseCode
        self.stan = stan
        self.networkReference = networkReference
        self.addressCheck = addressCheck
        self.securityCodeCheck = securityCodeCheck
        self.fundingPANSuffix = fundingPANSuffix
        self.fundingExpiryYearMonth = fundingExpiryYearMonth
        self.paymentAccountReference = paymentAccountReference
        self.merchantAdviceCode = merchantAdviceCode
        self.eci = eci
        self.reconciliationID = reconciliationID
        self.acquirerReferenceNumber = acquirerReferenceNumber
        self.processor = processor
        self.authorizationExpiresAt = authorizationExpiresAt
        self.vendorCode = vendorCode
        self.vendorText = vendorText
    }

    /// This answer, and of an earlier one about the same operation what this one leaves out.
    public func completed(by earlier: AcquirerAnswer) -> AcquirerAnswer {
        AcquirerAnswer(
            reference: self.reference ?? earlier.reference,
            authorizationCode: self.authorizationCode ?? earlier.authorizationCode,
            responseCode: self.responseCode ?? earlier.responseCode, stan: self.stan ?? earlier.stan,
            networkReference: self.networkReference ?? earlier.networkReference,
            addressCheck: self.addressCheck ?? earlier.addressCheck,
            securityCodeCheck: self.securityCodeCheck ?? earlier.securityCodeCheck,
            fundingPANSuffix: self.fundingPANSuffix ?? earlier.fundingPANSuffix,
            fundingExpiryYearMonth: self.fundingExpiryYearMonth ?? earlier.fundingExpiryYearMonth,
            paymentAccountReference: self.paymentAccountReference ?? earlier.paymentAccountReference,
            merchantAdviceCode: self.merchantAdviceCode ?? earlier.merchantAdviceCode, eci: self.eci ?? earlier.eci,
            reconciliationID: self.reconciliationID ?? earlier.reconciliationID,
            acquirerReferenceNumber: self.acquirerReferenceNumber ?? earlier.acquirerReferenceNumber,
            processor: self.processor ?? earlier.processor,
            authorizationExpiresAt: self.authorizationExpiresAt ?? earlier.authorizationExpiresAt,
            vendorCode: self.vendorCode ?? earlier.vendorCode, vendorText: self.vendorText ?? earlier.vendorText)
    }
}
