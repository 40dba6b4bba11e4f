export { type CheckoutResultView, readCheckoutResult } from './checkout-result.ts';
export { serveCheckoutReturn } from './checkout-return.ts';
export { serveGatewayWebhook } from './gateway-webhook.ts';
export { serveHealth } from './health.ts';
export { serveNodeRequest } from './node-adapter.ts';
export { describeRest, serveOpenApi } from './openapi.ts';
export type { SiteHandler } from './site.ts';
export { serveV1 } from './v1.ts';
export { toWebHandler } from './web-adapter.ts';
