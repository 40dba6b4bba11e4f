export { type CheckoutResultView, readCheckoutResult } from './checkout-result.ts';
export { serveCheckoutReturn } from './checkout-return.ts';
export { envelope, failures } from './envelope.ts';
export { serveGatewayWebhook } from './gateway-webhook.ts';
export { serveHealth } from './health.ts';
export { describeRest, serveOpenApi } from './openapi.ts';
export { type RecordedAnswer, type RecordedExamples, recordedExamples } from './recorded-examples.ts';
export { serveRuleSetSchema } from './rule-set-schema.ts';
export { serveV1 } from './v1.ts';
