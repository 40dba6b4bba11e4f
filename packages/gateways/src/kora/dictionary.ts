import type { GatewayTexts } from '../gateway-texts.ts';

export const texts: GatewayTexts = {
  gateway: 'kora',
  call: String.raw`{"method":"POST","httpStatus":200,"latencyMs":,"unsentMs":0.,"url":"/charges/initialize","request":"{\"amount\":,\"currency\":\"NGN\",\"reference\":\"sy\",\"redirect_url\":\"https:///checkout/\",\"customer\":{\"email\":\"@\"},\"metadata\":{\"payment-id\":\"\"},\"merchant_bears_cost\":true}","answer":"{\"status\":true,\"message\":\"Charge created successfully\",\"data\":{\"reference\":\"sy\",\"checkout_url\":\"https://\"}}","retryAfterMs":null}`,
  webhook: String.raw`{"event":"charge.success","data":{"reference":"sy","currency":"NGN","amount":,"amount_expected":,"fee":,"status":"success","payment_method":"bank_transfer","payment_reference":"sy"}}`,
  session: String.raw`{"raw":{"status":true,"message":"Charge created successfully","data":{"reference":"sy","checkout_url":"https://"}},"gateway":"kora"`,
};
