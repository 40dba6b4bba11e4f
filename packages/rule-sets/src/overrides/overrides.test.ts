import { connectTestAccount, testMerchant } from '@switchyard/merchants/testing';
import { readHealthFeed } from '@switchyard/provider-health/console';
import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { endOverride, type SetOverrideCommand, setOverride } from './overrides.ts';

const actor = 'staff:ada';
const start = new Date('2100-01-01T00:00:00.000Z');
const later = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
let context: TestContext;
let merchantId: string;
let accountId: string;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(async () => context.close());
beforeEach(async () => {
  context.setClock(start);
  merchantId = await testMerchant(context);
  accountId = await connectTestAccount(context, merchantId);
});

async function set(changes: Partial<SetOverrideCommand> = {}) {
  const command = {
    merchantId,
    accountId,
    method: null,
    action: 'drain',
    reason: 'maintenance',
    startsAt: null,
    expiresAt: null,
    actor,
  } as const;
  const outcome = await setOverride(context, { ...command, ...changes });
  if (outcome.kind !== 'set') throw new Error(JSON.stringify(outcome));
  return outcome;
}

const inForce = () => (context.resources.configuration.merchant(merchantId)?.overrides ?? []).map(({ id }) => id);

test('an override is active with its action, reason, author and end until it is ended', async () => {
  const { override } = await set({ method: 'CARD', action: 'force', expiresAt: later(30) });
  expect(override).toMatchObject({
    accountId,
    method: 'CARD',
    action: 'force',
    reason: 'maintenance',
    actor,
    expiresAt: later(30),
  });
  expect(inForce()).toEqual([override.id]);
  context.setClock(later(5));
  const ended = await endOverride(context, { merchantId, overrideId: override.id, actor: 'staff:bola' });
  expect(ended).toMatchObject({ kind: 'ended', override: { endedAt: later(5), endedBy: 'staff:bola' } });
  expect(inForce()).toEqual([]);
  expect(await endOverride(context, { merchantId, overrideId: override.id, actor })).toMatchObject({
    kind: 'already_ended',
    override: { endedAt: later(5), endedBy: 'staff:bola' },
  });
});

test('a second one for the same account and method replaces the first', async () => {
  const first = await set();
  const card = await set({ method: 'CARD' });
  const second = await set({ action: 'disable' });
  expect(second.replaced).toMatchObject({ id: first.override.id, endedAt: start, endedBy: actor });
  expect(inForce()).toEqual([card.override.id, second.override.id]);
  expect(card.replaced).toBeNull();
});

test('an expired one cannot be ended again, and its row is closed when the next is set', async () => {
  const { override } = await set({ expiresAt: later(1) });
  context.setClock(later(1));
  expect(await endOverride(context, { merchantId, overrideId: override.id, actor })).toMatchObject({ kind: 'already_ended' });
  const next = await set({ method: 'CARD' });
  expect(inForce()).toEqual([next.override.id]);
  const row = await context.database.prisma.routingOverride.findUniqueOrThrow({
    where: { merchantId_id: { merchantId, id: override.id } },
  });
  expect(row).toMatchObject({ endedAt: later(1), endedBy: 'system:expiry' });
});

test('the feed has one entry for each that was set, replaced, ended and expired, with reason, author and end', async () => {
  const first = await set({ reason: 'settlement is late', expiresAt: later(30) });
  context.setClock(later(1));
  const second = await set({ action: 'force', actor: 'staff:bola' });
  context.setClock(later(2));
  await endOverride(context, { merchantId, overrideId: second.override.id, actor });
  const third = await set({ method: 'CARD', expiresAt: later(3) });
  const query = { merchantIds: [merchantId], accountIds: [accountId], gateways: [], mode: 'test', now: later(4) } as const;
  const feed = await readHealthFeed(context.database, query, null, 20);
  expect(feed.toReversed().map(({ kind, eventId, at, actor: by }) => [kind, eventId, at, by])).toEqual([
    ['override_set', first.override.id, start, actor],
    ['override_ended', first.override.id, later(1), 'staff:bola'],
    ['override_set', second.override.id, later(1), 'staff:bola'],
    ['override_ended', second.override.id, later(2), actor],
    ['override_set', third.override.id, later(2), actor],
    ['override_ended', third.override.id, later(3), 'system:expiry'],
  ]);
  expect(feed.at(-1)).toMatchObject({ reason: 'settlement is late', action: 'drain', method: null, expiresAt: later(30) });
});

test('a planned one replaces nothing, is refused where another is planned for the same time, and can be cancelled', async () => {
  const active = await set();
  const first = await set({ action: 'force', startsAt: later(60), expiresAt: later(120) });
  expect(first.replaced).toBeNull();
  const second = { merchantId, accountId, method: null, action: 'disable', reason: 'x', actor } as const;
  const outcome = await setOverride(context, { ...second, startsAt: later(119), expiresAt: null });
  expect(outcome).toMatchObject({ kind: 'invalid', problems: [{ field: 'startsAt' }] });
  const after = await set({ startsAt: later(120), expiresAt: null });
  expect(await setOverride(context, { ...second, startsAt: later(90), expiresAt: later(80) })).toMatchObject({
    kind: 'invalid',
    problems: [{ field: 'expiresAt' }],
  });
  expect(inForce()).toEqual([active.override.id, first.override.id, after.override.id]);
  // One that begins at once replaces the active one, not those that are planned.
  expect((await set({ action: 'force' })).replaced).toMatchObject({ id: active.override.id });
  await endOverride(context, { merchantId, overrideId: after.override.id, actor });
  expect(inForce()).toHaveLength(2);
});

test('the feed says when a planned one was set and when it began, and nothing of a beginning that was cancelled', async () => {
  const cancelled = await set({ startsAt: later(10), method: 'CARD' });
  const planned = await set({ startsAt: later(10), expiresAt: later(20) });
  context.setClock(later(1));
  await endOverride(context, { merchantId, overrideId: cancelled.override.id, actor });
  const query = { merchantIds: [merchantId], accountIds: [accountId], gateways: [], mode: 'test', now: later(30) } as const;
  const feed = await readHealthFeed(context.database, query, null, 20);
  const ofPlanned = feed.filter(({ eventId }) => eventId === planned.override.id).toReversed();
  expect(ofPlanned.map(({ kind, at, startsAt }) => [kind, at, startsAt])).toEqual([
    ['override_set', start, later(10)],
    ['override_began', later(10), later(10)],
    ['override_ended', later(20), later(10)],
  ]);
  expect(feed.filter(({ eventId }) => eventId === cancelled.override.id).map(({ kind }) => kind)).toEqual([
    'override_ended',
    'override_set',
  ]);
});

test("one cannot be set on or ended at another merchant's account", async () => {
  const { override } = await set();
  const stranger = await testMerchant(context);
  const command = {
    merchantId: stranger,
    accountId,
    method: null,
    action: 'drain',
    reason: 'x',
    startsAt: null,
    expiresAt: null,
    actor,
  } as const;
  expect(await setOverride(context, command)).toEqual({ kind: 'not_found' });
  expect(await endOverride(context, { merchantId: stranger, overrideId: override.id, actor })).toEqual({ kind: 'not_found' });
  expect(inForce()).toEqual([override.id]);
});

test.each([
  ['reason', ' '],
  ['reason', 'a'.repeat(501)],
  ['startsAt', start],
  ['startsAt', later(60 * 24 * 400)],
  ['expiresAt', later(-1)],
  ['method', 'CASH'],
  ['action', 'explode'],
])('a %s of %j is refused by name', async (field, value) => {
  const command = {
    merchantId,
    accountId,
    method: null,
    action: 'drain',
    reason: 'x',
    startsAt: null,
    expiresAt: null,
    actor,
  } as const;
  expect(await setOverride(context, { ...command, [field]: value })).toMatchObject({ kind: 'invalid', problems: [{ field }] });
});
