import { returnAddress } from '@switchyard/compat';
import { isUnavailable, pingDatabase } from '@switchyard/db';
import { returnFromCheckout } from '@switchyard/payments/checkout-return';
import { receiveGatewayWebhook } from '@switchyard/payments/gateway-webhooks';
import { RULE_SET_FILE_SCHEMA_PATH, ruleSetFileJsonSchema } from '@switchyard/rule-sets/files';
import type { PlainRequest, PlainResponse } from '../http/plain.ts';
import type { Switchyard } from '../process.ts';

const WEBHOOK_PATH = /^\/webhooks\/([a-z0-9-]{1,40})\/([^/]{1,64})$/;

/**
 * `POST /webhooks/{gateway}/{accountId}`: receives gateway webhooks. 200 once the webhook is stored, 400 when its event is too old,
 * 401 for an invalid signature, 404 for an address we never issued, 503 when the gateway must retry.
 */
export async function serveGatewayWebhook(switchyard: Switchyard, request: PlainRequest): Promise<PlainResponse> {
  const [, gateway, accountId] = WEBHOOK_PATH.exec(request.path) ?? [];
  if (gateway === undefined || accountId === undefined) return answer(404, 'Not found');
  if (request.method !== 'POST') return answer(405, 'Method not allowed', { allow: 'POST' });
  if (request.body.kind === 'too_large') return answer(413, 'Too large');
  const delivery = { headers: request.headers, body: request.body.bytes };
  try {
    await switchyard.resources.configuration.ready();
    const receipt = await receiveGatewayWebhook(switchyard.payments, { gateway, accountId, delivery });
    switch (receipt.kind) {
      case 'accepted':
        return answer(200, 'OK');
      case 'refused':
        return answer(401, 'Signature refused');
      case 'stale':
        return answer(400, 'Too old');
      case 'unknown_account':
        return answer(404, 'Not found');
      case 'unreadable_account':
        return TRY_AGAIN;
      default:
        return receipt satisfies never;
    }
  } catch (error) {
    switchyard.log.error({ gateway, accountId, error }, 'a webhook could not be stored');
    return isUnavailable(error) ? TRY_AGAIN : answer(500, 'Internal error');
  }
}

const TRY_AGAIN = answer(503, 'Try again', { 'retry-after': '2' });

function answer(status: number, message: string, headers: Record<string, string> = {}): PlainResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body: JSON.stringify({ message }),
  };
}

const RETURN_PATH = /^\/checkout\/([^/]+)\/([^/]+)\/return$/;

/**
 * `GET /checkout/{paymentId}/{accountId}/return`: the customer's browser returns. Redirects it (303) to the merchant, whether or
 * not the payment could be verified; 404 for a URL we never issued.
 */
export async function serveCheckoutReturn(switchyard: Switchyard, request: PlainRequest): Promise<PlainResponse> {
  const [, paymentId, accountId] = RETURN_PATH.exec(request.path) ?? [];
  if (paymentId === undefined || accountId === undefined) return page(404, 'This payment is not known here.');
  if (request.method !== 'GET' && request.method !== 'POST') return page(405, 'Method not allowed.');
  try {
    await switchyard.resources.configuration.ready();
    const query = new URLSearchParams(request.query);
    const returned = await returnFromCheckout(switchyard.payments, { paymentId, accountId, query });
    if (returned === undefined) return page(404, 'This payment is not known here.');
    const location = await returnAddress(switchyard.resources.database, returned);
    return {
      status: 303,
      headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
      body: '',
    };
  } catch (error) {
    switchyard.log.error({ paymentId, error }, 'a customer could not be redirected');
    return page(503, 'We cannot look up this payment just now. Your payment is safe; please reload this page in a moment.');
  }
}

function page(status: number, text: string): PlainResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }, body: text };
}

/** `GET /api/health`: 200 while the database responds and configuration is loaded, 503 otherwise. */
export async function serveHealth(switchyard: Switchyard, request: PlainRequest): Promise<PlainResponse> {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return { status: 405, headers: { ...headers, allow: 'GET, HEAD' }, body: '' };
  try {
    await switchyard.resources.configuration.ready();
    await pingDatabase(switchyard.resources.database);
    return { status: 200, headers, body: JSON.stringify({ status: 'ok' }) };
  } catch {
    return { status: 503, headers: { ...headers, 'retry-after': '2' }, body: JSON.stringify({ status: 'database_away' }) };
  }
}

/** `GET /schemas/rule-set-1.json`: the JSON Schema of exported rules, for editors and for a merchant's own checks. */
export async function serveRuleSetSchema({ resources }: Switchyard, request: PlainRequest): Promise<PlainResponse> {
  const headers = { 'content-type': 'application/schema+json; charset=utf-8', 'cache-control': 'public, max-age=300' };
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { status: 405, headers: { ...headers, allow: 'GET, HEAD', 'cache-control': 'no-store' }, body: '' };
  }
  const schema = ruleSetFileJsonSchema(`${resources.publicUrl}${RULE_SET_FILE_SCHEMA_PATH}`);
  return { status: 200, headers, body: JSON.stringify(schema, null, 2) };
}
