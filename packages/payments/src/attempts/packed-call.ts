import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { JsonWritable } from '@switchyard/db';

/*
 * The recorded call of an attempt is a kilobyte of JSON, of which nearly everything stands in each: names of fields, and the payment's id
 * and address again and again. Packed it takes about a sixth. PostgreSQL compresses rows of more than 2 kB only, and each for itself.
 */

/**
 * Calls as the connectors record them, without what differs. A call that was packed with it can be read with the same text only: it must
 * never change. Another one gets a number of its own. What is most frequent comes last.
 */
const DICTIONARY_1 = [
  String.raw`{"method":"POST","httpStatus":200,"latencyMs":,"unsentMs":0.,"url":"/paymentgateway/api/v1/paybill","request":"{\"merchantCode\":\"\",\"payableCode\":\"\",\"amount\":,\"redirectUrl\":\"https:///checkout/\",\"customerId\":\"\",\"currencyCode\":\"566\",\"customerEmail\":\"@\",\"transactionReference\":\"sy\"}","answer":"{\"id\":,\"merchantCode\":\"\",\"payableCode\":\"\",\"amount\":,\"code\":\"200\",\"redirectUrl\":\"https://\",\"customerId\":\"\",\"reference\":\"sy\",\"customerEmail\":\"@\",\"currencyCode\":\"566\",\"paymentUrl\":\"https://\"}","retryAfterMs":null}`,
  String.raw`{"method":"POST","httpStatus":200,"latencyMs":,"unsentMs":0.,"url":"/transaction/initiate","request":"{\"email\":\"@\",\"amount\":,\"currency\":\"NGN\",\"initiate_type\":\"inline\",\"transaction_ref\":\"sy\",\"callback_url\":\"https:///checkout/\",\"metadata\":{\"payment_id\":\"\"},\"pass_charge\":false}","answer":"{\"status\":200,\"message\":\"success\",\"data\":{\"auth_url\":null,\"access_token\":null,\"merchant_info\":{\"merchant_response\":null,\"merchant_name\":null,\"merchant_logo\":null,\"merchant_id\":\"\"},\"currency\":\"NGN\",\"recurring\":{\"frequency\":null,\"duration\":null,\"type\":0,\"plan_code\":null,\"customer_name\":null},\"is_recurring\":false,\"plan_code\":null,\"callback_url\":\"https://\",\"transaction_ref\":\"sy\",\"transaction_memo\":null,\"transaction_amount\":,\"authorized_channels\":[\"card\",\"ussd\",\"bank\"],\"checkout_url\":\"https://\"}}","retryAfterMs":null}`,
  String.raw`{"method":"POST","httpStatus":200,"latencyMs":,"unsentMs":0.,"url":"/charges/initialize","request":"{\"amount\":,\"currency\":\"NGN\",\"reference\":\"sy\",\"redirect_url\":\"https:///checkout/\",\"customer\":{\"email\":\"@\"},\"metadata\":{\"payment-id\":\"\"},\"merchant_bears_cost\":true}","answer":"{\"status\":true,\"message\":\"Charge created successfully\",\"data\":{\"reference\":\"sy\",\"checkout_url\":\"https://\"}}","retryAfterMs":null}`,
  String.raw`{"method":"POST","httpStatus":200,"latencyMs":,"unsentMs":0.,"url":"https://api.monnify.com/api/v1/merchant/transactions/init-transaction","request":"{\"amount\":,\"currencyCode\":\"NGN\",\"customerName\":\"\",\"customerEmail\":\"@\",\"paymentReference\":\"sy\",\"paymentDescription\":\"Payment \",\"contractCode\":\"[redacted]\",\"redirectUrl\":\"https:///checkout/\",\"metaData\":{\"payment_id\":\"\"}}","answer":"{\"requestSuccessful\":true,\"responseMessage\":\"success\",\"responseCode\":\"0\",\"responseBody\":{\"transactionReference\":\"MNFY|\",\"paymentReference\":\"sy\",\"merchantName\":\"\",\"apiKey\":\"[redacted]\",\"redirectUrl\":\"https://\",\"enabledPaymentMethod\":[\"ACCOUNT_TRANSFER\",\"CARD\"],\"checkoutUrl\":\"https://\",\"incomeSplitConfig\":[],\"metaData\":{}}}","retryAfterMs":null}`,
  String.raw`{"method":"POST","httpStatus":200,"latencyMs":,"unsentMs":0.,"url":"https://api.flutterwave.com/v3/payments","request":"{\"tx_ref\":\"sy\",\"amount\":,\"currency\":\"NGN\",\"redirect_url\":\"https:///checkout/\",\"customer\":{\"email\":\"@example.com\",\"phonenumber\":\"+234\"},\"session_duration\":60,\"meta\":{\"payment_id\":\"\"}}","answer":"{\"status\":\"success\",\"message\":\"Hosted Link\",\"data\":{\"link\":\"https://checkout.flutterwave.com/v3/hosted/pay/\"}}","retryAfterMs":null}`,
  String.raw`{"method":"POST","httpStatus":200,"latencyMs":,"unsentMs":0.,"url":"https://api.paystack.co/transaction/initialize","request":"{\"email\":\"@example.com\",\"amount\":\"00\",\"currency\":\"NGN\",\"reference\":\"sy00\",\"callback_url\":\"https:///checkout//return\",\"channels\":[\"card\"],\"metadata\":{\"payment_id\":\"\",\"cancel_action\":\"https:///checkout//return?reference=sy00&status=cancelled\",\"custom_fields\":[{\"display_name\":\"Payment\",\"variable_name\":\"payment_id\",\"value\":\"\"}]}}","answer":"{\"status\":true,\"message\":\"Authorization URL created\",\"data\":{\"authorization_url\":\"https://checkout.paystack.com/\",\"access_code\":\"\",\"reference\":\"sy00\"}}","retryAfterMs":null}`,
].join('\n');

const DICTIONARIES = new Map([[1, Buffer.from(DICTIONARY_1)]]);
const NEWEST = 1;
/**
 * Of the lowest effort: higher ones save one byte in ten and take twice the time. A window of 8 kB holds dictionary and call; zlib's defaults
 * would take 268 kB of new memory for each call, which costs more than packing it.
 */
const EFFORT = { level: 1, windowBits: 13, memLevel: 4 };

/** Packs a recorded call: the number of the dictionary in one byte, then raw DEFLATE (RFC 1951). */
export function packCall(call: JsonWritable): Buffer {
  const dictionary = DICTIONARIES.get(NEWEST);
  return Buffer.concat([Buffer.of(NEWEST), deflateRawSync(JSON.stringify(call), { ...EFFORT, dictionary })]);
}

/** Unpacks a call that {@link packCall} has packed. Throws for anything else. */
export function unpackCall(packed: Uint8Array): unknown {
  const dictionary = DICTIONARIES.get(packed[0] ?? 0);
  if (dictionary === undefined)
    throw new Error(`a recorded call is packed with dictionary ${packed[0]}, which is not known here`);
  return JSON.parse(inflateRawSync(packed.subarray(1), { dictionary }).toString('utf8'));
}

/** The recorded call of an attempt, null without one. Rows of 0.1.0 have it as JSON. */
export function readCall({ call, packedCall }: { readonly call: unknown; readonly packedCall: Uint8Array | null }): unknown {
  return packedCall === null ? call : unpackCall(packedCall);
}
