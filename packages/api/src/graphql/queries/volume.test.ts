import { newId } from '@switchyard/db';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  merchantId = await createTestMerchant(switchyard, 'Balogun Books');
  accountId = switchyard.resources.configuration.merchant(merchantId)?.accounts[0]?.id ?? '';
  await recordFailed('routed', accountId);
  await recordFailed('unknown-account', newId());
  await recordFailed('unrouted', null);
  browser = new Browser(switchyard);
  await browser.signIn(await createStaffWithGrants(switchyard, 'ada@example.com', [{ merchantId, role: 'finance' }]));
});
afterAll(() => close());

/** A failed payment, with an attempt at the account where one is given. */
async function recordFailed(order: string, account: string | null): Promise<void> {
  const { prisma } = switchyard.resources.database;
  const id = await recordPayment(switchyard, merchantId, order);
  const at = new Date();
  const attemptId = newId();
  if (account !== null) {
    await prisma.attempt.create({
      data: {
        merchantId,
        id: attemptId,
        paymentId: id,
        position: 0,
        accountId: account,
        gateway: 'paystack',
        reference: order,
        state: 'OPENED',
        createdAt: at,
        updatedAt: at,
      },
    });
  }
  await prisma.payment.update({
    where: { merchantId_id: { merchantId, id } },
    data: { status: 'FAILED', currentAttemptId: account === null ? null : attemptId },
  });
}

async function rowsBy(groupBy: readonly string[]) {
  const query = `query ($filter: VolumeFilter!, $groupBy: [VolumeGroup!]!) {
    volume(filter: $filter, groupBy: $groupBy) {
      ... on VolumeReport { rows { gateway account { id gateway label } sums { payments } } total { payments } } } }`;
  const filter = {
    mode: 'test',
    from: new Date(Date.now() - 3_600_000).toISOString(),
    to: new Date(Date.now() + 60_000).toISOString(),
  };
  const headers = browser.headers({ 'content-type': 'application/json' });
  const body = JSON.stringify({ query, variables: { filter, groupBy } });
  const request = new Request(`${ORIGIN}/api/graphql`, { method: 'POST', headers, body });
  const { data } = await (await sendGraphql(switchyard, request)).json();
  expect(data.volume.total).toEqual({ payments: 3 });
  const rows: { gateway: string | null; account: { id: string; gateway: string } | null; sums: { payments: number } }[] =
    data.volume.rows;
  return rows;
}

test('by account, each row names the gateway of its account, and payments without one have no account', async () => {
  const rows = await rowsBy(['account']);
  expect(rows).toHaveLength(3);
  expect(rows.map(({ gateway }) => gateway)).toEqual([null, null, null]);
  expect(rows.flatMap(({ account }) => account?.gateway ?? [])).toEqual(['paystack', 'paystack']);
  expect(rows.find(({ account }) => account === null)?.sums).toEqual({ payments: 1 });
  expect(rows.find(({ account }) => account?.id === accountId)?.sums).toEqual({ payments: 1 });
});

test('by account and gateway, the rows are the same, with the gateway', async () => {
  const rows = await rowsBy(['gateway', 'account']);
  expect(rows.map(({ gateway, account }) => [gateway, account?.gateway ?? null]).sort()).toEqual([
    ['', null],
    ['paystack', 'paystack'],
    ['paystack', 'paystack'],
  ]);
});

describe('amounts', () => {
  const at = new Date();
  const filter = {
    mode: 'test',
    from: new Date(at.getTime() - 3_600_000).toISOString(),
    to: new Date(at.getTime() + 3_600_000).toISOString(),
  };
  let finance: Browser;
  let shopId: string;
  beforeAll(async () => {
    shopId = await createTestMerchant(switchyard, 'Adeola Fabrics');
    await recordPaid('naira-1', 'NGN', 2_500n);
    await recordPaid('naira-2', 'NGN', 4_000n);
    await recordPaid('dollar-1', 'USD', 70n);
    finance = new Browser(switchyard);
    await finance.signIn(await createStaffWithGrants(switchyard, 'bisi@example.com', [{ merchantId: shopId, role: 'finance' }]));
  });

  async function recordPaid(order: string, currency: string, amount: bigint): Promise<void> {
    const id = await recordPayment(switchyard, shopId, order);
    const { prisma } = switchyard.resources.database;
    await prisma.payment.update({
      where: { merchantId_id: { merchantId: shopId, id } },
      data: { status: 'SUCCESS', currency, amount, feeAmount: '1.25' },
    });
  }

  async function ask(query: string, variables: Record<string, unknown>) {
    const headers = finance.headers({ 'content-type': 'application/json' });
    const body = JSON.stringify({ query, variables: { filter, ...variables } });
    const request = new Request(`${ORIGIN}/api/graphql`, { method: 'POST', headers, body });
    const { data } = await (await sendGraphql(switchyard, request)).json();
    return data;
  }

  const volume = (variables: Record<string, unknown>) =>
    ask(
      `query ($filter: VolumeFilter!, $currency: String! = "NGN") { volume(filter: $filter, groupBy: [status], currency: $currency) {
        ... on InvalidInput { problems }
        ... on VolumeReport { currency total { payments paidAmount fees } rows { sums { paidAmount } } } } }`,
      variables,
    );

  test('are of one currency: the requested one, naira by default', async () => {
    const sums = (currency: string, payments: number, paidAmount: number, fees: string) => ({
      volume: { currency, total: { payments, paidAmount, fees }, rows: [{ sums: { paidAmount } }] },
    });
    expect(await volume({})).toEqual(sums('NGN', 2, 6_500, '2.5'));
    expect(await volume({ currency: 'USD' })).toEqual(sums('USD', 1, 70, '1.25'));
    expect(await volume({ currency: 'GHS' })).toEqual({
      volume: { currency: 'GHS', total: { payments: 0, paidAmount: 0, fees: '0' }, rows: [] },
    });
  });

  test.each(['naira', 'ngn', '', 'XXQ'])('in the currency %j are refused', async (currency) => {
    const problems = ['currency must be an ISO 4217 code, such as NGN'];
    expect(await volume({ currency })).toEqual({ volume: { problems } });
    const settlement = `query ($filter: SettlementFilter!, $currency: String) { settlement(filter: $filter, currency: $currency) {
      ... on InvalidInput { problems } } }`;
    expect(await ask(settlement, { currency })).toEqual({ settlement: { problems } });
  });

  test('of settlements are by currency, and one currency can be chosen', async () => {
    const query = `query ($filter: SettlementFilter!, $currency: String) { settlement(filter: $filter, currency: $currency) {
      ... on SettlementList { data { currency payments paidAmount fees } } } }`;
    const naira = { currency: 'NGN', payments: 2, paidAmount: 6_500, fees: '2.5' };
    const dollars = { currency: 'USD', payments: 1, paidAmount: 70, fees: '1.25' };
    expect(await ask(query, {})).toEqual({ settlement: { data: [naira, dollars] } });
    expect(await ask(query, { currency: 'USD' })).toEqual({ settlement: { data: [dollars] } });
  });

  test('have currencies that can be listed, the one with the most payments first', async () => {
    const query = `query ($filter: VolumeFilter!) { currencies(filter: $filter) { ... on CurrencyList { data } } }`;
    expect(await ask(query, {})).toEqual({ currencies: { data: ['NGN', 'USD'] } });
    expect(await ask(query, { filter: { ...filter, statuses: ['FAILED'] } })).toEqual({ currencies: { data: [] } });
  });
});
