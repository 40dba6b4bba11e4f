import { returnAddress } from '@switchyard/compat';
import { pingDatabase } from '@switchyard/db';
import { returnFromCheckout } from '@switchyard/payments/checkout-return';
import { RULE_SET_FILE_SCHEMA_PATH, ruleSetFileJsonSchema } from '@switchyard/rule-sets/files';
import type { PlainRequest, PlainResponse } from '../http/plain.ts';
import type { Switchyard } from '../process.ts';

const PATH = /^\/checkout\/([^/]+)\/([^/]+)\/return$/;

/**
 * `GET /checkout/{paymentId}/{accountId}/return`: the customer's browser returns. Redirects it (303) to the merchant, whether or
 * not the payment could be verified; 404 for a URL we never issued.
 */
export async function serveCheckoutReturn(switchyard: Switchyard, request: PlainRequest): Promise<PlainResponse> {
  const [, paymentId, accountId] = PATH.exec(request.path) ?? [];
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
