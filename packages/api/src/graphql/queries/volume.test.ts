import { newId } from '@switchyard/db';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Switchyard } from '../../process.ts';
import { Browser } from '../../testing/browser.ts';
import { sendGraphql } from '../../testing/send-graphql.ts';
import { createTestMerchant, hireStaff, ORIGIN, openTestSwitchyard, recordPayment } from '../../testing/switchyard.ts';

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
  await browser.signIn(await hireStaff(switchyard, 'ada@example.com', [{ merchantId, role: 'finance' }]));
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
