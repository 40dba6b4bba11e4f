import { newId } from '@switchyard/db';
import { issueKey } from '@switchyard/merchants/console/api-keys';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Switchyard } from '../process.ts';
import { serveOverHttp } from '../testing/served.ts';
import { createTestMerchant, openTestSwitchyard } from '../testing/switchyard.ts';
import { successEnvelope } from './responses.ts';
import { settlementLineListSchema, settlementListSchema, settlementSchema } from './settlements.ts';

let opened: Awaited<ReturnType<typeof openTestSwitchyard>>;
let switchyard: Switchyard;
let served: Awaited<ReturnType<typeof serveOverHttp>>;
let key: string;
/** Paid out on the 20th, 21st and 22nd, and one that is not paid out yet. */
let own: readonly string[];
let foreign: string;

beforeAll(async () => {
  opened = await openTestSwitchyard();
  switchyard = opened.switchyard;
  served = await serveOverHttp(switchyard);
  const merchantId = await createTestMerchant(switchyard, 'Balogun Books');
  const other = await createTestMerchant(switchyard, 'Ade Fabrics');
  own = [
    await settle(merchantId, 20),
    await settle(merchantId, 21),
    await settle(merchantId, 22),
    await settle(merchantId, null),
  ];
  foreign = await settle(other, 21);
  const issued = await issueKey(switchyard, {
    merchantId,
    mode: 'test',
    name: 'server',
    expiresAt: null,
    scopes: ['full_access'],
    actor: 'staff:ada',
  });
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  key = issued.secretKey;
});
afterAll(async () => {
  await served.close();
  await opened.close();
});

async function settle(merchantId: string, day: number | null): Promise<string> {
  const { prisma } = switchyard.resources.database;
  const settlementId = newId();
  const accountId = switchyard.resources.configuration.merchant(merchantId)?.accounts[0]?.id ?? newId();
  const settledOn = day === null ? null : new Date(Date.UTC(2026, 10, day));
  const head = { mode: 'test', gateway: 'paystack', reference: settlementId, road: 'POLLED', currency: 'NGN' } as const;
  const amounts = { gross: '100', fees: '1.5', deductions: '0', net: '98.5' };
  const times = { createdAt: new Date(), updatedAt: new Date() };
  const status = day === null ? 'PENDING' : 'PAID';
  await prisma.settlement.create({
    data: { merchantId, id: settlementId, accountId, ...head, ...amounts, ...times, status, settledOn },
  });
  for (const [position, kind] of (['PAYMENT', 'FEE', 'RESIDUE'] as const).entries()) {
    const line = { merchantId, id: newId(), settlementId, accountId, position, kind, currency: 'NGN', subjects: [] };
    await prisma.settlementLine.create({ data: { ...line, amount: '1.5', createdAt: new Date() } });
  }
  return settlementId;
}

async function get<Data>(path: string, schema: z.ZodType<Data>): Promise<Data> {
  const response = await fetch(`${served.url}/v1/settlements${path}`, { headers: { authorization: `Bearer ${key}` } });
  expect(response.status).toBe(200);
  return schema.parse(successEnvelope(z.unknown()).parse(await response.json()).data);
}

async function refused(path: string): Promise<[number, string]> {
  const response = await fetch(`${served.url}/v1/settlements${path}`, { headers: { authorization: `Bearer ${key}` } });
  const { message } = z.object({ message: z.string() }).parse(await response.json());
  return [response.status, message];
}

test('settlements are listed a page at a time, those that are not paid out first, and of the key’s merchant alone', async () => {
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: z.output<typeof settlementListSchema> = await get(
      `?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      settlementListSchema,
    );
    seen.push(...page.settlements.map(({ settlementId }) => settlementId));
    cursor = page.nextCursor;
  }
  expect(seen).toEqual([own[3], own[2], own[1], own[0]]);
});

test('settlements are listed by status and day of payout', async () => {
  const listed = async (query: string) =>
    (await get(query, settlementListSchema)).settlements.map(({ settlementId }) => settlementId);
  expect(await listed('?status=PAID&settledFrom=2026-11-21')).toEqual([own[2], own[1]]);
  expect(await listed('?status=PAID&settledTo=2026-11-20')).toEqual([own[0]]);
  expect(await listed('?status=PENDING,FAILED')).toEqual([own[3]]);
});

test('a settlement is read with its lines, a page at a time and by kind', async () => {
  expect(await get(`/${own[0]}`, settlementSchema)).toMatchObject({ settlementId: own[0], net: '98.5', settledOn: '2026-11-20' });
  const first = await get(`/${own[0]}/lines?limit=2`, settlementLineListSchema);
  expect([first.lines.map(({ kind }) => kind), first.nextCursor]).toEqual([['PAYMENT', 'FEE'], '1']);
  const rest = await get(`/${own[0]}/lines?cursor=${first.nextCursor}`, settlementLineListSchema);
  expect([rest.lines.map(({ kind }) => kind), rest.nextCursor]).toEqual([['RESIDUE'], null]);
  expect((await get(`/${own[0]}/lines?kind=FEE`, settlementLineListSchema)).lines.map(({ kind }) => kind)).toEqual(['FEE']);
});

test('another merchant’s settlement is not found, and a query that is not understood is refused', async () => {
  for (const path of [`/${foreign}`, `/${foreign}/lines`, '/no-id', '/no-id/lines']) {
    expect(await refused(path)).toEqual([404, 'Settlement not found']);
  }
  for (const query of ['?status=paid', '?settledFrom=yesterday', '?limit=0', '?cursor=x', '?stauts=PAID']) {
    expect(await refused(query)).toEqual([400, 'Bad request']);
  }
});
