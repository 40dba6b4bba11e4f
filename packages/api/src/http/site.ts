import { RULE_SET_FILE_SCHEMA_PATH } from '@switchyard/rule-sets/files';
import { serveCompat } from '../compat/serve-compat.ts';
import { serveCheckoutReturn } from '../rest/checkout-return.ts';
import { serveGatewayWebhook } from '../rest/gateway-webhook.ts';
import { serveHealth } from '../rest/health.ts';
import { serveOpenApi } from '../rest/openapi.ts';
import { serveRuleSetSchema } from '../rest/rule-set-schema.ts';
import { serveV1 } from '../rest/v1.ts';
import type { PlainHandler } from './plain.ts';

/** The handler of a path served from Node's HTTP server; null for paths of Next. */
export function findHandler(path: string): PlainHandler | null {
  if (path === '/v1/openapi.json') return serveOpenApi;
  if (path === '/v1' || path.startsWith('/v1/')) return serveV1;
  // The dashboard's page of one endpoint shares the prefix of gateway webhooks; no gateway has that name.
  if (path.startsWith('/webhooks/') && !path.startsWith('/webhooks/endpoints/')) return serveGatewayWebhook;
  if (path.startsWith('/compat/')) return serveCompat;
  if (path === '/api/health') return serveHealth;
  if (path === RULE_SET_FILE_SCHEMA_PATH) return serveRuleSetSchema;
  if (path.startsWith('/checkout/') && path.endsWith('/return')) return serveCheckoutReturn;
  return null;
}
