import { newId } from '@switchyard/db';
import { findGateway, gateways } from '@switchyard/gateways';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Switchyard } from '../../process.ts';
import { sendGraphql } from '../../testing/served.ts';
import { Browser, createStaffWithGrants, createTestMerchant, ORIGIN, openTestSwitchyard } from '../../testing/switchyard.ts';

let switchyard: Switchyard;
let close: () => Promise<void>;
let browser: Browser;
let merchantId: string;
let accountId: string;
const paymentId = newId();
const NOW = new Date();
const ago = (days: number) => new Date(NOW.getTime() - days * 86_400_000).toISOString();

async function count(of: string, code: string, daysAgo: number, changes: { operation?: string; paymentIds?: string[] } = {}) {
  const at = switchyard.resources.configuration.merchant(of)?.accounts[0]?.id ?? '';
  const row = {
    merchantId: of,
    accountId: at,
    operation: 'open',
    code,
    count: 2,
    lastAt: NOW,
    firstAt: ago(daysAgo),
    ...changes,
  };
  const day = new Date(ago(daysAgo).slice(0, 10));
  await switchyard.resources.database.prisma.gatewayCode.create({ data: { ...row, day } });
}

beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  merchantId = await createTestMerchant(switchyard, 'Balogun Books');
  accountId = switchyard.resources.configuration.merchant(merchantId)?.accounts[0]?.id ?? '';
  const otherId = await createTestMerchant(switchyard, 'Obi Shoes');
  browser = new Browser(switchyard);
  const grants = [
    { merchantId, role: 'operator' as const },
    { merchantId: otherId, role: 'operator' as const },
  ];
  await browser.signIn(await createStaffWithGrants(switchyard, 'ada@example.com', grants));
  await count(merchantId, 'duplicate_reference', 3);
  await count(merchantId, 'duplicate_reference', 1);
  await count(merchantId, 'duplicate_reference', 1, { operation: 'verify' });
  await count(merchantId, 'E77', 0, { paymentIds: [paymentId] });
  await count(otherId, 'E78', 0);
});
afterAll(() => close());

const FIELDS =
  'gateway code words meaning section { title address } count firstAt lastAt counts { account { id label } operation count firstAt lastAt } paymentIds';

async function ask(filter: object) {
  const query = `query ($filter: GatewayErrorCodeFilter!) { gatewayErrorCodes(filter: $filter) { ${FIELDS} } }`;
  const headers = browser.headers({ 'content-type': 'application/json' });
  const body = JSON.stringify({ query, variables: { filter: { mode: 'test', ...filter } } });
  const answer = await (
    await sendGraphql(switchyard, new Request(`${ORIGIN}/api/graphql`, { method: 'POST', headers, body }))
  ).json();
  expect(answer.errors).toBeUndefined();
  return answer.data.gatewayErrorCodes;
}

test('error codes have what is made of them, and how often they came at the accounts of a merchant', async () => {
  const at = { id: accountId, label: 'paystack-main' };
  const row = findGateway('paystack')?.errorCodes.find(({ code }) => code === 'duplicate_reference');
  expect(await ask({ merchantIds: [merchantId], came: true })).toEqual([
    {
      gateway: 'paystack',
      code: 'E77',
      words: '',
      meaning: 'UNKNOWN',
      section: null,
      count: 2,
      firstAt: ago(0),
      lastAt: NOW.toISOString(),
      counts: [{ account: at, operation: 'open', count: 2, firstAt: ago(0), lastAt: NOW.toISOString() }],
      paymentIds: [paymentId],
    },
    {
      gateway: 'paystack',
      code: 'duplicate_reference',
      words: row?.words,
      meaning: 'OURS',
      section: row?.section,
      count: 6,
      firstAt: ago(3),
      lastAt: NOW.toISOString(),
      counts: expect.arrayContaining([
        { account: at, operation: 'open', count: 4, firstAt: ago(3), lastAt: NOW.toISOString() },
        { account: at, operation: 'verify', count: 2, firstAt: ago(1), lastAt: NOW.toISOString() },
      ]),
      paymentIds: [],
    },
  ]);
});

test('those of every gateway are there, and a filter leaves what it names', async () => {
  const all = await ask({});
  const known = gateways.flatMap(({ name, errorCodes }) => errorCodes.map(({ code }) => `${name} ${code}`));
  const listed: string[] = all.map((one: { gateway: string; code: string }) => `${one.gateway} ${one.code}`);
  expect(listed.toSorted()).toEqual([...known, 'paystack E77', 'paystack E78'].toSorted());
  const meanings: string[] = (await ask({ gateways: ['kora'], meanings: ['DECLINED'], came: false })).map(
    (one: { gateway: string; meaning: string; count: number }) => `${one.gateway} ${one.meaning} ${one.count}`,
  );
  expect(meanings).toEqual(['kora DECLINED 0', 'kora DECLINED 0']);
  expect((await ask({ mode: 'live', came: true })).length).toBe(0);
});
