import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ageOutHealthCounts, compactHealthCounts } from '../index.ts';
import { type HealthFixture, openHealthFixture, timedOut, well } from '../testing/health-fixture.ts';
import { DEFAULT_HEALTH_THRESHOLDS } from '../thresholds/thresholds.ts';
import { type HealthFeedItem, listHealthFeed } from './list-health-feed.ts';
import { listHealthStates } from './list-health-states.ts';
import { previewThresholds } from './preview-thresholds.ts';
import { readHealthStrips } from './read-health-strips.ts';

let fixture: HealthFixture;

beforeAll(async () => {
  fixture = await openHealthFixture();
});
afterAll(() => fixture.context.close());
beforeEach(() => fixture.begin());

test('states over time include the state at the beginning, and a lasting outage has no end', async () => {
  await fixture.see('paystack-main', timedOut, 12);
  const wentDown = fixture.now;
  fixture.later(3_600_000);
  const { series } = await listHealthStates(fixture.context, { ...fixture.scope(), accountId: null, minutes: 10 });
  expect(series.find(({ method }) => method === 'CARD')).toMatchObject({
    accountId: fixture.id('paystack-main'),
    spans: [{ state: 'down', from: new Date(fixture.now.getTime() - 600_000), to: null }],
    outages: [{ worst: 'down', to: null }],
  });
  const wide = await listHealthStates(fixture.context, {
    ...fixture.scope(),
    accountId: fixture.id('paystack-main'),
    minutes: 90,
  });
  expect(wide.series.find(({ method }) => method === 'CARD')?.outages).toMatchObject([{ from: wentDown, to: null }]);
  expect(
    (await listHealthStates(fixture.context, { ...fixture.scope(), merchantIds: [], accountId: null, minutes: 90 })).series,
  ).toEqual([]);
});

test('a strip gives successes, faults and latency per step, of all processes together', async () => {
  await fixture.see('paystack-main', well, 3);
  const other = await fixture.context.beside();
  other.health.beginOpening({ merchantId: fixture.merchant.merchantId, accountId: fixture.id('paystack-main'), method: 'CARD' })(
    timedOut,
  );
  await other.health.tick();
  fixture.later(30_000);
  await fixture.see('paystack-main', well, 2, 'USSD');
  const query = { ...fixture.scope(), accountId: fixture.id('paystack-main'), minutes: 90, stepSeconds: 10 };
  const { from, to, stepMs, strips, cut } = await readHealthStrips(fixture.context, query);
  expect([stepMs, (to.getTime() - from.getTime()) / stepMs, cut]).toEqual([10_000, 540, false]);
  const last = 539;
  expect(
    strips.map(({ method, steps, succeeded, faulted, latencyMs }) => ({ method, steps, succeeded, faulted, latencyMs })),
  ).toEqual([
    { method: null, steps: [last - 3, last], succeeded: [3, 2], faulted: [1, 0], latencyMs: [240, 240] },
    { method: 'CARD', steps: [last - 3], succeeded: [3], faulted: [1], latencyMs: [240] },
    { method: 'USSD', steps: [last], succeeded: [2], faulted: [0], latencyMs: [240] },
  ]);
  expect((await readHealthStrips(fixture.context, { ...query, stepSeconds: 60 })).strips[0]?.succeeded).toEqual([5]);
});

describe('the feed', () => {
  const kinds = (items: readonly HealthFeedItem[]) => items.map(({ kind, toState, action }) => [kind, toState ?? action]);

  test('lists changes of health and overrides set, ended and expired, newest first', async () => {
    await fixture.see('paystack-main', timedOut, 12, 'USSD');
    fixture.later(1_000);
    await fixture.override('drain', { expiresAt: new Date(fixture.now.getTime() + 60_000) });
    await fixture.override('force', { endedAt: new Date(fixture.now.getTime() + 5_000), endedBy: 'staff:obi' });
    fixture.later(30_000);
    const query = { ...fixture.scope(), accountId: null, after: null, limit: 50 };
    expect(kinds((await listHealthFeed(fixture.context, query)).items).slice(0, 3)).toEqual([
      ['override_ended', 'force'],
      ['override_set', 'force'],
      ['override_set', 'drain'],
    ]);
    fixture.later(40_000);
    const { items } = await listHealthFeed(fixture.context, query);
    expect(items[0]).toMatchObject({
      kind: 'override_ended',
      action: 'drain',
      actor: 'system:expiry',
      reason: 'Settlement is late.',
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

  test('is paged without gaps or repeats, however many events share a moment', async () => {
    await fixture.see('paystack-main', timedOut, 12);
    await fixture.see('flutterwave-main', timedOut, 12);
    for (let n = 0; n < 5; n++) await fixture.override('drain', { endedAt: fixture.now, endedBy: 'staff:obi' });
    const whole = (await listHealthFeed(fixture.context, { ...fixture.scope(), accountId: null, after: null, limit: 200 })).items;
    expect(whole).toHaveLength(4 + 10);
    const paged: HealthFeedItem[] = [];
    let after = null;
    do {
      const page = await listHealthFeed(fixture.context, { ...fixture.scope(), accountId: null, after, limit: 3 });
      paged.push(...page.items);
      after = page.next;
    } while (after !== null);
    expect(paged).toEqual(whole);
    const own = await listHealthFeed(fixture.context, {
      ...fixture.scope(),
      accountId: fixture.id('flutterwave-main'),
      after: null,
      limit: 200,
    });
    expect(own.items).toHaveLength(2);
  });
});

describe('stored counts', () => {
  test('are merged to minutes after a day, with the same totals, and age out in batches', async () => {
    const sums = async () => {
      const { rows } = await fixture.context.database.pool.query(
        `SELECT count(*)::int AS rows, sum(succeeded)::int AS succeeded, sum(faulted)::int AS faulted, sum(timed_out)::int AS "timedOut",
           sum(latency_ms_sum)::int AS "latencyMsSum" FROM health_bucket WHERE merchant_id = $1 AND method = 'CARD'`,
        [fixture.merchant.merchantId],
      );
      return rows[0];
    };
    for (let n = 0; n < 12; n++) {
      await fixture.see('paystack-main', n % 3 === 0 ? timedOut : well, 2);
      fixture.later(10_000);
    }
    const before = await sums();
    expect(before).toMatchObject({ rows: 12, succeeded: 16, faulted: 8, timedOut: 8 });
    await compactHealthCounts(fixture.context);
    expect(await sums()).toEqual(before);
    fixture.later(24 * 3_600_000 + 60_000);
    await Promise.all([compactHealthCounts(fixture.context), compactHealthCounts(fixture.context)]);
    await compactHealthCounts(fixture.context);
    expect(await sums()).toEqual({ ...before, rows: 2 });
    const { strips } = await readHealthStrips(fixture.context, {
      ...fixture.scope(),
      accountId: null,
      minutes: 3_000,
      stepSeconds: 60,
    });
    expect(strips.find(({ method }) => method === 'CARD')?.succeeded.reduce((sum, one) => sum + one, 0)).toBe(16);
    fixture.later(31 * 24 * 3_600_000);
    const old = new Date(fixture.now.getTime() - 31 * 24 * 3_600_000);
    expect(await ageOutHealthCounts(fixture.context.database, old, 1)).toBe(1);
    while ((await ageOutHealthCounts(fixture.context.database, old, 100)) > 0);
    expect(await sums()).toMatchObject({ rows: 0 });
  });

  test('show how often other thresholds would have fired', async () => {
    for (let n = 0; n < 30; n++) {
      await fixture.see('paystack-main', well, 8);
      if (n >= 10 && n < 16) await fixture.see('paystack-main', timedOut, 4);
      fixture.later(10_000);
    }
    const ask = (change: object, merchantId = fixture.merchant.merchantId) => {
      const thresholds = { ...DEFAULT_HEALTH_THRESHOLDS, ...change };
      return previewThresholds(fixture.context, { merchantId, mode: 'test', days: 2, thresholds });
    };
    const strict = await ask({ downShare: 0.3 });
    const card = strict?.series.find(({ method, label }) => method === 'CARD' && label === 'paystack-main');
    expect(card).toMatchObject({ inForce: { down: 0 }, proposed: { down: 1 }, latest: [{ state: 'down' }] });
    expect(card?.proposed.unhealthyMs).toBeGreaterThan(0);
    expect(await ask({}, fixture.context.newId())).toBeNull();
  });
});
