import type { GatewayTexts } from '../gateway-texts.ts';

export const texts: GatewayTexts = {
  gateway: 'interswitch',
  call: String.raw`{"method":"POST","httpStatus":200,"latencyMs":,"unsentMs":0.,"url":"/paymentgateway/api/v1/paybill","request":"{\"merchantCode\":\"\",\"payableCode\":\"\",\"amount\":,\"redirectUrl\":\"https:///checkout/\",\"customerId\":\"\",\"currencyCode\":\"566\",\"customerEmail\":\"@\",\"transactionReference\":\"sy\"}","answer":"{\"id\":,\"merchantCode\":\"\",\"payableCode\":\"\",\"amount\":,\"code\":\"200\",\"redirectUrl\":\"https://\",\"customerId\":\"\",\"reference\":\"sy\",\"customerEmail\":\"@\",\"currencyCode\":\"566\",\"paymentUrl\":\"https://\"}","retryAfterMs":null}`,
  webhook: String.raw`{"event":"TRANSACTION.COMPLETED","uuid":"","timestamp":,"data":{"amount":,"merchantReference":"sy","paymentReference":"UBA|API|","retrievalReferenceNumber":"","currencyCode":"566","responseCode":"00","responseDescription":"Approved by Financial Institution","channel":"CARD","customerEmail":"@","cardNumber":"[redacted]"}}`,
  session: String.raw`{"raw":{"id":,"merchantCode":"","payableCode":"","amount":,"code":"200","redirectUrl":"https://","customerId":"","reference":"sy","customerEmail":"","currencyCode":"566","paymentUrl":"https://"},"gateway":"interswitch"`,
};
