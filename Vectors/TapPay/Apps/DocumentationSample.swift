import UIKit  //+
import PassKit
import TPDirect
class AppDelegate: UIResponder, UIApplicationDelegate {  //+
func application(_ application: UIApplication, didFinishLaunchingWithOptions
launchOptions: [UIApplication.LaunchOptionsKey: Any]?) -> Bool {  //~ launchOptions: [UIApplicationLaunchOptionsKey: Any]?) -> Bool {
  // Override point for customization after application launch.
  TPDSetup.setWithAppId(12345, withAppKey: "APP_KEY", with:  //~ TPDSetup.setWithAppId("APP_ID", withAppKey: "APP_KEY", with:
TPDServerType.sandBox)
  return true
}
}  //+
class ViewController: UIViewController {
    var applePay : TPDApplePay!
//- class ViewController: UIViewController {
    var applePayButton : PKPaymentButton!
//- }
//- class ViewController: UIViewController {
    var merchant : TPDMerchant!
//- }
//- class ViewController: UIViewController {
    var consumer : TPDConsumer!
//- }
//- class ViewController: UIViewController {
    var cart     : TPDCart!
//- }
    // Refused unless the method is the protocol's: nothing else shows it to Objective-C.  //+
    static let received = #selector(  //+
        ViewController.tpdApplePay(_:didReceivePrime:withExpiryMillis:withCardInfo:withMerchantReferenceInfo:))  //+
    override func viewDidLoad() {  //+
        super.viewDidLoad()  //+
        merchantSetting()  //+
        consumerSetting()  //+
        cartSetting()  //+
        paymentButtonSetting()  //+
    }  //+
    func merchantSetting() {  //+
merchant = TPDMerchant()
merchant.merchantName               = "TapPay!";
merchant.merchantCapability         = .capability3DS;
merchant.applePayMerchantIdentifier = "merchant.apple.pay";
merchant.countryCode                = "TW";
merchant.currencyCode               = "TWD";
merchant.supportedNetworks          = [.amex, .masterCard, .visa, .JCB]
    }  //+
    func consumerSetting() {  //+
consumer = TPDConsumer()
consumer.requiredShippingAddressFields  = [.email, .name, .phone]
consumer.requiredBillingAddressFields   = [.postalAddress]
    }  //+
    func cartSetting() {  //+
/**
  cart.add(TPDPaymentItem!)
  Add payment item to item list.
*/
cart = TPDCart()
let book = TPDPaymentItem(itemName:"Book",
                        withAmount: NSDecimalNumber(string: "100.00"))
cart.add(book)
cart.shippingType   = .shipping;
    }  //+
    func deferredCartSetting() {  //+
cart = TPDCart()
cart.isAmountPending = true
cart.isShowTotalAmount = false
let initialCharge = TPDPaymentItem(itemName: "Initial Charge", withAmount:
NSDecimalNumber(string: "100.00"))
cart.add(initialCharge)
let improvementSurcharge = TPDPaymentItem.pendingPaymentItem(withItemName:
"NT$5 per miles")
cart.add(improvementSurcharge)
    }  //+
/**
  TPDApplePay.canMakePayments(usingNetworks: [PKPaymentNetwork]!)
  Check support cart network.
  TPDApplePay.setupWthMerchant(TPDMerchant!, with: TPDConsumer!, with: TPDCart!,
withDelegate: Any!)
  Use TPDMerchant, TPDConsumer, TPDCart to initial Apple Pay Instance.
  startPayment
  Start Apple Pay Payment Sheet
*/
func paymentButtonSetting() {
    // Check if the card can use Apple Pay.
    if (TPDApplePay.canMakePayments(usingNetworks: self.merchant.supportedNetworks))
{
        applePayButton = PKPaymentButton.init(paymentButtonType: .buy,
paymentButtonStyle: .black)
    } else {
        applePayButton = PKPaymentButton.init(paymentButtonType: .setUp,
paymentButtonStyle: .black)
    }
    view.addSubview(applePayButton)
    applePayButton.center = view.center
    applePayButton.addTarget(self, action:
#selector(ViewController.didClickBuyButton(sender:)), for: .touchUpInside)
}
@objc func didClickBuyButton(sender:PKPaymentButton) {
    applePay = TPDApplePay.setupWthMerchant(merchant, with: consumer, with: cart,
withDelegate: self)
    applePay.startPayment()
}
}
extension ViewController :TPDApplePayDelegate {
  func tpdApplePayDidStartPayment(_ applePay: TPDApplePay!) {
    print("=====================================================")
    print("Apple Pay On Start")
    print("=====================================================\n\n")
  }
  func tpdApplePay(_ applePay: TPDApplePay!, didSuccessPayment result:
TPDTransactionResult!) {
    print("=====================================================")
    print("Apple Pay Did Success ==> Amount : \(result.amount.stringValue)")
    print("shippingContact.name : \(applePay.consumer.shippingContact?.name?.givenName) \( applePay.consumer.shippingContact?.name?.familyName)")
    print("shippingContact.emailAddress : \(applePay.consumer.shippingContact?.emailAddress)")
    print("shippingContact.phoneNumber : \(applePay.consumer.shippingContact?.phoneNumber?.stringValue)")
    print("Shipping Method.identifier : \(applePay.cart.shippingMethod.identifier)")
    print("Shipping Method.detail : \(applePay.cart.shippingMethod.detail)")
    print("=====================================================\n\n")
  }
  func tpdApplePay(_ applePay: TPDApplePay!, didFailurePayment result:
TPDTransactionResult!) {
    print("=====================================================")
    print("Apple Pay Did Failure ==> Message : \(result.message), ErrorCode : \(result.status)")
    print("=====================================================\n\n")
  }
  func tpdApplePayDidCancelPayment(_ applePay: TPDApplePay!) {
    print("=====================================================")
    print("Apple Pay Did Cancel")
    print("=====================================================\n\n")
  }
  func tpdApplePayDidFinishPayment(_ applePay: TPDApplePay!) {
    print("=====================================================")
    print("Apple Pay Did Finish")
    print("=====================================================\n\n")
  }
  func tpdApplePay(_ applePay: TPDApplePay!, didSelect shippingMethod:
PKShippingMethod!) {
    print("=====================================================")
    print("======> didSelectShippingMethod: ")
    print("Shipping Method.identifier : \(shippingMethod.identifier)")
    print("Shipping Method.detail : \(shippingMethod.detail)")
    print("=====================================================\n\n")
  }
  func tpdApplePay(_ applePay: TPDApplePay!, didSelect paymentMethod:
PKPaymentMethod!, cart: TPDCart!) -> TPDCart! {
    print("=====================================================");
    print("======> didSelectPaymentMethod: ");
     print("=====================================================\n\n");
    if paymentMethod.type == .debit {
      self.cart.add(TPDPaymentItem(itemName: "Discount", withAmount:
NSDecimalNumber(string: "-1.00")))
    }
    return self.cart;
  }
  func tpdApplePay(_ applePay: TPDApplePay!,
canAuthorizePaymentWithShippingContact shippingContact: PKContact!) -> Bool {
    print("=====================================================")
    print("======> canAuthorizePaymentWithShippingContact ")
    print("shippingContact.name : \(applePay.consumer.shippingContact?.name?.givenName) \( applePay.consumer.shippingContact?.name?.familyName)")
    print("shippingContact.emailAddress : \(shippingContact.emailAddress)")
    print("shippingContact.phoneNumber : \(shippingContact.phoneNumber?.stringValue)")
    print("=====================================================\n\n")
    return true;
  }
  func tpdApplePay(_ applePay: TPDApplePay!, didReceivePrime prime: String!, withExpiryMillis  //~ tpdApplePay(_ applePay: TPDApplePay!, didReceivePrime prime: String!, withExpiryMillis
expiryMillis: Int, withCardInfo cardInfo: TPDCardInfo, withMerchantReferenceInfo
merchantReferenceInfo: [AnyHashable : Any]!) {
    // 1. Send Your Prime To Your Server, And Handle Payment With Result
    // ...
    print("=====================================================");
    print("======> didReceivePrime");
    print("Prime : \(prime!)");
    print("Expiry Millis : \(expiryMillis)");
    print("total Amount :   \(applePay.cart.totalAmount!)")
    print("Client IP : \(applePay.consumer.clientIP!)")
    print("shippingContact.name : \(applePay.consumer.shippingContact?.name?.givenName) \(applePay.consumer.shippingContact?.name?.familyName)");
    print("shippingContact.emailAddress : \(applePay.consumer.shippingContact?.emailAddress)");
    print("shippingContact.phoneNumber : \(applePay.consumer.shippingContact?.phoneNumber?.stringValue)");
    let paymentMethod = self.consumer.paymentMethod!
    print("type : \(paymentMethod.type.rawValue)")
    print("Network : \(paymentMethod.network!.rawValue)")
    print("Display Name : \(paymentMethod.displayName!)")
    print("===================================================== \n\n");
    // 2. If Payment Success, applePay.
    let paymentResult = true;
    applePay.showPaymentResult(paymentResult)
    }
}
