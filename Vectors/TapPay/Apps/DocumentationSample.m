#import <UIKit/UIKit.h>  //+
#import <PassKit/PassKit.h>
@import TPDirect;  //~ #import <TPDirect/TPDirect.h>
@interface AppDelegate : UIResponder <UIApplicationDelegate>  //+
@end  //+
@implementation AppDelegate  //+
- (BOOL)application:(UIApplication *)application didFinishLaunchingWithOptions:
(NSDictionary *)launchOptions {
    // Override point for customization after application launch.
    [TPDSetup setWithAppId:12345 withAppKey:@"APP_KEY"  //~ [TPDSetup setWithAppId:"APP_ID" withAppKey:@"APP_KEY"
withServerType:TPDServer_SandBox];
    return YES;
}
@end  //+
@interface ViewController : UIViewController  //+
@end  //+
@interface ViewController () <TPDApplePayDelegate>
@property (nonatomic, strong) TPDApplePay *applePay;
@end
@interface ViewController () <TPDApplePayDelegate>
@property (nonatomic, strong) PKPaymentButton *applePayButton;
@end
@interface ViewController () <TPDApplePayDelegate>
@property (nonatomic, strong) TPDMerchant *merchant;
@end
@interface ViewController () <TPDApplePayDelegate>
@property (nonatomic, strong) TPDConsumer *consumer;
@end
@interface ViewController () <TPDApplePayDelegate>
@property (nonatomic, strong) TPDCart *cart;
@end
@implementation ViewController  //+
- (void)merchantSetting {  //+
self.merchant = [TPDMerchant new];
self.merchant.merchantName               = @"TapPay!";
self.merchant.merchantCapability         = PKMerchantCapability3DS;
self.merchant.applePayMerchantIdentifier = @"merchant.apple.pay";
self.merchant.countryCode                = @"TW";
self.merchant.currencyCode               = @"TWD";
self.merchant.supportedNetworks          = @[PKPaymentNetworkAmex,
PKPaymentNetworkMasterCard, PKPaymentNetworkVisa, PKPaymentNetworkJCB];
}  //+
- (void)consumerSetting {  //+
self.consumer = [TPDConsumer new];
self.consumer.requiredShippingAddressFields  = PKAddressFieldEmail |
PKAddressFieldName | PKAddressFieldPhone;
self.consumer.requiredBillingAddressFields   = PKAddressFieldPostalAddress;
}  //+
- (void)cartSetting {  //+
/**
  [cart addPaymentItem:(TPDPaymentItem *)]
  Add payment item to item list.
*/
self.cart = [TPDCart new];
TPDPaymentItem *book = [TPDPaymentItem paymentItemWithItemName:@"Book"
                                                    withAmount:[NSDecimalNumber
decimalNumberWithString:@"100.00"]];
[self.cart addPaymentItem:book];
self.cart.shippingType   = PKShippingTypeShipping;
}  //+
- (void)deferredCartSetting {  //+
self.cart = [TPDCart new];
self.cart.isAmountPending = YES;
self.cart.isShowTotalamount = NO;
TPDPaymentItem *initialCharge = [TPDPaymentItem paymentItemWithItemName:@"Initial Charge"
	 withAmount:[NSDecimalNumber decimalNumberWithString:@"100.00"]];
[self.cart addPaymentItem:initialCharge];
TPDPaymentItem *improvementSurcharge  = [TPDPaymentItem
pendingPaymentItemWithItemName:@"NT$5 per miles"];
[self.cart addPaymentItem:improvementSurcharge];
}  //+
/**
[TPDApplePay canMakePaymentsUsingNetworks:(NSArray<PKPaymentNetwork> *)]
  Check support cart network.
  TPDApplePay setupWthMerchant:(TPDMerchant *) withConsumer:(TPDConsumer *)
withCart:(TPDCart *) withDelegate:(id)
  Use TPDMerchant, TPDConsumer, TPDCart to initial Apple Pay Instance.
  startPayment
  Start Apple Pay Payment Sheet
*/
- (void)paymentButtonSetting {
// Check if the card can use Apple Pay.
    if ([TPDApplePay canMakePaymentsUsingNetworks:self.merchant.supportedNetworks])
{
        self.applePayButton = [PKPaymentButton
buttonWithType:PKPaymentButtonTypeBuy style:PKPaymentButtonStyleBlack];
    }else{
        self.applePayButton = [PKPaymentButton
buttonWithType:PKPaymentButtonTypeSetUp style:PKPaymentButtonStyleBlack];
    }
    [self.view addSubview:self.applePayButton];
    self.applePayButton.center = self.view.center;
    [self.applePayButton addTarget:self action:@selector(didClickButton:)
forControlEvents:UIControlEventTouchUpInside];
}
- (void)didClickButton:(PKPaymentButton *)sender {
    self.applePay = [TPDApplePay setupWthMerchant:self.merchant
withConsumer:self.consumer withCart:self.cart withDelegate:self];
    [self.applePay startPayment];
}
 - (void)tpdApplePayDidStartPayment:(TPDApplePay *)applePay {
  NSLog(@"=====================================================");
  NSLog(@"Apple Pay On Start");
  NSLog(@"===================================================== \n\n");
}
- (void)tpdApplePay:(TPDApplePay *)applePay didSuccessPayment:
(TPDTransactionResult *)result {
  NSLog(@"=====================================================");
  NSLog(@"Apple Pay Did Success ==> Amount : %@", [result.amount stringValue]);
  NSLog(@"shippingContact.name : %@ %@",
applePay.consumer.shippingContact.name.givenName,
applePay.consumer.shippingContact.name.familyName);
  NSLog(@"shippingContact.emailAddress : %@",
applePay.consumer.shippingContact.emailAddress);
  NSLog(@"shippingContact.phoneNumber : %@",
applePay.consumer.shippingContact.phoneNumber.stringValue);
  NSLog(@"===================================================== \n\n");
}
- (void)tpdApplePay:(TPDApplePay *)applePay didFailurePayment: (TPDTransactionResult
*)result {
  NSLog(@"=====================================================");
  NSLog(@"Apple Pay Did Failure ==> Message : %@, ErrorCode : %ld", result.message,
(long)result.status);
  NSLog(@"===================================================== \n\n");
}
- (void)tpdApplePayDidCancelPayment:(TPDApplePay *)applePay {
  NSLog(@"=====================================================");
  NSLog(@"Apple Pay Did Cancel");
  NSLog(@"===================================================== \n\n");
}
- (void)tpdApplePayDidFinishPayment:(TPDApplePay *)applePay {
  NSLog(@"=====================================================");
  NSLog(@"Apple Pay Did Finish");
  NSLog(@"===================================================== \n\n");
}
- (void)tpdApplePay:(TPDApplePay *)applePay didSelectShippingMethod:
(PKShippingMethod *)shippingMethod {
  NSLog(@"=====================================================");
  NSLog(@"======> didSelectShippingMethod: ");
  NSLog(@"Shipping Method.identifier : %@", shippingMethod.identifier);
  NSLog(@"Shipping Method.detail : %@", shippingMethod.detail);
   NSLog(@"===================================================== \n\n");
}
- (TPDCart *)tpdApplePay:(TPDApplePay *)applePay didSelectPaymentMethod:
(PKPaymentMethod *)paymentMethod cart:(TPDCart *)cart {
  NSLog(@"=====================================================");
  NSLog(@"======> didSelectPaymentMethod: ");
  NSLog(@"===================================================== \n\n");
  if (paymentMethod.type == PKPaymentMethodTypeDebit) {
    [self.cart addPaymentItem:[TPDPaymentItem paymentItemWithItemName:@"Discount"
                                                           withAmount:[NSDecimalNumber
decimalNumberWithString:@"-1.00"]]];
  }
  return self.cart;
}
- (BOOL)tpdApplePay:(TPDApplePay *)applePay
canAuthorizePaymentWithShippingContact:(PKContact *)shippingContact {
  NSLog(@"=====================================================");
  NSLog(@"======> canAuthorizePaymentWithShippingContact ");
  NSLog(@"shippingContact.name : %@ %@",
applePay.consumer.shippingContact.name.givenName,
applePay.consumer.shippingContact.name.familyName);
  NSLog(@"shippingContact.emailAddress : %@", shippingContact.emailAddress);
  NSLog(@"shippingContact.phoneNumber : %@",
shippingContact.phoneNumber.stringValue);
  NSLog(@"===================================================== \n\n");
  return YES;
}
- (void)tpdApplePay:(TPDApplePay *)applePay didReceivePrime:(NSString *)prime
withExpiryMillis:(long)expiryMillis withCardInfo:(TPDCardInfo *)cardInfo
withMerchantReferenceInfo:(NSDictionary *)merchantReferenceInfo {
  // 1. Send Your 'Prime' To Your Server, And Handle Payment With Result
  // ...
  NSLog(@"=====================================================");
  NSLog(@"======> didReceivePrime ");
  NSLog(@"Prime : %@", prime);
  NSLog(@"apple pay %lu", expiryMillis);
  NSLog(@"totalAmount : %@",applePay.cart.totalAmount);
  NSLog(@"Client  IP : %@",applePay.consumer.clientIP);
  NSLog(@"shippingContact.name : %@ %@",
applePay.consumer.shippingContact.name.givenName,
applePay.consumer.shippingContact.name.familyName);
  NSLog(@"shippingContact.emailAddress : %@",
applePay.consumer.shippingContact.emailAddress);
  NSLog(@"shippingContact.phoneNumber : %@",
applePay.consumer.shippingContact.phoneNumber.stringValue);
  PKPaymentMethod * paymentMethod = applePay.consumer.paymentMethod;
  NSLog(@"Type : %ld", (long)paymentMethod.type);
  NSLog(@"Network : %@", paymentMethod.network);
  NSLog(@"Display Name : %@", paymentMethod.displayName);
  NSLog(@"===================================================== \n\n");
  // 2. If Payment Success, applePay.
  BOOL paymentResult = YES;
  [applePay showPaymentResult:paymentResult];
}
@end  //+
