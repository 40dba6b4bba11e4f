import type { GatewayTexts } from '../gateway-texts.ts';

export const texts: GatewayTexts = {
  gateway: 'flutterwave',
  call: String.raw`{"method":"POST","httpStatus":200,"latencyMs":,"unsentMs":0.,"url":"https://api.flutterwave.com/v3/payments","request":"{\"tx_ref\":\"sy\",\"amount\":,\"currency\":\"NGN\",\"redirect_url\":\"https:///checkout/\",\"customer\":{\"email\":\"@example.com\",\"phonenumber\":\"+234\"},\"session_duration\":60,\"meta\":{\"payment_id\":\"\"}}","answer":"{\"status\":\"success\",\"message\":\"Hosted Link\",\"data\":{\"link\":\"https://checkout.flutterwave.com/v3/hosted/pay/\"}}","retryAfterMs":null}`,
  webhook: String.raw`{"event":"charge.completed","data":{"id":,"tx_ref":"sy","flw_ref":"FLW-","device_fingerprint":"","amount":,"currency":"NGN","charged_amount":,"app_fee":,"merchant_fee":0,"processor_response":"Approved. Successful","auth_model":"PIN","ip":"","narration":"CARD Transaction ","status":"successful","payment_type":"card","created_at":"2026-","account_id":,"customer":{"id":,"name":"","phone_number":"+234","email":"@example.com"},"card":{"first_6digits":"[redacted]","last_4digits":"","issuer":" CREDIT","country":"NG","type":"MASTERCARD","expiry":"[redacted]"}},"meta_data":{"payment_id":""},"event.type":"CARD_TRANSACTION"}`,
  session: String.raw`{"raw":{"status":"success","message":"Hosted Link","data":{"link":"https://checkout.flutterwave.com/v3/hosted/pay/"}},"gateway":"flutterwave"`,
};
