/** Texts as one gateway has them, without what differs from payment to payment: what they have in common is not stored with each. */
interface GatewayTexts {
  /** Its name. */
  readonly gateway: string;
  /** A recorded call that opened a checkout, secrets redacted. */
  readonly call: string;
  /** The body of a webhook about a payment that was paid, as it is stored. */
  readonly webhook: string;
  /** The beginning of the documented `session`, or all of it. */
  readonly session: string;
}

const interswitch: GatewayTexts = {
  gateway: 'interswitch',
  call: String.raw`{"method":"POST","httpStatus":200,"latencyMs":,"unsentMs":0.,"url":"/paymentgateway/api/v1/paybill","request":"{\"merchantCode\":\"\",\"payableCode\":\"\",\"amount\":,\"redirectUrl\":\"https:///checkout/\",\"customerId\":\"\",\"currencyCode\":\"566\",\"customerEmail\":\"@\",\"transactionReference\":\"sy\"}","answer":"{\"id\":,\"merchantCode\":\"\",\"payableCode\":\"\",\"amount\":,\"code\":\"200\",\"redirectUrl\":\"https://\",\"customerId\":\"\",\"reference\":\"sy\",\"customerEmail\":\"@\",\"currencyCode\":\"566\",\"paymentUrl\":\"https://\"}","retryAfterMs":null}`,
  webhook: String.raw`{"event":"TRANSACTION.COMPLETED","uuid":"","timestamp":,"data":{"amount":,"merchantReference":"sy","paymentReference":"UBA|API|","retrievalReferenceNumber":"","currencyCode":"566","responseCode":"00","responseDescription":"Approved by Financial Institution","channel":"CARD","customerEmail":"@","cardNumber":"[redacted]"}}`,
  session: String.raw`{"raw":{"id":,"merchantCode":"","payableCode":"","amount":,"code":"200","redirectUrl":"https://","customerId":"","reference":"sy","customerEmail":"","currencyCode":"566","paymentUrl":"https://"},"gateway":"interswitch"`,
};

const squad: GatewayTexts = {
  gateway: 'squad',
  call: String.raw`{"method":"POST","httpStatus":200,"latencyMs":,"unsentMs":0.,"url":"/transaction/initiate","request":"{\"email\":\"@\",\"amount\":,\"currency\":\"NGN\",\"initiate_type\":\"inline\",\"transaction_ref\":\"sy\",\"callback_url\":\"https:///checkout/\",\"metadata\":{\"payment_id\":\"\"},\"pass_charge\":false}","answer":"{\"status\":200,\"message\":\"success\",\"data\":{\"auth_url\":null,\"access_token\":null,\"merchant_info\":{\"merchant_response\":null,\"merchant_name\":null,\"merchant_logo\":null,\"merchant_id\":\"\"},\"currency\":\"NGN\",\"recurring\":{\"frequency\":null,\"duration\":null,\"type\":0,\"plan_code\":null,\"customer_name\":null},\"is_recurring\":false,\"plan_code\":null,\"callback_url\":\"https://\",\"transaction_ref\":\"sy\",\"transaction_memo\":null,\"transaction_amount\":,\"authorized_channels\":[\"card\",\"ussd\",\"bank\"],\"checkout_url\":\"https://\"}}","retryAfterMs":null}`,
  webhook: String.raw`{"Event":"charge_successful","TransactionRef":"sy","Body":{"amount":,"transaction_ref":"sy","gateway_ref":"sy","transaction_status":"success","email":"@","merchant_id":"","currency":"NGN","transaction_type":"Card","merchant_amount":,"created_at":"","customer_mobile":null,"meta":{},"payment_information":{"payment_type":"card","pan":"[redacted]","recurring_id":null,"card_type":"visa","token_id":"[redacted]"}}}`,
  session: String.raw`{"raw":{"status":200,"message":"success","data":{"auth_url":null,"access_token":null,"merchant_info":{"merchant_response":null,"merchant_name":null,"merchant_logo":null,"merchant_id":""},"currency":"NGN","recurring":{"frequency":null,"duration":null,"type":0,"plan_code":null,"customer_name":null},"is_recurring":false,"plan_code":null,"callback_url":"https://","transaction_ref":"sy","transaction_memo":null,"transaction_amount":,"authorized_channels":["card","ussd","bank"],"checkout_url":"https://"}},"gateway":"squad"`,
};

const kora: GatewayTexts = {
  gateway: 'kora',
  call: String.raw`{"method":"POST","httpStatus":200,"latencyMs":,"unsentMs":0.,"url":"/charges/initialize","request":"{\"amount\":,\"currency\":\"NGN\",\"reference\":\"sy\",\"redirect_url\":\"https:///checkout/\",\"customer\":{\"email\":\"@\"},\"metadata\":{\"payment-id\":\"\"},\"merchant_bears_cost\":true}","answer":"{\"status\":true,\"message\":\"Charge created successfully\",\"data\":{\"reference\":\"sy\",\"checkout_url\":\"https://\"}}","retryAfterMs":null}`,
  webhook: String.raw`{"event":"charge.success","data":{"reference":"sy","currency":"NGN","amount":,"amount_expected":,"fee":,"status":"success","payment_method":"bank_transfer","payment_reference":"sy"}}`,
  session: String.raw`{"raw":{"status":true,"message":"Charge created successfully","data":{"reference":"sy","checkout_url":"https://"}},"gateway":"kora"`,
};

const monnify: GatewayTexts = {
  gateway: 'monnify',
  call: String.raw`{"method":"POST","httpStatus":200,"latencyMs":,"unsentMs":0.,"url":"https://api.monnify.com/api/v1/merchant/transactions/init-transaction","request":"{\"amount\":,\"currencyCode\":\"NGN\",\"customerName\":\"\",\"customerEmail\":\"@\",\"paymentReference\":\"sy\",\"paymentDescription\":\"Payment \",\"contractCode\":\"[redacted]\",\"redirectUrl\":\"https:///checkout/\",\"metaData\":{\"payment_id\":\"\"}}","answer":"{\"requestSuccessful\":true,\"responseMessage\":\"success\",\"responseCode\":\"0\",\"responseBody\":{\"transactionReference\":\"MNFY|\",\"paymentReference\":\"sy\",\"merchantName\":\"\",\"apiKey\":\"[redacted]\",\"redirectUrl\":\"https://\",\"enabledPaymentMethod\":[\"ACCOUNT_TRANSFER\",\"CARD\"],\"checkoutUrl\":\"https://\",\"incomeSplitConfig\":[],\"metaData\":{}}}","retryAfterMs":null}`,
  webhook: String.raw`{"eventType":"SUCCESSFUL_TRANSACTION","eventData":{"product":{"reference":"sy","type":"WEB_SDK"},"transactionReference":"MNFY|","paymentReference":"sy","paidOn":"","paymentDescription":"Payment ","metaData":{"payment_id":""},"paymentSourceInformation":[{"bankCode":"","amountPaid":,"accountName":"","sessionId":"","accountNumber":"[redacted]"}],"destinationAccountInformation":{"bankCode":"232","bankName":"Sterling bank","accountNumber":"[redacted]"},"amountPaid":,"totalPayable":,"cardDetails":{},"paymentMethod":"ACCOUNT_TRANSFER","currency":"NGN","settlementAmount":"","paymentStatus":"PAID","customer":{"name":"","email":"@"}}}`,
  session: String.raw`{"raw":{"requestSuccessful":true,"responseMessage":"success","responseCode":"0","responseBody":{"transactionReference":"MNFY|","paymentReference":"sy","merchantName":"","apiKey":"","redirectUrl":"https://","enabledPaymentMethod":["ACCOUNT_TRANSFER","CARD"],"checkoutUrl":"https://","incomeSplitConfig":[],"metaData":{}}},"gateway":"monnify"`,
};

const flutterwave: GatewayTexts = {
  gateway: 'flutterwave',
  call: String.raw`{"method":"POST","httpStatus":200,"latencyMs":,"unsentMs":0.,"url":"https://api.flutterwave.com/v3/payments","request":"{\"tx_ref\":\"sy\",\"amount\":,\"currency\":\"NGN\",\"redirect_url\":\"https:///checkout/\",\"customer\":{\"email\":\"@example.com\",\"phonenumber\":\"+234\"},\"session_duration\":60,\"meta\":{\"payment_id\":\"\"}}","answer":"{\"status\":\"success\",\"message\":\"Hosted Link\",\"data\":{\"link\":\"https://checkout.flutterwave.com/v3/hosted/pay/\"}}","retryAfterMs":null}`,
  webhook: String.raw`{"event":"charge.completed","data":{"id":,"tx_ref":"sy","flw_ref":"FLW-","device_fingerprint":"","amount":,"currency":"NGN","charged_amount":,"app_fee":,"merchant_fee":0,"processor_response":"Approved. Successful","auth_model":"PIN","ip":"","narration":"CARD Transaction ","status":"successful","payment_type":"card","created_at":"2026-","account_id":,"customer":{"id":,"name":"","phone_number":"+234","email":"@example.com"},"card":{"first_6digits":"[redacted]","last_4digits":"","issuer":" CREDIT","country":"NG","type":"MASTERCARD","expiry":"[redacted]"}},"meta_data":{"payment_id":""},"event.type":"CARD_TRANSACTION"}`,
  session: String.raw`{"raw":{"status":"success","message":"Hosted Link","data":{"link":"https://checkout.flutterwave.com/v3/hosted/pay/"}},"gateway":"flutterwave"`,
};

const paystack: GatewayTexts = {
  gateway: 'paystack',
  call: String.raw`{"method":"POST","httpStatus":200,"latencyMs":,"unsentMs":0.,"url":"https://api.paystack.co/transaction/initialize","request":"{\"email\":\"@example.com\",\"amount\":\"00\",\"currency\":\"NGN\",\"reference\":\"sy00\",\"callback_url\":\"https:///checkout//return\",\"channels\":[\"card\"],\"metadata\":{\"payment_id\":\"\",\"cancel_action\":\"https:///checkout//return?reference=sy00&status=cancelled\",\"custom_fields\":[{\"display_name\":\"Payment\",\"variable_name\":\"payment_id\",\"value\":\"\"}]}}","answer":"{\"status\":true,\"message\":\"Authorization URL created\",\"data\":{\"authorization_url\":\"https://checkout.paystack.com/\",\"access_code\":\"\",\"reference\":\"sy00\"}}","retryAfterMs":null}`,
  webhook: String.raw`{"event":"charge.success","data":{"id":,"domain":"test","status":"success","reference":"sy00","receipt_number":null,"amount":00,"requested_amount":00,"message":null,"gateway_response":"Approved by Financial Institution","gateway_response":"Successful","paid_at":"2026-","created_at":"2026-","channel":"card","currency":"NGN","ip_address":"","metadata":{"payment_id":"","cancel_action":"https:///checkout//return?reference=sy00&status=cancelled","custom_fields":[{"display_name":"Payment","variable_name":"payment_id","value":""}]},"log":{"start_time":,"time_spent":,"attempts":1,"errors":0,"success":true,"mobile":false,"input":[],"history":[{"type":"action","message":"Attempted to pay with card","time":},{"type":"success","message":"Successfully paid with card","time":}]},"fees":,"fees_split":null,"fees_breakdown":null,"authorization":{"authorization_code":"[redacted]","bin":"[redacted]","last4":"","exp_month":"[redacted]","exp_year":"[redacted]","channel":"card","card_type":"visa ","bank":"TEST BANK","country_code":"NG","brand":"visa","reusable":true,"signature":"[redacted]","account_name":null},"customer":{"id":,"first_name":null,"last_name":null,"email":"@example.com","customer_code":"CUS_","phone":null,"metadata":null,"risk_action":"default","international_format_phone":null},"plan":{},"split":{},"order_id":null,"pos_transaction_data":null,"paidAt":"2026-","createdAt":"2026-","source":{"source":"merchant_api","type":"api","identifier":null,"entry_point":"transaction_initialize"},"connect":null,"transaction_date":"2026-","plan_object":{},"subaccount":{}}}`,
  session: String.raw`{"raw":{"status":true,"message":"Authorization URL created","data":{"authorization_url":"https://checkout.paystack.com/","access_code":"","reference":"sy00"}},"gateway":"paystack","reference":"sy00","accessCode":"","redirectUrl":"https://checkout.paystack.com/","metadata":{"mode":"test","mode":"live","paymentId":"","merchantId":"","callbackUrl":"https:///checkout//return","redirectUrl":"https:///checkout/","merchantOrderId":"","referencePrefix":"","fallbackGateways":[{"name":"paystack","reason":"plan-fallback"}]}}`,
};

/**
 * Texts of the gateways for the first dictionaries, the most frequent last. What was packed with a dictionary can be read with the same only:
 * neither these texts nor their order ever change once payments are stored. A further gateway needs a dictionary of the next number.
 */
export const GATEWAY_TEXTS_1: readonly GatewayTexts[] = [interswitch, squad, kora, monnify, flutterwave, paystack];
