//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments

/// The hosts at which Apple answers merchant validation. A validation URL comes from a page, so from anybody: whoever
/// could name another host would be shown the merchant's identity, or could make the gateway ask servers of its own
/// network.
///
/// Sources: "Setting Up Your Server" (Apple Pay on the Web), which names the first two hosts of each environment; its
/// earlier editions and TapPay's integration guide, which name the single pods that older systems still hand to pages.
public enum AppleHosts {
    public static let live: Set<String> = [
        "apple-pay-gateway.apple.com",
        "cn-apple-pay-gateway.apple.com",

        "apple-pay-gateway-nc-pod1.apple.com",
        "apple-pay-gateway-nc-pod2.apple.com",
        "apple-pay-gateway-nc-pod3.apple.com",
        "apple-pay-gateway-nc-pod4.apple.com",
        "apple-pay-gateway-nc-pod5.apple.com",
        "apple-pay-gateway-pr-pod1.apple.com",
        "apple-pay-gateway-pr-pod2.apple.com",
        "apple-pay-gateway-pr-pod3.apple.com",
        "apple-pay-gateway-pr-pod4.apple.com",
        "apple-pay-gateway-pr-pod5.apple.com",
        "apple-pay-gateway-nc-pod1-dr.apple.com",
        "apple-pay-gateway-nc-pod2-dr.apple.com",
        "apple-pay-gateway-nc-pod3-dr.apple.com",
        "apple-pay-gateway-nc-pod4-dr.apple.com",
        "apple-pay-gateway-nc-pod5-dr.apple.com",
        "apple-pay-gateway-pr-pod1-dr.apple.com",
        "apple-pay-gateway-pr-pod2-dr.apple.com",
        "apple-pay-gateway-pr-pod3-dr.apple.com",
        "apple-pay-gateway-pr-pod4-dr.apple.com",
        "apple-pay-gateway-pr-pod5-dr.apple.com",

        "cn-apple-pay-gateway-sh-pod1.apple.com",
        "cn-apple-pay-gateway-sh-pod2.apple.com",
        "cn-apple-pay-gateway-sh-pod3.apple.com",
        "cn-apple-pay-gateway-tj-pod1.apple.com",
        "cn-apple-pay-gateway-tj-pod2.apple.com",
        "cn-apple-pay-gateway-tj-pod3.apple.com",
        "cn-apple-pay-gateway-sh-pod1-dr.apple.com",
        "cn-apple-pay-gateway-sh-pod2-dr.apple.com",
        "cn-apple-pay-gateway-sh-pod3-dr.apple.com",
        "cn-apple-pay-gateway-tj-pod1-dr.apple.com",
        "cn-apple-pay-gateway-tj-pod2-dr.apple.com",
        "cn-apple-pay-gateway-tj-pod3-dr.apple.com",
    ]

    public static let sandbox: Set<String> = [
        "apple-pay-gateway-cert.apple.com",
        "cn-apple-pay-gateway-cert.apple.com",
    ]

    public static func hosts(of mode: Mode) -> Set<String> {
        switch mode {
        case .live: self.live
        case .sandbox: self.sandbox
        }
    }
}
