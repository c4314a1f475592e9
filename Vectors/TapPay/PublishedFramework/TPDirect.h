// What TapPay's document prints of TPDirect.framework's header, between what it takes to compile it.
#import <PassKit/PassKit.h> //+
@class TPDTransactionResult; //+
@interface TPDCart : NSObject //+
@end //+
@interface TPDCardInfo : NSObject //+
@end //+
@interface TPDApplePay : NSObject //+
- (void)showPaymentResult:(BOOL)result; //+
@end //+
@protocol TPDApplePayDelegate <NSObject>
@required
// Send To The Delegate After Receive Prime and prime expiry millis.
- (void)tpdApplePay:(TPDApplePay *)applePay didReceivePrime:(NSString *)prime
withExpiryMillis:(long)expiryMillis withCardInfo:(TPDCardInfo *)cardInfo
withMerchantReferenceInfo:(NSDictionary *)merchantReferenceInfo;
// Send To The Delegate After Apple Pay Payment Processing Succeeds.
- (void)tpdApplePay:(TPDApplePay *)applePay didSuccessPayment:
(TPDTransactionResult *)result;
// Send To The Delegate After Apple Pay Payment Processing Fails.
- (void)tpdApplePay:(TPDApplePay *)applePay didFailurePayment: (TPDTransactionResult
*)result;
@optional
// Send To The Delegate After Apple Pay Payment's Form Is Shown.
- (void)tpdApplePayDidStartPayment:(TPDApplePay *)applePay;
// Send To The Delegate After User Selects A Payment Method.
// You Can Change The PaymentItem Or Discount Here.
- (TPDCart *)tpdApplePay:(TPDApplePay *)applePay didSelectPaymentMethod:
(PKPaymentMethod *)paymentMethod cart:(TPDCart *)cart;
// Send To The Delegate After User Selects A Shipping Method.
// Set shippingMethods ==> TPDMerchant.shippingMethods.
- (void)tpdApplePay:(TPDApplePay *)applePay didSelectShippingMethod:
(PKShippingMethod *)shippingMethod;
// Send To The Delegate After User Authorizes The Payment.
// You Can Check Shipping Contact Here, Return YES If Authorized.
- (BOOL)tpdApplePay:(TPDApplePay *)applePay
canAuthorizePaymentWithShippingContact:(PKContact *)shippingContact;
// Send To The Delegate After User Cancels The Payment.
- (void)tpdApplePayDidCancelPayment:(TPDApplePay *)applePay;
// Send To The Delegate After Apple Pay Payment's Form Disappeared.
- (void)tpdApplePayDidFinishPayment:(TPDApplePay *)applePay;
@end
 @interface TPDTransactionResult : NSObject
  // message, Report Message.
  @property (nonatomic, strong) NSString *message;
  // status, Result Code, '0' Means Success.
  @property (nonatomic, assign) NSInteger status;
  // amount
  @property (nonatomic, strong) NSDecimalNumber *amount;
  // paymentMehod
  @property (nonatomic, strong) PKPaymentMethod *paymentMethod;
  @end
