import { RULE_SET_FILE_SCHEMA_PATH } from '@switchyard/merchants';
import type { Switchyard } from '../process.ts';
import { serveCheckoutReturn } from './checkout-return.ts';
import { serveGatewayWebhook } from './gateway-webhook.ts';
import { serveHealth } from './health.ts';
import { serveOpenApi } from './openapi.ts';
import type { RestRequest, RestResponse } from './plain.ts';
import { serveRuleSetSchema } from './rule-set-schema.ts';
import { serveV1 } from './v1.ts';

export type SiteHandler = (switchyard: Switchyard, request: RestRequest) => Promise<RestResponse>;

/** The handler of a path that is served straight from Node's HTTP server; null for what Next serves. */
export function findHandler(path: string): SiteHandler | null {
  if (path === '/v1/openapi.json') return serveOpenApi;
  if (path === '/v1' || path.startsWith('/v1/')) return serveV1;
  // The dashboard's page of one endpoint lies beside what gateways call; no gateway has that name.
  if (path.startsWith('/webhooks/') && !path.startsWith('/webhooks/endpoints/')) return serveGatewayWebhook;
  if (path === '/api/health') return serveHealth;
  if (path === RULE_SET_FILE_SCHEMA_PATH) return serveRuleSetSchema;
  if (path.startsWith('/checkout/') && path.endsWith('/return')) return serveCheckoutReturn;
  return null;
}
