// An app as it was written against the published framework: Swift drops the noun of `withCardInfo:(TPDCardInfo *)`, so that
// the label is `with`. Compiled against the framework's header, which proves the label, and against this project's module.
import Foundation
import PassKit
import TPDirect

class Checkout: NSObject, TPDApplePayDelegate {
    // Refused unless the method is the protocol's: nothing else shows it to Objective-C.
    static let received = #selector(
        Checkout.tpdApplePay(_:didReceivePrime:withExpiryMillis:with:withMerchantReferenceInfo:))

    func tpdApplePay(
        _ applePay: TPDApplePay!, didReceivePrime prime: String!, withExpiryMillis expiryMillis: Int,
        with cardInfo: TPDCardInfo!, withMerchantReferenceInfo merchantReferenceInfo: [AnyHashable: Any]!
    ) {
        let affiliateCodes = merchantReferenceInfo["affiliateCodes"]!
        print(prime!, expiryMillis, cardInfo!, affiliateCodes)
        applePay.showPaymentResult(true)
    }

    func tpdApplePay(_ applePay: TPDApplePay!, didSuccessPayment result: TPDTransactionResult!) {
        print(result.amount.stringValue, result.message!)
    }

    func tpdApplePay(_ applePay: TPDApplePay!, didFailurePayment result: TPDTransactionResult!) {
        print(result.status, result.message!)
    }
}
