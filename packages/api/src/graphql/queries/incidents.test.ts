import { acknowledgeIncident, muteIncident } from '@switchyard/alerts/incidents';
import { newId } from '@switchyard/db';
import { setOverride } from '@switchyard/rule-sets/overrides';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Switchyard } from '../../process.ts';
import { sendGraphql } from '../../testing/served.ts';
import {
  Browser,
  createStaffWithGrants,
  createTestMerchant,
  ORIGIN,
  openTestSwitchyard,
  recordPayment,
} from '../../testing/switchyard.ts';

let switchyard: Switchyard;
let close: () => Promise<void>;
let browser: Browser;
let merchantId: string;
let accountId: string;
let staffId: string;
const incidentId = newId();
const BEGUN = new Date(Date.now() - 3_600_000);

beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  merchantId = await createTestMerchant(switchyard, 'Balogun Books');
  accountId = switchyard.resources.configuration.merchant(merchantId)?.accounts[0]?.id ?? '';
  browser = new Browser(switchyard);
  await browser.signIn(await createStaffWithGrants(switchyard, 'ada@example.com', [{ merchantId, role: 'operator' }]));
  const { prisma } = switchyard.resources.database;
  staffId = (await prisma.staffUser.findFirstOrThrow({ where: { email: 'ada@example.com' } })).id;
  const incident = { mode: 'test', kind: 'gateway_down', severity: 'critical', subject: accountId } as const;
  const facts = { of: 'gateway', gateway: 'Paystack', label: 'paystack-main', accountId, methods: [] };
  const times = { since: BEGUN, openedAt: new Date(BEGUN.getTime() + 60_000), updatedAt: BEGUN };
  await prisma.incident.create({ data: { merchantId, id: incidentId, ...incident, facts, ...times } });
  await prisma.incidentAccount.create({ data: { merchantId, incidentId, accountId, metFrom: BEGUN } });
  await record('recovered', { amount: 1_000n, status: 'SUCCESS', at: 'flutterwave' });
  await record('recovered-too', { amount: 2_000n, status: 'SUCCESS', at: 'flutterwave' });
  await record('lost', { amount: 4_000n, status: 'FAILED', at: null });
  await record('abandoned', { amount: 8_000n, status: 'FAILED', at: 'flutterwave' });
  await record('open', { amount: 16_000n, status: 'PENDING', at: 'flutterwave' });
  await recordPayment(switchyard, merchantId, 'not affected');
});
afterAll(() => close());

/** A payment whose checkout the account failed to open; another gateway opened one where it is named. */
async function record(
  order: string,
  {
    amount,
    status,
    at,
  }: { readonly amount: bigint; readonly status: 'SUCCESS' | 'FAILED' | 'PENDING'; readonly at: string | null },
): Promise<void> {
  const { prisma } = switchyard.resources.database;
  const paymentId = await recordPayment(switchyard, merchantId, order);
  const attempt = (position: number) => {
    const id = newId();
    return { merchantId, id, paymentId, position, reference: id, createdAt: new Date(), updatedAt: new Date() };
  };
  const fault = { failureClass: 'provider_fault', failureCode: 'timeout', failureMessage: 'No answer in time.' };
  await prisma.attempt.create({ data: { ...attempt(0), accountId, gateway: 'paystack', state: 'UNKNOWN', ...fault } });
  const next = { ...attempt(1), accountId: newId(), gateway: at ?? '', state: 'OPENED' } as const;
  if (at !== null) await prisma.attempt.create({ data: next });
  await prisma.payment.update({
    where: { merchantId_id: { merchantId, id: paymentId } },
    data: {
      amount,
      status,
      currentAttemptId: at === null ? null : next.id,
      paidAttemptId: status === 'SUCCESS' ? next.id : null,
      paidAt: status === 'SUCCESS' ? new Date() : null,
    },
  });
}

async function ask(query: string, variables: Record<string, unknown> = {}) {
  const headers = browser.headers({ 'content-type': 'application/json' });
  const request = new Request(`${ORIGIN}/api/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
  const answer = await (await sendGraphql(switchyard, request)).json();
  expect(answer.errors).toBeUndefined();
  return answer.data;
}

const IMPACT = `query ($id: ID!) { incident(id: $id) {
  impact { currency met { payments amount } outcomes { outcome sum { payments amount } }
    recoveredBy { gateway sum { payments amount } } lostInCheckout { payments amount } lostWithoutFallbacks { payments amount } } } }`;

/** The impact counted by a statement of its own, as GraphQL writes it. */
async function countByHand(condition: string) {
  const { rows } = await switchyard.resources.database.pool.query<{ payments: number; amount: number }>(
    `SELECT count(*)::int AS payments, coalesce(sum(amount), 0)::float8 AS amount FROM payment
     WHERE merchant_id = $1 AND id IN (SELECT payment_id FROM attempt WHERE account_id = $2 AND failure_class = 'provider_fault')
       AND ${condition}`,
    [merchantId, accountId],
  );
  return rows[0];
}

async function listedWith(outcome: string): Promise<string[]> {
  const { payments } = await ask(
    `query ($filter: PaymentFilter!) { payments(filter: $filter, first: 50, order: OLDEST_FIRST) {
      edges { node { merchantOrderId } } } }`,
    { filter: { mode: 'test', affectedByIncident: [incidentId], incidentOutcomes: [outcome] } },
  );
  return payments.edges.map(({ node }: { readonly node: { readonly merchantOrderId: string } }) => node.merchantOrderId);
}

test('the impact of an incident has the numbers of statements written by hand', async () => {
  const { incident } = await ask(IMPACT, { id: incidentId });
  const nothing = await countByHand('false');
  expect(incident.impact).toEqual([
    {
      currency: 'NGN',
      met: await countByHand('true'),
      outcomes: [
        { outcome: 'RECOVERED', sum: await countByHand(`status = 'SUCCESS'`) },
        { outcome: 'SAME_ACCOUNT', sum: nothing },
        { outcome: 'RETRIED', sum: nothing },
        { outcome: 'OPEN', sum: await countByHand(`status = 'PENDING'`) },
        { outcome: 'LOST', sum: await countByHand(`status = 'FAILED'`) },
      ],
      recoveredBy: [{ gateway: 'flutterwave', sum: await countByHand(`status = 'SUCCESS' AND account_gateway = 'flutterwave'`) }],
      lostInCheckout: await countByHand(`status = 'FAILED' AND account_id IS NOT NULL`),
      lostWithoutFallbacks: await countByHand(`status IN ('FAILED', 'SUCCESS')`),
    },
  ]);
  expect(incident.impact[0].met).toEqual({ payments: 5, amount: 31_000 });
});

test.each([
  ['RECOVERED', ['recovered', 'recovered-too']],
  ['SAME_ACCOUNT', []],
  ['OPEN', ['open']],
  ['LOST', ['lost', 'abandoned']],
  ['LOST_IN_CHECKOUT', ['abandoned']],
])('payments of an incident are listed by what became of them: %s', async (outcome, orders) => {
  expect(await listedWith(outcome)).toEqual(orders);
});

test('incidents are those that lasted in a period, each with its accounts', async () => {
  const query = `query ($filter: IncidentFilter!) { incidents(filter: $filter) {
    id kind severity startedAt closedAt merged accounts { merchantId account { id } metFrom metUntil } } }`;
  const within = (from: Date, to: Date) => ({ filter: { mode: 'test', from: from.toISOString(), to: to.toISOString() } });
  const { incidents } = await ask(query, within(BEGUN, new Date()));
  expect(incidents).toEqual([
    {
      id: incidentId,
      kind: 'GATEWAY_DOWN',
      severity: 'CRITICAL',
      startedAt: BEGUN.toISOString(),
      closedAt: null,
      merged: false,
      accounts: [{ merchantId, account: { id: accountId }, metFrom: BEGUN.toISOString(), metUntil: null }],
    },
  ]);
  expect(await ask(query, within(new Date(0), new Date(BEGUN.getTime() - 1)))).toEqual({ incidents: [] });
});

test('an incident has its story: the first fault, and what people did about it, with their names', async () => {
  const actor = `staff:${staffId}`;
  const own = { merchantId, incidentId, actor };
  await acknowledgeIncident(switchyard, own);
  await muteIncident(switchyard, { ...own, hours: 4 });
  await muteIncident(switchyard, { ...own, hours: 0 });
  const drain = { merchantId, accountId, method: null, action: 'drain', reason: 'Gateway outage', actor } as const;
  await setOverride(switchyard, { ...drain, startsAt: null, expiresAt: null });
  const { incident } = await ask('query ($id: ID!) { incident(id: $id) { story { at type accountId method by details } } }', {
    id: incidentId,
  });
  const story: readonly { readonly at: string; readonly type: string }[] = incident.story;
  expect(story.map(({ at }) => at)).toEqual(story.map(({ at }) => at).toSorted());
  expect(story.map(({ at: _, ...event }) => event).toSorted((left, right) => (left.type < right.type ? -1 : 1))).toEqual([
    { type: 'ACKNOWLEDGED', accountId: null, method: null, by: 'Ada Obi', details: {} },
    {
      type: 'FIRST_SIGN',
      accountId,
      method: null,
      by: null,
      details: { paymentId: expect.any(String), code: 'timeout', message: 'No answer in time.' },
    },
    { type: 'MUTED', accountId: null, method: null, by: 'Ada Obi', details: { until: expect.any(String) } },
    { type: 'OPENED', accountId: null, method: null, by: null, details: {} },
    {
      type: 'OVERRIDE_SET',
      accountId,
      method: null,
      by: 'Ada Obi',
      details: {
        action: 'drain',
        reason: 'Gateway outage',
        isExpired: false,
        isPutBack: false,
        isOfGateway: false,
        expiresAt: null,
      },
    },
    { type: 'UNMUTED', accountId: null, method: null, by: 'Ada Obi', details: {} },
  ]);
});
