import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeMonth } from '@switchyard/accounting/month-close';
import { openSwitchyard } from '@switchyard/api/process';
import { reportingListener } from '@switchyard/api/reporting';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { issueToken } from '@switchyard/staff/machine-tokens';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { seedDemo } from './seed-demo.ts';

/** The month before this one: the demo's past reaches into it on every day of a month. */
const lastMonth = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), 0)).toISOString().slice(0, 7);

let database: TestDatabase;
let folder: string;
let switchyard: ReturnType<typeof openSwitchyard>;
let token: string;
const servers: Server[] = [];

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
}

let reportsUrl: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'switchyard-month-'));
  const environment = {
    DATABASE_URL: database.url,
    SWITCHYARD_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    SWITCHYARD_KEY_PEPPER: randomBytes(32).toString('base64'),
    SWITCHYARD_AUTH_SECRET: randomBytes(32).toString('base64'),
    SWITCHYARD_PUBLIC_URL: 'http://127.0.0.1:3000',
    SWITCHYARD_SANDBOX_URL: await listen(createServer((_, response) => response.end('{"settlements":[]}'))),
    SWITCHYARD_PRIVATE_ADDRESSES: 'allow',
    SWITCHYARD_DEMO_FILE: join(folder, 'demo.json'),
    SWITCHYARD_DEMO_WEEK: '1',
  };
  await seedDemo(environment);
  switchyard = openSwitchyard(environment, { write: () => undefined });
  await switchyard.resources.configuration.refresh();
  reportsUrl = await listen(createServer(reportingListener(switchyard)));
  const { id: staffId } = await database.prisma.staffUser.findFirstOrThrow();
  const merchantIds = switchyard.resources.configuration.merchants().map(({ merchant }) => merchant.id);
  const expiresAt = new Date(Date.now() + 3_600_000);
  const issued = await issueToken(switchyard, {
    scopes: ['reports'],
    name: 'Books',
    merchantIds,
    modes: ['test'],
    staffId,
    expiresAt,
  });
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  token = issued.token;
});
afterAll(async () => {
  await switchyard.close();
  for (const server of servers) server.close();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const answerSchema = z.object({
  data: z.object({
    monthClose: z.object({
      state: z.string(),
      totals: z.array(
        z.object({
          currency: z.string(),
          opening: z.string(),
          closing: z.string(),
          figures: z.array(z.object({ kind: z.string(), count: z.int(), amount: z.string() })),
        }),
      ),
    }),
  }),
});

async function ask(merchantId: string) {
  const query = `{ monthClose(filter: { mode: test, merchantId: "${merchantId}", month: "${lastMonth}" }) {
    state totals { currency opening closing figures { kind count amount } } } }`;
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const answer = await fetch(`${reportsUrl}/api/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  return answerSchema.parse(await answer.json()).data.monthClose;
}

/** Sums of the demo by plain SQL, written apart from the product's. */
async function expected(merchantId: string): Promise<Record<string, string>> {
  const within = (moment: string) => `to_char(${moment} AT TIME ZONE 'Africa/Lagos', 'YYYY-MM') = $2`;
  const { rows } = await database.pool.query<Record<string, string>>(
    `SELECT
      (SELECT count(*) || ' ' || trim_scale(coalesce(sum(coalesce(a.received_amount, p.amount)), 0)) FROM payment p JOIN attempt a ON a.payment_id = p.id
        WHERE p.merchant_id = $1 AND a.state = 'PAID' AND NOT a.duplicate AND ${within('coalesce(p.paid_at, a.updated_at)')}) AS payment,
      (SELECT count(*) || ' ' || trim_scale(coalesce(-sum(fee_amount), 0)) FROM payment p
        WHERE merchant_id = $1 AND fee_amount <> 0 AND ${within('paid_at')}) AS fee,
      (SELECT count(*) || ' ' || trim_scale(coalesce(-sum(amount), 0)) FROM refund
        WHERE merchant_id = $1 AND state = 'SUCCEEDED' AND ${within('updated_at')}) AS refund,
      (SELECT count(*) || ' ' || trim_scale(coalesce(sum(amount), 0)) FROM duplicate_charge
        WHERE merchant_id = $1 AND ${within('created_at')}) AS duplicate`,
    [merchantId, lastMonth],
  );
  return rows[0] ?? {};
}

test('the demo has a past month to close, whose figures over GraphQL equal plain SQL to the unit before and after it is closed', async () => {
  const merchants = switchyard.resources.configuration.merchants().map(({ merchant }) => merchant.id);
  expect(merchants).toHaveLength(4);
  for (const merchantId of merchants) {
    const sums = await expected(merchantId);
    const before = await ask(merchantId);
    const [total] = before.totals;
    const figures = Object.fromEntries(total?.figures.map(({ kind, count, amount }) => [kind, `${count} ${amount}`]) ?? []);
    expect(figures).toMatchObject(sums);
    expect(figures.payment).not.toMatch(/^0 /);
    const outcome = await closeMonth(switchyard, { merchantId, mode: 'test', month: lastMonth }, 'system:test');
    expect(outcome.kind).toBe('closed');
    expect(await ask(merchantId)).toEqual({ ...before, state: 'CLOSED' });
  }
});
