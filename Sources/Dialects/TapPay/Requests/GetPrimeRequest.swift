//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON

/// Who speaks. The vendor publishes "2" for pages; "1" for iOS is this gateway's choice.
enum Platform: Int64, Sendable {
    case ios = 1
    case web = 2
}

/// The body of getprime.
struct GetPrimeRequest: Sendable {
    let app: AppCredentials
    let platform: Platform
    /// Of TPDirect for iOS; pages don't send one.
    let sdkVersion: SDKVersion?
    let appleMerchantID: String
    let token: PayTokenData
    let isAmountPending: Bool

    static let appleMerchantIDCharactersMax = 128

    init(reading fields: FrontEndFields) throws(TapPayFailure) {
        self.app = try AppCredentials(reading: fields, requiresName: true)
        self.platform = try Self.platform(fields)
        self.sdkVersion = try Self.sdkVersion(fields)
        if self.platform == .ios, self.sdkVersion == nil { throw TapPayFailure(.sdkVersionNotSent) }
        self.appleMerchantID = try Self.appleMerchantID(fields)
        self.token = try PayTokenData(reading: fields)
        // Taken for the clients' sake; nothing is decided by them.
        _ = try fields.optionalText("fraud_id", max: 256, outOfRange: .fraudIDOutOfRange)
        try Self.checkDevice(fields)
        self.isAmountPending = try fields.flag("is_amount_pending")
    }

    static func appleMerchantID(_ fields: FrontEndFields) throws(TapPayFailure) -> String {
        try fields.text(
            "apple_merchant_id", "appleMerchantId", max: Self.appleMerchantIDCharactersMax,
            missing: .missingAppleMerchantID, outOfRange: .appleMerchantIDOutOfRange)
    }

    /// The vendor has two numbers with the same text: the one here for what is no number, the other for a number of
    /// another platform.
    private static func platform(_ fields: FrontEndFields) throws(TapPayFailure) -> Platform {
        guard let value = fields.value(["platform_type"]), let number = WireText.integer(value) else {
            throw TapPayFailure(.invalidPlatformType, "platform_type must be \"1\" for an iOS app or \"2\" for a page.")
        }
        guard let platform = Platform(rawValue: number) else {
            throw TapPayFailure(
                .unsupportedPlatformType, "Apple Pay is on \"1\", an iOS app, and on \"2\", a page, and nowhere else.")
        }
        return platform
    }

    private static func sdkVersion(_ fields: FrontEndFields) throws(TapPayFailure) -> SDKVersion? {
        guard
            let text = try fields.optionalText(
                "tappay_sdk_version", "sdkversion", max: 32, outOfRange: .invalidSDKVersion)
        else { return nil }
        guard let version = SDKVersion(text) else {
            throw TapPayFailure(.invalidSDKVersion, "tappay_sdk_version must be like \"2.17.0\".")
        }
        return version
    }

    /// What older SDKs sent of the device.
    private static func checkDevice(_ fields: FrontEndFields) throws(TapPayFailure) {
        if let type = fields.value(["devicetype"]) {
            guard let number = WireText.integer(type), (0...9).contains(number) else {
                throw TapPayFailure(.invalidDeviceType, "devicetype must be a number of one digit.")
            }
        }
        if let device = fields.object("deviceInfo") {
            _ = try device.optionalText("deviceIdentifier", max: 128, outOfRange: .deviceIdentifierOutOfRange)
            _ = try device.optionalText("deviceModel", max: 128, outOfRange: .deviceModelOutOfRange)
            _ = try device.optionalText("deviceOsVersion", max: 64, outOfRange: .deviceOSVersionOutOfRange)
        }
        _ = try fields.optionalText("geoloc", max: 128, outOfRange: .geolocationOutOfRange)
    }
}
