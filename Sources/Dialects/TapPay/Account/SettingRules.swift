//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Hosts

extension TapPay {
    /// What is wrong with a value of one of an account's settings, for whoever changes it: "must be …". `nil` for one that
    /// the dialect takes.
    ///
    /// Read again whenever it is used; a value that got past this is as good as none.
    static func problem(ofSetting name: String, value: String) -> String? {
        switch name {
        case AccountSettings.captureTimeName:
            return AccountSettings.minute(of: value) == nil ? "must be HH:MM in Taipei, for example 23:00" : nil
        case AccountSettings.allowedAddressesName:
            return self.problem(ofList: value, "must be addresses and CIDR ranges, separated by commas") {
                IPNetwork($0) != nil
            }
        case AccountSettings.currenciesName:
            let codes = WireCurrency.allCases.map(\.rawValue)
            return self.problem(
                ofList: value, "must be currencies, separated by commas: \(codes.joined(separator: ", "))"
            ) {
                codes.contains($0)
            }
        case FrontEndSettings.iosSDKVersionMinName:
            return SDKVersion(value) == nil ? "must be a version like 2.6.0" : nil
        case AffiliateCodes.settingName:
            do throws(AffiliateCodesError) {
                _ = try AffiliateCodes(setting: value)
                return nil
            } catch {
                return error.description
            }
        default: return nil
        }
    }

    private static func problem(ofList value: String, _ words: String, _ isSound: (String) -> Bool) -> String? {
        let elements = value.split(separator: ",", omittingEmptySubsequences: false).map {
            String($0.filter { $0 != " " })
        }
        return elements.allSatisfy(isSound) ? nil : words
    }
}
