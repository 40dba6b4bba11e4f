import { newId } from '@switchyard/db';
import type { DisputeState } from '@switchyard/db/client';
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

beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  merchantId = await createTestMerchant(switchyard, 'Danjuma Electronics');
  const otherId = await createTestMerchant(switchyard, 'Eze Furniture');
  await recordDisputes(merchantId, [
    ['NEEDS_RESPONSE', 'NGN', '9007199254740993.01', null],
    ['NEEDS_RESPONSE', 'NGN', '0.02', '150.5'],
    ['NEEDS_RESPONSE', 'USD', '12.34', '15'],
    ['WON', 'NGN', '4000', null],
    ['EXPIRED', 'NGN', '2500.75', '1.25'],
  ]);
  await recordDisputes(otherId, [['WON', 'NGN', '77', null]]);
  browser = new Browser(switchyard);
  await browser.signIn(await createStaffWithGrants(switchyard, 'ngozi@example.com', [{ merchantId, role: 'finance' }]));
});
afterAll(() => close());

type Row = readonly [state: DisputeState, currency: string, amount: string, fee: string | null];

async function recordDisputes(owner: string, rows: readonly Row[]): Promise<void> {
  const accountId = switchyard.resources.configuration.merchant(owner)?.accounts[0]?.id ?? '';
  const paymentId = await recordPayment(switchyard, owner, 'disputed');
  const at = new Date();
  await switchyard.resources.database.prisma.dispute.createMany({
    data: rows.map(([state, currency, amount, fee], index) => ({
      merchantId: owner,
      id: newId(),
      mode: 'test',
      paymentId,
      attemptId: newId(),
      accountId,
      gateway: 'paystack',
      gatewayDisputeId: String(index),
      state,
      amount,
      currency,
      fee,
      openedAt: at,
      createdAt: at,
      updatedAt: at,
    })),
  });
}

async function ask(query: string, filter: object) {
  const headers = browser.headers({ 'content-type': 'application/json' });
  const body = JSON.stringify({ query, variables: { filter: { mode: 'test', ...filter } } });
  const request = new Request(`${ORIGIN}/api/graphql`, { method: 'POST', headers, body });
  return (await (await sendGraphql(switchyard, request)).json()).data;
}

const SUMS = 'query ($filter: DisputesFilter!) { disputeSums(filter: $filter) { state currency count amount fees } }';

test('sums of disputes are those of SQL, to the unit, and only of the merchants of the caller', async () => {
  const { disputeSums } = await ask(SUMS, {});
  const inSql = await switchyard.resources.database.prisma.$queryRaw`
    SELECT state::text, currency, count(*)::int AS count, trim_scale(sum(amount))::text AS amount,
      trim_scale(coalesce(sum(fee), 0))::text AS fees
    FROM dispute WHERE merchant_id = ${merchantId}::uuid GROUP BY state, currency`;
  expect(disputeSums).toHaveLength(4);
  expect(disputeSums).toEqual(expect.arrayContaining(inSql as object[]));
  expect(disputeSums).toContainEqual({
    state: 'NEEDS_RESPONSE',
    currency: 'NGN',
    count: 2,
    amount: '9007199254740993.03',
    fees: '150.5',
  });
});

test('sums and the list take the same filter', async () => {
  const filter = { states: ['WON', 'EXPIRED'], gateways: ['paystack'] };
  const { disputeSums } = await ask(SUMS, filter);
  const { disputes } = await ask(
    'query ($filter: DisputesFilter!) { disputes(filter: $filter, first: 10) { edges { node { state amount fee } } } }',
    filter,
  );
  const listed = disputes.edges.map(({ node }: { node: object }) => node);
  expect(listed).toHaveLength(2);
  expect(listed).toEqual(
    expect.arrayContaining([
      { state: 'WON', amount: '4000', fee: null },
      { state: 'EXPIRED', amount: '2500.75', fee: '1.25' },
    ]),
  );
  expect(disputeSums.map(({ state, amount }: { state: string; amount: string }) => [state, amount]).sort()).toEqual([
    ['EXPIRED', '2500.75'],
    ['WON', '4000'],
  ]);
  expect((await ask(SUMS, { gateways: ['monnify'] })).disputeSums).toEqual([]);
});

test('a dispute has the names of its files and its answers, and is found by its payment', async () => {
  const { prisma } = switchyard.resources.database;
  const { id: disputeId, paymentId } = await prisma.dispute.findFirstOrThrow({ where: { merchantId, currency: 'USD' } });
  const createdAt = new Date();
  const file = { mediaType: 'application/pdf', sizeBytes: 3, content: new Uint8Array(3), uploadedBy: 'staff:ada' };
  for (const fileName of ['receipt.pdf', 'delivery.pdf']) {
    await prisma.disputeEvidence.create({ data: { merchantId, id: newId(), disputeId, fileName, ...file, createdAt } });
  }
  const answer = {
    stage: 'new',
    action: 'ACCEPT',
    message: 'It was not sent.',
    amount: '12.30',
    requestedBy: 'staff:ada',
  } as const;
  await prisma.disputeResponse.create({ data: { merchantId, id: newId(), disputeId, ...answer, state: 'SENT', createdAt } });
  const { disputes } = await ask(
    `query ($filter: DisputesFilter!) { disputes(filter: $filter, first: 10) { edges { node {
      currency evidence { fileName sizeBytes } responses { stage action state amount message } } } } }`,
    { paymentId, states: ['NEEDS_RESPONSE'] },
  );
  const nodes = disputes.edges.map(({ node }: { node: { currency: string } }) => node);
  expect(nodes).toHaveLength(3);
  expect(nodes).toContainEqual({
    currency: 'USD',
    evidence: [
      { fileName: 'receipt.pdf', sizeBytes: 3 },
      { fileName: 'delivery.pdf', sizeBytes: 3 },
    ],
    responses: [{ stage: 'new', action: 'ACCEPT', state: 'SENT', amount: '12.3', message: 'It was not sent.' }],
  });
  expect((await ask(SUMS, { paymentId: newId() })).disputeSums).toEqual([]);
});

test('a dispute of a payment that is not in the ledger has its reference and deadline, and one that is lost what it took back', async () => {
  const { prisma } = switchyard.resources.database;
  const accountId = switchyard.resources.configuration.merchant(merchantId)?.accounts[0]?.id ?? '';
  const at = new Date('2026-11-20T08:00:00Z');
  const times = { openedAt: at, createdAt: at, updatedAt: at, dueAt: at, dueSource: 'RULE' as const };
  const common = {
    merchantId,
    mode: 'test' as const,
    accountId,
    gateway: 'paystack',
    amount: '4100.5',
    currency: 'KES',
    ...times,
  };
  const foreign = { gatewayDisputeId: 'foreign', reference: 'POS 12/7', transactionId: '77', state: 'NEEDS_RESPONSE' as const };
  await prisma.dispute.create({ data: { ...common, ...foreign, id: newId() } });
  const paymentId = await recordPayment(switchyard, merchantId, 'charged-back');
  const lost = { gatewayDisputeId: 'lost', state: 'LOST' as const, paymentId, attemptId: newId(), takenBack: '500' };
  await prisma.dispute.create({ data: { ...common, ...lost, id: newId() } });
  const { disputes, disputeSums } = await ask(
    `query ($filter: DisputesFilter!) {
      disputes(filter: $filter, first: 20) { edges { node { paymentId reference transactionId state takenBack dueAt currency } } }
      disputeSums(filter: $filter) { state currency amount takenBack } }`,
    {},
  );
  const nodes = disputes.edges.map(({ node }: { node: object }) => node);
  const facts = { currency: 'KES', dueAt: at.toISOString() };
  expect(nodes).toContainEqual({
    ...facts,
    paymentId: null,
    reference: 'POS 12/7',
    transactionId: '77',
    state: 'NEEDS_RESPONSE',
    takenBack: '0',
  });
  expect(nodes).toContainEqual({ ...facts, paymentId, reference: null, transactionId: null, state: 'LOST', takenBack: '500' });
  expect(disputeSums).toContainEqual({ state: 'LOST', currency: 'KES', amount: '4100.5', takenBack: '500' });
});
