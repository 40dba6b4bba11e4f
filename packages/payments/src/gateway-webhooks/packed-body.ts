import { createTextPacker } from '@switchyard/db';

/** Bodies of webhooks as gateways send them and we store them. */
export const DICTIONARY_1 = [
  String.raw`{"event":"TRANSACTION.COMPLETED","uuid":"","timestamp":,"data":{"amount":,"merchantReference":"sy","paymentReference":"UBA|API|","retrievalReferenceNumber":"","currencyCode":"566","responseCode":"00","responseDescription":"Approved by Financial Institution","channel":"CARD","customerEmail":"@","cardNumber":"[redacted]"}}`,
  String.raw`{"event":"charge.success","data":{"reference":"sy","currency":"NGN","amount":,"amount_expected":,"fee":,"status":"success","payment_method":"bank_transfer","payment_reference":"sy"}}`,
  String.raw`{"Event":"charge_successful","TransactionRef":"sy","Body":{"amount":,"transaction_ref":"sy","gateway_ref":"sy","transaction_status":"success","email":"@","merchant_id":"","currency":"NGN","transaction_type":"Card","merchant_amount":,"created_at":"","customer_mobile":null,"meta":{},"payment_information":{"payment_type":"card","pan":"[redacted]","recurring_id":null,"card_type":"visa","token_id":"[redacted]"}}}`,
  String.raw`{"eventType":"SUCCESSFUL_TRANSACTION","eventData":{"product":{"reference":"sy","type":"WEB_SDK"},"transactionReference":"MNFY|","paymentReference":"sy","paidOn":"","paymentDescription":"Payment ","metaData":{"payment_id":""},"paymentSourceInformation":[{"bankCode":"","amountPaid":,"accountName":"","sessionId":"","accountNumber":"[redacted]"}],"destinationAccountInformation":{"bankCode":"232","bankName":"Sterling bank","accountNumber":"[redacted]"},"amountPaid":,"totalPayable":,"cardDetails":{},"paymentMethod":"ACCOUNT_TRANSFER","currency":"NGN","settlementAmount":"","paymentStatus":"PAID","customer":{"name":"","email":"@"}}}`,
  String.raw`{"event":"charge.completed","data":{"id":,"tx_ref":"sy","flw_ref":"FLW-","device_fingerprint":"","amount":,"currency":"NGN","charged_amount":,"app_fee":,"merchant_fee":0,"processor_response":"Approved. Successful","auth_model":"PIN","ip":"","narration":"CARD Transaction ","status":"successful","payment_type":"card","created_at":"2026-","account_id":,"customer":{"id":,"name":"","phone_number":"+234","email":"@example.com"},"card":{"first_6digits":"[redacted]","last_4digits":"","issuer":" CREDIT","country":"NG","type":"MASTERCARD","expiry":"[redacted]"}},"meta_data":{"payment_id":""},"event.type":"CARD_TRANSACTION"}`,
  String.raw`{"event":"charge.success","data":{"id":,"domain":"test","status":"success","reference":"sy00","receipt_number":null,"amount":00,"requested_amount":00,"message":null,"gateway_response":"Approved by Financial Institution","gateway_response":"Successful","paid_at":"2026-","created_at":"2026-","channel":"card","currency":"NGN","ip_address":"","metadata":{"payment_id":"","cancel_action":"https:///checkout//return?reference=sy00&status=cancelled","custom_fields":[{"display_name":"Payment","variable_name":"payment_id","value":""}]},"log":{"start_time":,"time_spent":,"attempts":1,"errors":0,"success":true,"mobile":false,"input":[],"history":[{"type":"action","message":"Attempted to pay with card","time":},{"type":"success","message":"Successfully paid with card","time":}]},"fees":,"fees_split":null,"fees_breakdown":null,"authorization":{"authorization_code":"[redacted]","bin":"[redacted]","last4":"","exp_month":"[redacted]","exp_year":"[redacted]","channel":"card","card_type":"visa ","bank":"TEST BANK","country_code":"NG","brand":"visa","reusable":true,"signature":"[redacted]","account_name":null},"customer":{"id":,"first_name":null,"last_name":null,"email":"@example.com","customer_code":"CUS_","phone":null,"metadata":null,"risk_action":"default","international_format_phone":null},"plan":{},"split":{},"order_id":null,"pos_transaction_data":null,"paidAt":"2026-","createdAt":"2026-","source":{"source":"merchant_api","type":"api","identifier":null,"entry_point":"transaction_initialize"},"connect":null,"transaction_date":"2026-","plan_object":{},"subaccount":{}}}`,
].join('\n');

const BODIES = createTextPacker('a webhook body', [DICTIONARY_1]);

/** Packs the body of a gateway's webhook. */
export function packBody(body: string): Buffer {
  return BODIES.pack(body);
}

/** The body of a stored webhook, empty without one. Rows of earlier versions have it as text. */
export function readBody({ body, packedBody }: { readonly body: string; readonly packedBody: Uint8Array | null }): string {
  return packedBody === null ? body : BODIES.unpack(packedBody);
}
