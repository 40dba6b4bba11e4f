import { createTextPacker, type JsonWritable } from '@switchyard/db';

/** Calls as the connectors record them. */
export const DICTIONARY_1 = [
  String.raw`{"method":"POST","httpStatus":200,"latencyMs":,"unsentMs":0.,"url":"/paymentgateway/api/v1/paybill","request":"{\"merchantCode\":\"\",\"payableCode\":\"\",\"amount\":,\"redirectUrl\":\"https:///checkout/\",\"customerId\":\"\",\"currencyCode\":\"566\",\"customerEmail\":\"@\",\"transactionReference\":\"sy\"}","answer":"{\"id\":,\"merchantCode\":\"\",\"payableCode\":\"\",\"amount\":,\"code\":\"200\",\"redirectUrl\":\"https://\",\"customerId\":\"\",\"reference\":\"sy\",\"customerEmail\":\"@\",\"currencyCode\":\"566\",\"paymentUrl\":\"https://\"}","retryAfterMs":null}`,
  String.raw`{"method":"POST","httpStatus":200,"latencyMs":,"unsentMs":0.,"url":"/transaction/initiate","request":"{\"email\":\"@\",\"amount\":,\"currency\":\"NGN\",\"initiate_type\":\"inline\",\"transaction_ref\":\"sy\",\"callback_url\":\"https:///checkout/\",\"metadata\":{\"payment_id\":\"\"},\"pass_charge\":false}","answer":"{\"status\":200,\"message\":\"success\",\"data\":{\"auth_url\":null,\"access_token\":null,\"merchant_info\":{\"merchant_response\":null,\"merchant_name\":null,\"merchant_logo\":null,\"merchant_id\":\"\"},\"currency\":\"NGN\",\"recurring\":{\"frequency\":null,\"duration\":null,\"type\":0,\"plan_code\":null,\"customer_name\":null},\"is_recurring\":false,\"plan_code\":null,\"callback_url\":\"https://\",\"transaction_ref\":\"sy\",\"transaction_memo\":null,\"transaction_amount\":,\"authorized_channels\":[\"card\",\"ussd\",\"bank\"],\"checkout_url\":\"https://\"}}","retryAfterMs":null}`,
  String.raw`{"method":"POST","httpStatus":200,"latencyMs":,"unsentMs":0.,"url":"/charges/initialize","request":"{\"amount\":,\"currency\":\"NGN\",\"reference\":\"sy\",\"redirect_url\":\"https:///checkout/\",\"customer\":{\"email\":\"@\"},\"metadata\":{\"payment-id\":\"\"},\"merchant_bears_cost\":true}","answer":"{\"status\":true,\"message\":\"Charge created successfully\",\"data\":{\"reference\":\"sy\",\"checkout_url\":\"https://\"}}","retryAfterMs":null}`,
  String.raw`{"method":"POST","httpStatus":200,"latencyMs":,"unsentMs":0.,"url":"https://api.monnify.com/api/v1/merchant/transactions/init-transaction","request":"{\"amount\":,\"currencyCode\":\"NGN\",\"customerName\":\"\",\"customerEmail\":\"@\",\"paymentReference\":\"sy\",\"paymentDescription\":\"Payment \",\"contractCode\":\"[redacted]\",\"redirectUrl\":\"https:///checkout/\",\"metaData\":{\"payment_id\":\"\"}}","answer":"{\"requestSuccessful\":true,\"responseMessage\":\"success\",\"responseCode\":\"0\",\"responseBody\":{\"transactionReference\":\"MNFY|\",\"paymentReference\":\"sy\",\"merchantName\":\"\",\"apiKey\":\"[redacted]\",\"redirectUrl\":\"https://\",\"enabledPaymentMethod\":[\"ACCOUNT_TRANSFER\",\"CARD\"],\"checkoutUrl\":\"https://\",\"incomeSplitConfig\":[],\"metaData\":{}}}","retryAfterMs":null}`,
  String.raw`{"method":"POST","httpStatus":200,"latencyMs":,"unsentMs":0.,"url":"https://api.flutterwave.com/v3/payments","request":"{\"tx_ref\":\"sy\",\"amount\":,\"currency\":\"NGN\",\"redirect_url\":\"https:///checkout/\",\"customer\":{\"email\":\"@example.com\",\"phonenumber\":\"+234\"},\"session_duration\":60,\"meta\":{\"payment_id\":\"\"}}","answer":"{\"status\":\"success\",\"message\":\"Hosted Link\",\"data\":{\"link\":\"https://checkout.flutterwave.com/v3/hosted/pay/\"}}","retryAfterMs":null}`,
  String.raw`{"method":"POST","httpStatus":200,"latencyMs":,"unsentMs":0.,"url":"https://api.paystack.co/transaction/initialize","request":"{\"email\":\"@example.com\",\"amount\":\"00\",\"currency\":\"NGN\",\"reference\":\"sy00\",\"callback_url\":\"https:///checkout//return\",\"channels\":[\"card\"],\"metadata\":{\"payment_id\":\"\",\"cancel_action\":\"https:///checkout//return?reference=sy00&status=cancelled\",\"custom_fields\":[{\"display_name\":\"Payment\",\"variable_name\":\"payment_id\",\"value\":\"\"}]}}","answer":"{\"status\":true,\"message\":\"Authorization URL created\",\"data\":{\"authorization_url\":\"https://checkout.paystack.com/\",\"access_code\":\"\",\"reference\":\"sy00\"}}","retryAfterMs":null}`,
].join('\n');

const CALLS = createTextPacker('a recorded call', [DICTIONARY_1]);

/** Packs a recorded call: a kilobyte of JSON, of which nearly everything stands in each. */
export function packCall(call: JsonWritable): Buffer {
  return CALLS.pack(JSON.stringify(call));
}

/** Unpacks a call that {@link packCall} has packed. Throws for anything else. */
export function unpackCall(packed: Uint8Array): unknown {
  return JSON.parse(CALLS.unpack(packed));
}

/** The recorded call of an attempt, null without one. Rows of 0.1.0 have it as JSON. */
export function readCall({ call, packedCall }: { readonly call: unknown; readonly packedCall: Uint8Array | null }): unknown {
  return packedCall === null ? call : unpackCall(packedCall);
}
