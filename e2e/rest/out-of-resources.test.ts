import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Harness, startHarness } from '../harness/harness.ts';
import { BOTH_MOUNTS } from '../harness/mounts.ts';

/** A full disk, no memory, no connections, a limit of the configuration, a fault of input and output. */
const STATES = ['53100', '53200', '53300', '53400', '58030'] as const;
const answerSchema = z.object({ data: z.object({ paymentId: z.string() }) });

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
  const { pool } = harness.database;
  await pool.query(`CREATE FUNCTION lack_resources() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'the server lacks something' USING ERRCODE = TG_ARGV[0]; END $$`);
});
afterAll(() => harness.close());
beforeEach(() => setState(null));

/** Has every row that is written for a payment, a webhook or an API request fail with this SQLSTATE. */
async function setState(state: string | null): Promise<void> {
  for (const table of ['payment', 'gateway_webhook']) {
    await harness.database.pool.query(`DROP TRIGGER IF EXISTS lacking ON ${table}`);
    if (state === null) continue;
    await harness.database.pool.query(
      `CREATE TRIGGER lacking BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION lack_resources('${state}')`,
    );
  }
}

const order = () => ({
  merchantOrderId: randomUUID(),
  amount: 2_500,
  currency: 'NGN',
  paymentMethod: 'CARD',
  customer: { email: 'ada@example.com' },
});

function webhook() {
  const { accounts, gatewayKeys } = harness.first;
  const body = JSON.stringify({ event: 'charge.success', data: { id: 17, status: 'success', reference: randomUUID() } });
  const signature = createHmac('sha512', gatewayKeys.paystack.secretKey ?? '')
    .update(body)
    .digest('hex');
  return { path: `/webhooks/paystack/${accounts.paystack}`, body, headers: { 'x-paystack-signature': signature } };
}

describe.each(STATES)('while the database answers %s', (state) => {
  test.each(BOTH_MOUNTS)('payments, dialects and webhooks are asked to come back, by %s', async (mount) => {
    const authorization = `Bearer ${harness.first.testKey}`;
    const headers = { authorization, 'content-type': 'application/json' };
    await setState(state);
    const { path, ...delivery } = webhook();
    const paystack = { email: 'ada@example.com', amount: 250_000, reference: randomUUID() };
    const answers = await Promise.all([
      harness.send(mount, 'POST', '/v1/payments/initiate', { headers, body: JSON.stringify(order()) }),
      harness.send(mount, 'POST', '/compat/paystack/transaction/initialize', { headers, body: JSON.stringify(paystack) }),
      harness.send(mount, 'POST', path, delivery),
    ]);
    expect(answers.map(({ status, headers: answered }) => [status, answered['retry-after']])).toEqual([
      [503, '2'],
      [503, '2'],
      [503, '2'],
    ]);

    await setState(null);
    const opened = await harness.send(mount, 'POST', '/v1/payments/initiate', { headers, body: JSON.stringify(order()) });
    expect(answerSchema.parse(opened.json).data.paymentId).toBeTruthy();
    expect((await harness.send(mount, 'POST', path, delivery)).status).toBe(200);
  });
});
