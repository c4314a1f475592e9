//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Every `errorcode` of this dialect.
///
/// 1 to 104 are the vendor's published table of card errors and 2700 to 2704 that of its Apple Pay page; the other numbers
/// below 900000 are from the list that the vendor's shop plugins carry, on which shops branch, and which stands where it has
/// another sentence than the table: of 7, and by a comma of 33. Numbers from 900001 on are this gateway's own, for what the
/// vendor's service cannot say. docs/dialects/payone.md publishes the list; a test keeps both alike.
enum ErrorCode: Int, CaseIterable, Hashable, Sendable {
    // MARK: The card (vendor)

    case issuerTemporarilyUnavailable = 1
    case authorizationDeclined = 2
    case cardNotApproved = 4
    case doNotHonor = 5
    case securityCodeFaulty = 7
    case transactionInvalid = 12
    case limitExceeded = 13
    case cardInvalid = 14
    case activityNotProcessed = 21
    case formatError = 30
    case cardTypeInvalid = 31
    case expiryDateInvalid = 33
    case manipulationSuspected = 34
    case cardStolen = 43
    case limitOrBalanceExceeded = 51
    case secretCodeIncorrect = 55
    case cardUnknown = 56
    case wrongCardForCancelation = 57
    case terminalUnknown = 58
    case contactAcquirer = 60
    case cardBlocked = 61
    case cardCancelled = 62
    case securityCodeRequired = 63
    case amountDiffersFromReserved = 64
    case cardUsedTooOften = 65
    case amountNoLongerAvailable = 80
    case issuerTemporaryProblem = 91
    case authorizationExpired = 101
    case authorizationDenied = 102
    case notCompletedSuccessfully = 103
    case customerCouldNotPay = 104

    // MARK: The payment process (vendor)

    case configurationError = 901
    case temporaryError = 904
    case refundTooHigh = 906
    case sequenceNumberIncorrect = 907
    case captureTooHigh = 908
    case databaseFailed = 909
    case currencyDiffers = 910
    case referenceExists = 911
    case transactionUnknown = 913
    case refundNotPossible = 915
    case testModeNotAvailable = 924
    case liveModeNotAvailable = 925
    case partialCaptureOfZero = 935
    case statusChangeNotPossible = 950
    case actionsTooMany = 951
    case alreadyCompleted = 952

    // MARK: Parameters (vendor)

    case parameterFaulty = 1000
    case clearingTypeFaulty = 1001
    case paramFaulty = 1002
    case referenceFaulty = 1003
    case currencyFaulty = 1005
    case payDataFaulty = 1007
    case txidFaulty = 1008
    case sequenceNumberFaulty = 1009
    case modeFaulty = 1010
    case amountFaulty = 1016
    case settleAccountFaulty = 1031
    case captureModeFaulty = 1032
    case cardTypeFaulty = 1076
    case walletTypeFaulty = 1095
    case encodingFaulty = 1201
    case requestFaulty = 1202
    case merchantIDFaulty = 1203
    case subAccountFaulty = 1204
    case portalIDFaulty = 1205
    case keyFaulty = 1206
    case customerIDFaulty = 1300
    case firstNameFaulty = 1301
    case lastNameFaulty = 1302
    case companyFaulty = 1303
    case streetFaulty = 1311
    case addressAdditionFaulty = 1314
    case zipFaulty = 1321
    case cityFaulty = 1331
    case stateFaulty = 1339
    case countryFaulty = 1340
    case birthdayFaulty = 1343
    case telephoneNumberFaulty = 1344
    case emailFaulty = 1350
    case shippingStreetFaulty = 1367
    case shippingCompanyFaulty = 1368
    case shippingStateFaulty = 1369
    case shippingCountryFaulty = 1370
    case shippingAddressAdditionFaulty = 1371
    case shippingZIPFaulty = 1372
    case shippingCityFaulty = 1373
    case ipFaulty = 1380
    case actionFaulty = 1700

    // MARK: Who calls, and how (vendor)

    case merchantIDUnknown = 2003
    case subAccountUnknown = 2004
    case portalUnknown = 2005
    case keyWrong = 2006
    case charactersInvalid = 2013

    // MARK: The Apple Pay token (vendor)

    case tokenAmountDiffers = 2700
    case tokenCurrencyDiffers = 2701
    case tokenNotDecrypted = 2702
    case tokenNotVerified = 2703
    case tokenParameterMissing = 2704

    // MARK: The merchant's contract (vendor)

    case functionNotAvailable = 3000

    // MARK: The request did not get as far as an endpoint

    case pathUnknown = 900001
    case methodNotAllowed = 900002
    case requestTooLarge = 900003
    case requestIncomplete = 900004
    case outcomeUnknown = 900005
    case formMalformed = 900007
    case tooManyRequests = 900009

    // MARK: The Apple Pay token, and the session with Apple

    case tokenUsed = 900400
    case tokenModeDiffers = 900401
    case merchantIdentityMissing = 900405
    case merchantSessionFailed = 900406
}

extension ErrorCode {
    /// Whether the vendor has the number.
    var isVendors: Bool { self.rawValue < 900_000 }

    /// Of a parameter that is missing or faulty: the vendor has a number for nearly each.
    init(parameter name: String) {
        if ParameterTables.token.contains(where: { $0.name == name }) {
            self = .tokenParameterMissing
        } else if let code = Self.byParameter[name] {
            self = code
        } else {
            self = name.hasPrefix("add_paydata[") ? .payDataFaulty : .parameterFaulty
        }
    }

    private static let byParameter: [String: ErrorCode] = [
        "mid": .merchantIDFaulty, "aid": .subAccountFaulty, "portalid": .portalIDFaulty, "key": .keyFaulty,
        "mode": .modeFaulty, "request": .requestFaulty, "encoding": .encodingFaulty,
        "firstname": .firstNameFaulty, "lastname": .lastNameFaulty, "company": .companyFaulty,
        "street": .streetFaulty, "zip": .zipFaulty, "city": .cityFaulty, "state": .stateFaulty,
        "country": .countryFaulty, "email": .emailFaulty, "birthday": .birthdayFaulty,
        "telephonenumber": .telephoneNumberFaulty, "clearingtype": .clearingTypeFaulty,
        "wallettype": .walletTypeFaulty, "cardtype": .cardTypeFaulty, "reference": .referenceFaulty,
        "amount": .amountFaulty, "currency": .currencyFaulty, "customerid": .customerIDFaulty, "param": .paramFaulty,
        "sequencenumber": .sequenceNumberFaulty, "txid": .txidFaulty, "capturemode": .captureModeFaulty,
        "settleaccount": .settleAccountFaulty, "add_paydata[action]": .actionFaulty,
        "addressaddition": .addressAdditionFaulty,
        "shipping_street": .shippingStreetFaulty,
        "shipping_company": .shippingCompanyFaulty,
        "shipping_state": .shippingStateFaulty,
        "shipping_country": .shippingCountryFaulty,
        "shipping_addressaddition": .shippingAddressAdditionFaulty,
        "shipping_zip": .shippingZIPFaulty,
        "shipping_city": .shippingCityFaulty,
        "ip": .ipFaulty,
    ]
}
