import type { Outcome } from '@switchyard/gateways';
import { DEFAULT_HEALTH_THRESHOLDS } from '@switchyard/routing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestPayments, showChange, type TestMerchant, type TestPayments, takeInMerchant } from '../testing/context.ts';
import { recordPayment } from '../testing/past.ts';
import { type AccountOverview, describeHealth } from './describe-health.ts';
import { findPaymentsBehindHealth } from './find-payments-behind-health.ts';
import { keepHealthCounts } from './keep-health-counts.ts';
import { type HealthFeedItem, listHealthFeed } from './list-health-feed.ts';
import { listHealthStates } from './list-health-states.ts';
import { previewThresholds } from './preview-thresholds.ts';
import { readHealthStrips } from './read-health-strips.ts';
import { watchHealth } from './watch-health.ts';

const call = { method: 'POST', url: '', httpStatus: null, latencyMs: 240, request: null, answer: null, retryAfterMs: null };
const well: Outcome<unknown> = { outcome: 'yes', value: null, call };
const timedOut: Outcome<unknown> = {
  outcome: 'unknown',
  failure: { class: 'provider_fault', code: 'timeout', message: 'x' },
  call,
};

let context: TestPayments;
let merchant: TestMerchant;
let now: Date;

beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());

beforeEach(async () => {
  setClock(new Date('2026-11-20T14:00:05Z'));
  merchant = await takeInMerchant(context, { 'paystack-main': {}, 'flutterwave-main': { methods: ['CARD'] } });
});

function setClock(time: Date): void {
  now = time;
  context.setClock(time);
}
function later(ms: number): void {
  setClock(new Date(now.getTime() + ms));
}
function id(label: string): string {
  return merchant.accounts[label] ?? '';
}
function scope() {
  return { merchantIds: [merchant.merchantId], mode: 'test' } as const;
}

async function see(label: string, outcome: Outcome<unknown>, times: number, method = 'CARD'): Promise<void> {
  for (let n = 0; n < times; n++) {
    context.health.observe({ merchantId: merchant.merchantId, accountId: id(label), method }, outcome);
  }
  await context.health.tick();
}

async function overview(label: string): Promise<AccountOverview> {
  const { accounts } = await describeHealth(context, scope());
  const found = accounts.find((account) => account.label === label);
  if (found === undefined) throw new Error(`${label} is not told of`);
  return found;
}

async function override(action: 'drain' | 'force', times: { expiresAt?: Date; endedAt?: Date; endedBy?: string } = {}) {
  const { merchantId } = merchant;
  const words = { reason: 'Settlement is late.', actor: 'staff:ada', createdAt: now, ...times };
  await context.database.prisma.routingOverride.create({
    data: { merchantId, id: context.newId(), accountId: id('paystack-main'), action, ...words },
  });
  await showChange(context, merchantId);
}

describe('an overview', () => {
  test('tells every account and each of its methods, and who speaks for a method of which little is known', async () => {
    await see('paystack-main', well, 30);
    const { health } = await overview('paystack-main');
    expect(health.map(({ method, judgedBy, succeeded }) => [method, judgedBy, succeeded])).toEqual([
      [null, 'method', 30],
      ['CARD', 'method', 30],
      ['TRANSFER', 'account', 0],
      ['USSD', 'account', 0],
    ]);
    expect(health[0]?.why).toBe('Healthy: 30 of 30 checkouts answered in 5 min (Paystack, all methods).');
    expect((await overview('flutterwave-main')).health[0]).toMatchObject({
      why: 'Nothing has been seen of it yet.',
      since: null,
    });
  });

  test('says of an account that is down since when, why and with what figures', async () => {
    await see('paystack-main', well, 4);
    later(20_000);
    await see('paystack-main', timedOut, 12);
    expect((await overview('paystack-main')).health[1]).toMatchObject({
      method: 'CARD',
      state: 'down',
      why: 'Down since 14:00 UTC: 12 of 16 checkouts timed out in 5 min (Paystack, card).',
      since: now,
      faulted: 12,
      probePercent: 0,
    });
  });

  test("holds the overrides that have not ended, and nobody else's accounts", async () => {
    await override('drain');
    await override('force', { expiresAt: new Date(now.getTime() + 60_000) });
    expect((await overview('paystack-main')).overrides.map(({ action }) => action)).toEqual(['drain', 'force']);
    later(60_000);
    expect((await overview('paystack-main')).overrides.map(({ action }) => action)).toEqual(['drain']);
    expect((await describeHealth(context, { merchantIds: [], mode: 'test' })).accounts).toEqual([]);
    expect((await describeHealth(context, { ...scope(), mode: 'live' })).accounts).toEqual([]);
  });

  test('names the same trouble at two gateways at once', async () => {
    await see('paystack-main', timedOut, 12);
    expect((await describeHealth(context, scope())).trouble).toEqual([]);
    await see('flutterwave-main', timedOut, 12);
    const { trouble } = await describeHealth(context, scope());
    expect(trouble.find(({ method }) => method === 'CARD')).toMatchObject({
      gateways: ['Paystack', 'Flutterwave'],
      message: expect.stringMatching(/^Trouble with card at 2 gateways at once/),
    });
  });
});

test("an account is judged by its merchant's own thresholds, in its own mode, as soon as they are in force", async () => {
  const { merchantId } = merchant;
  const written = { merchantId, revision: 1, updatedBy: 'staff:ada', updatedAt: now };
  const { healthThresholdSet } = context.database.prisma;
  await healthThresholdSet.create({ data: { ...written, mode: 'live', changes: { hardFaults: 2 } } });
  await showChange(context, merchantId);
  await see('paystack-main', timedOut, 3);
  expect((await overview('paystack-main')).health[1]).toMatchObject({ judgedBy: 'account', state: 'healthy' });
  await healthThresholdSet.create({ data: { ...written, mode: 'test', changes: { hardFaults: 3, forgotten: 1 } } });
  await showChange(context, merchantId);
  await context.health.tick();
  expect((await overview('paystack-main')).health[0]?.state).toBe('healthy');
  await healthThresholdSet.updateMany({ where: { merchantId, mode: 'test' }, data: { changes: { hardFaults: 3 } } });
  await showChange(context, merchantId);
  await context.health.tick();
  expect((await overview('paystack-main')).health[1]).toMatchObject({ method: 'CARD', state: 'down', faulted: 3 });
});

test('states over time begin before the time asked for, and trouble that lasts has no end', async () => {
  await see('paystack-main', timedOut, 12);
  const wentDown = now;
  later(3_600_000);
  const { series } = await listHealthStates(context, { ...scope(), accountId: null, minutes: 10 });
  expect(series.find(({ method }) => method === 'CARD')).toMatchObject({
    accountId: id('paystack-main'),
    spans: [{ state: 'down', from: new Date(now.getTime() - 600_000), to: null }],
    outages: [{ worst: 'down', to: null }],
  });
  const wide = await listHealthStates(context, { ...scope(), accountId: id('paystack-main'), minutes: 90 });
  expect(wide.series.find(({ method }) => method === 'CARD')?.outages).toMatchObject([{ from: wentDown, to: null }]);
  expect((await listHealthStates(context, { ...scope(), merchantIds: [], accountId: null, minutes: 90 })).series).toEqual([]);
});

test('a watch tells what it sees first, then only what has changed, and ends when nobody listens', async () => {
  const stop = new AbortController();
  const watch = watchHealth(context, scope, stop.signal, 1);
  const first = await watch.next();
  expect(first.value?.accounts).toHaveLength(2);
  const second = watch.next();
  await see('paystack-main', timedOut, 12);
  expect((await second).value?.accounts[0]?.health[0]?.state).toBe('down');
  const third = watch.next();
  stop.abort();
  expect(await third).toEqual({ done: true, value: undefined });
});

test('a strip gives successes, faults and latency per step, of all processes together', async () => {
  await see('paystack-main', well, 3);
  const other = await context.beside();
  other.health.observe({ merchantId: merchant.merchantId, accountId: id('paystack-main'), method: 'CARD' }, timedOut);
  await other.health.tick();
  later(30_000);
  await see('paystack-main', well, 2, 'USSD');
  const query = { ...scope(), accountId: id('paystack-main'), minutes: 90, stepSeconds: 10 };
  const { from, to, stepMs, strips, cut } = await readHealthStrips(context, query);
  expect([stepMs, (to.getTime() - from.getTime()) / stepMs, cut]).toEqual([10_000, 540, false]);
  const last = 539;
  expect(
    strips.map(({ method, steps, succeeded, faulted, latencyMs }) => ({ method, steps, succeeded, faulted, latencyMs })),
  ).toEqual([
    { method: null, steps: [last - 3, last], succeeded: [3, 2], faulted: [1, 0], latencyMs: [240, 240] },
    { method: 'CARD', steps: [last - 3], succeeded: [3], faulted: [1], latencyMs: [240] },
    { method: 'USSD', steps: [last], succeeded: [2], faulted: [0], latencyMs: [240] },
  ]);
  expect((await readHealthStrips(context, { ...query, stepSeconds: 60 })).strips[0]?.succeeded).toEqual([5]);
});

describe('the feed', () => {
  const kinds = (items: readonly HealthFeedItem[]) => items.map(({ kind, toState, action }) => [kind, toState ?? action]);

  test('tells changes of health and overrides set, ended and run out, newest first', async () => {
    await see('paystack-main', timedOut, 12, 'USSD');
    later(1_000);
    await override('drain', { expiresAt: new Date(now.getTime() + 60_000) });
    await override('force', { endedAt: new Date(now.getTime() + 5_000), endedBy: 'staff:obi' });
    later(30_000);
    const query = { ...scope(), accountId: null, after: null, limit: 50 };
    expect(kinds((await listHealthFeed(context, query)).items).slice(0, 3)).toEqual([
      ['override_ended', 'force'],
      ['override_set', 'force'],
      ['override_set', 'drain'],
    ]);
    later(40_000);
    const { items } = await listHealthFeed(context, query);
    expect(items[0]).toMatchObject({
      kind: 'override_ended',
      action: 'drain',
      actor: 'system:expiry',
      why: 'Settlement is late.',
    });
    expect(items.at(-1)).toMatchObject({
      kind: 'health',
      toState: 'down',
      accountLabel: 'paystack-main',
      gatewayTitle: 'Paystack',
    });
    expect(
      items
        .filter(({ kind }) => kind === 'health')
        .map(({ method }) => method)
        .sort(),
    ).toEqual(['USSD', null].sort());
  });

  test('comes in pages that miss nothing and repeat nothing, however many happened in one moment', async () => {
    await see('paystack-main', timedOut, 12);
    await see('flutterwave-main', timedOut, 12);
    for (let n = 0; n < 5; n++) await override('drain', { endedAt: now, endedBy: 'staff:obi' });
    const whole = (await listHealthFeed(context, { ...scope(), accountId: null, after: null, limit: 200 })).items;
    expect(whole).toHaveLength(4 + 10);
    const paged: HealthFeedItem[] = [];
    let after = null;
    do {
      const page = await listHealthFeed(context, { ...scope(), accountId: null, after, limit: 3 });
      paged.push(...page.items);
      after = page.next;
    } while (after !== null);
    expect(paged).toEqual(whole);
    const own = await listHealthFeed(context, { ...scope(), accountId: id('flutterwave-main'), after: null, limit: 200 });
    expect(own.items).toHaveLength(2);
  });
});

describe('the payments behind a state', () => {
  test('are the checkouts that failed by the provider in its window, and the counts it was read from', async () => {
    const { merchantId } = merchant;
    await recordPayment(context, merchantId, { fellBack: true });
    later(400_000);
    const bad = [];
    for (let n = 0; n < 5; n++) {
      later(1_000);
      bad.unshift((await recordPayment(context, merchantId, { fellBack: true })).paymentId);
    }
    await recordPayment(context, merchantId, { fellBack: true, method: 'USSD' });
    await recordPayment(context, merchantId);
    await see('paystack-main', timedOut, 7);
    const query = {
      merchantIds: [merchantId],
      accountId: id('paystack-main'),
      method: 'CARD',
      at: now,
      after: null,
      limit: 3,
    } as const;
    const page = await findPaymentsBehindHealth(context, query);
    expect(page?.counts).toEqual({ succeeded: 0, faulted: 7, timedOut: 7, refused: 0, serverError: 0, malformed: 0 });
    expect(page?.attempts.map(({ paymentId }) => paymentId)).toEqual(bad.slice(0, 3));
    expect(page?.attempts[0]).toMatchObject({
      amount: 2_500n,
      failureCode: 'timeout',
      method: 'CARD',
      accountId: id('paystack-main'),
    });
    const rest = await findPaymentsBehindHealth(context, { ...query, after: page?.next ?? null });
    expect(rest).toMatchObject({ attempts: [{ paymentId: bad[3] }, { paymentId: bad[4] }], next: null });
    expect((await findPaymentsBehindHealth(context, { ...query, method: null, limit: 200 }))?.attempts).toHaveLength(6);
    expect(await findPaymentsBehindHealth(context, { ...query, merchantIds: [context.newId()] })).toBeNull();
  });
});

describe('what was counted', () => {
  test('is kept by the minute after a day, in the same sums, and forgotten after 31', async () => {
    const sums = async () => {
      const { rows } = await context.database.pool.query(
        `SELECT count(*)::int AS rows, sum(succeeded)::int AS succeeded, sum(faulted)::int AS faulted, sum(timed_out)::int AS "timedOut",
           sum(latency_ms_sum)::int AS "latencyMsSum" FROM health_bucket WHERE merchant_id = $1 AND method = 'CARD'`,
        [merchant.merchantId],
      );
      return rows[0];
    };
    for (let n = 0; n < 12; n++) {
      await see('paystack-main', n % 3 === 0 ? timedOut : well, 2);
      later(10_000);
    }
    const before = await sums();
    expect(before).toMatchObject({ rows: 12, succeeded: 16, faulted: 8, timedOut: 8 });
    await keepHealthCounts(context);
    expect(await sums()).toEqual(before);
    later(24 * 3_600_000 + 60_000);
    await Promise.all([keepHealthCounts(context), keepHealthCounts(context)]);
    await keepHealthCounts(context);
    expect(await sums()).toEqual({ ...before, rows: 2 });
    const { strips } = await readHealthStrips(context, { ...scope(), accountId: null, minutes: 3_000, stepSeconds: 60 });
    expect(strips.find(({ method }) => method === 'CARD')?.succeeded.reduce((sum, one) => sum + one, 0)).toBe(16);
    later(31 * 24 * 3_600_000);
    await keepHealthCounts(context);
    expect(await sums()).toMatchObject({ rows: 0 });
  });

  test('tells how often other thresholds would have fired', async () => {
    for (let n = 0; n < 30; n++) {
      await see('paystack-main', well, 8);
      if (n >= 10 && n < 16) await see('paystack-main', timedOut, 4);
      later(10_000);
    }
    const ask = (change: object, merchantId = merchant.merchantId) => {
      const thresholds = { ...DEFAULT_HEALTH_THRESHOLDS, ...change };
      return previewThresholds(context, { merchantId, mode: 'test', days: 2, thresholds });
    };
    const strict = await ask({ downShare: 0.3 });
    const card = strict?.series.find(({ method, label }) => method === 'CARD' && label === 'paystack-main');
    expect(card).toMatchObject({ inForce: { down: 0 }, proposed: { down: 1 }, latest: [{ state: 'down' }] });
    expect(card?.proposed.troubledMs).toBeGreaterThan(0);
    expect(await ask({}, context.newId())).toBeNull();
  });
});
