import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request as sendRequest } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Harness, startHarness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';

/*
 * Packages for Python and PHP come from registries that this project's tests do not reach: the requests that they make are in
 * sdk-requests.json, and are sent here with every header and byte of their bodies.
 */

const header = z.tuple([z.string(), z.string()]);
const requestSchema = z.object({
  call: z.string(),
  expects: z.enum(['checkout', 'transaction', 'transactions', 'totals', 'refund', 'refunds', 'method refused']),
  method: z.enum(['GET', 'POST']),
  path: z.string(),
  body: z.string().optional(),
});
type SdkRequest = z.output<typeof requestSchema>;
const packageSchema = z.object({
  name: z.string(),
  version: z.string(),
  dialect: z.enum(['paystack', 'flutterwave']),
  source: z.url(),
  headers: z.array(header),
  bodyHeaders: z.array(header),
  requests: z.array(requestSchema).min(1),
});
type SdkPackage = z.output<typeof packageSchema>;

const { packages } = z
  .object({ packages: z.array(packageSchema).min(1) })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'sdk-requests.json'), 'utf8')));

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
});
afterAll(() => harness.close());

/** Values in place of `{…}`. */
type Values = Readonly<Record<'key' | 'reference' | 'number' | 'refund', string>>;
const fill = (text: string, values: Values) =>
  text.replace(/\{(key|reference|number|refund)\}/g, (_, name: keyof Values) => values[name]);

/** Sends a request as the package does. */
async function send({ dialect, headers, bodyHeaders }: SdkPackage, { method, path, body }: SdkRequest, values: Values) {
  const { host, hostname, port } = new URL(harness.publicUrl);
  const sent = body === undefined ? null : fill(body, values);
  const length: readonly [string, string][] =
    sent === null ? [] : [['Content-Length', String(Buffer.byteLength(sent))], ...bodyHeaders];
  const filled = [['Host', host], ...headers, ...length].map(([name = '', value = '']) => [name, fill(value, values)]);
  const options = { hostname, port, method, path: `/compat/${dialect}${fill(path, values)}`, headers: filled.flat() };
  return new Promise<{ readonly status: number; readonly body: unknown }>((answered, failed) => {
    const request = sendRequest({ ...options, agent: false, setHost: false }, async (response) => {
      const text = (await response.toArray()).map(String).join('');
      answered({ status: response.statusCode ?? 0, body: JSON.parse(text) });
    });
    request.on('error', failed);
    request.end(sent ?? undefined);
  });
}

const identified = z.object({ data: z.looseObject({ id: z.int().positive() }) });

/** The least of an answer that the package returns to its caller, by what was asked for. */
function expected({ dialect }: SdkPackage, { expects }: SdkRequest, { reference }: Values): object {
  const isPaystack = dialect === 'paystack';
  const page = isPaystack ? { total: 1, page: 1, pageCount: 1 } : { page_info: { total: 1, current_page: 1, total_pages: 1 } };
  const row = isPaystack
    ? { reference, amount: 250_000, status: 'success' }
    : { tx_ref: reference, amount: 2_500, status: 'successful' };
  const refund = isPaystack ? { amount: 50_000, status: 'pending' } : { amount_refunded: 500, status: 'processing' };
  switch (expects) {
    case 'checkout':
      return { data: isPaystack ? { reference, authorization_url: expect.any(String) } : { link: expect.any(String) } };
    case 'transaction':
      return { data: row };
    case 'transactions':
      return { data: [row], meta: page };
    case 'totals':
      return { data: { total_transactions: 1, total_volume: 250_000 } };
    case 'refund':
      return { data: refund };
    case 'refunds':
      return { data: [refund], meta: page };
    case 'method refused':
      return { status: 'error', message: 'Method not allowed; use POST' };
    default:
      return expects satisfies never;
  }
}

async function pay({ merchantId }: TestMerchant, merchantOrderId: string): Promise<void> {
  const where = { merchantId, merchantOrderId };
  const payment = await harness.database.prisma.payment.findFirstOrThrow({ where, include: { attempts: true } });
  await harness.gateways.settle('paystack', payment.attempts[0]?.reference ?? '', 'success');
}

test.each(packages)('the requests of $name $version are answered', async (sdk) => {
  const merchant = await harness.merchant({ order: ['paystack'] });
  let values: Values = { key: merchant.testKey, reference: `ref-${randomUUID()}`, number: '', refund: '' };
  for (const request of sdk.requests) {
    const { status, body } = await send(sdk, request, values);
    expect(body, request.call).toMatchObject(expected(sdk, request, values));
    expect(status).toBe(request.expects === 'method refused' ? 405 : 200);
    if (request.expects === 'checkout') await pay(merchant, values.reference);
    if (request.expects === 'transaction') values = { ...values, number: String(identified.parse(body).data.id) };
    if (request.expects === 'refund') values = { ...values, refund: String(identified.parse(body).data.id) };
  }
});
