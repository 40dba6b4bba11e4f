import { openTestHealth, type TestHealth } from '@switchyard/provider-health/testing';
import type { Rule, RuleSet } from '@switchyard/routing';
import type { ReplayConditions } from '@switchyard/routing/replay';
import { createTestMerchant, publish, type TestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listTakeovers } from '../evaluate/evaluate.ts';
import type { MovedPayment } from '../rows/shadow.ts';
import { packDecision } from '../snapshot/store-inputs.ts';
import { type RecordedPayment, recordPayment } from '../testing/past-payments.ts';
import { pastPayments } from './past-payments.ts';
import { listMovedPayments, type ReplayOutcome, type ReplayStep, replayRules } from './replay.ts';

const FROM = new Date('2026-11-20T00:00:00Z');
const TO = new Date('2026-11-21T00:00:00Z');
const PAYMENTS = 400;

let context: TestHealth;
let merchant: TestMerchant;
let published: Omit<RuleSet, 'version'>;
let made: RecordedPayment[];

beforeAll(async () => {
  context = await openTestHealth();
  const cheap = { percentBasisPoints: 100, flat: 0, flatWaivedBelow: null, cap: null, vatBasisPoints: 0 };
  merchant = await createTestMerchant(context, {
    'paystack-main': {},
    'flutterwave-main': { fees: cheap },
    'paystack-second': {},
  });
  const first = id('paystack-main');
  const second = id('flutterwave-main');
  const third = id('paystack-second');
  published = {
    rules: [
      rule(
        'split',
        { from: 0, to: 20_000 },
        { strategy: 'weighted', split: [share(first, 60), share(second, 30), share(third, 10)] },
      ),
      rule('cheap', { from: 20_001, to: 60_000 }, { strategy: 'lowest_cost', accounts: [first, second] }),
      rule(
        'best',
        { from: 60_001, to: null },
        { strategy: 'success_rate', accounts: [first, second], minSamples: 5, explorationPercent: 20 },
      ),
    ],
    defaultOrder: [third, first],
  };
  await publish(context, merchant.merchantId, published);
  made = [];
  for (let n = 0; n < PAYMENTS; n++) made.push(await recordOne(n));
});
afterAll(() => context.close());

function id(label: string): string {
  return merchant.accounts[label] ?? '';
}
const share = (account: string, percent: number) => ({ account, percent });
function rule(ruleId: string, amount: Rule['when']['amount'], then: Rule['then']): Rule {
  return { ruleId, name: ruleId, enabled: true, when: { currency: 'NGN', methods: ['CARD'], amount }, then };
}

/** Payments over a day, by several methods and with health that changes under way. */
async function recordOne(n: number): Promise<RecordedPayment> {
  const createdAt = new Date(FROM.getTime() + n * 200_000);
  context.setClock(createdAt);
  if (n % 4 === 0) await trouble('paystack-main', n % 40 === 20 ? 12 : 0);
  return recordPayment(context, merchant.merchantId, {
    paymentId: `0193471e-8a3b-7c21-9f4e-${n.toString(16).padStart(12, '0')}`,
    createdAt,
    amount: 500 + ((n * 7_919) % 90_000),
    method: n % 7 === 0 ? 'TRANSFER' : n % 11 === 0 ? null : 'CARD',
    requestedGateway: n % 23 === 0 ? 'flutterwave' : null,
    status: n % 10 === 0 ? 'PENDING' : n % 3 === 0 ? 'FAILED' : 'SUCCESS',
  });
}

async function trouble(label: string, faults: number): Promise<void> {
  const call = { method: 'POST', url: '', httpStatus: 500, latencyMs: 9, request: null, answer: null, retryAfterMs: null };
  const failure = { class: 'provider_fault', code: 'http_5xx', message: 'x' } as const;
  const where = { merchantId: merchant.merchantId, accountId: id(label), method: 'CARD' };
  for (let n = 0; n < faults; n++) context.health.beginOpening(where)({ outcome: 'unknown', failure, call });
  await context.health.tick();
}

async function replay(document: unknown, period = { from: FROM, to: TO }, conditions: ReplayConditions = 'as_they_were') {
  const steps: ReplayStep[] = [];
  const query = { merchantId: merchant.merchantId, mode: 'test', document, ...period, conditions } as const;
  for await (const step of replayRules(context, query, new AbortController().signal)) steps.push(step);
  return steps;
}

function outcomeOf(steps: readonly ReplayStep[]): ReplayOutcome {
  const last = steps.at(-1);
  if (last?.kind !== 'done') throw new Error(`the replay ended with ${last?.kind}`);
  return last;
}

async function pages(document: unknown, limit: number, move: { from: string | null; to: string | null } | null = null) {
  const items: MovedPayment[] = [];
  let after = null;
  for (;;) {
    const query = { merchantId: merchant.merchantId, mode: 'test', document, from: FROM, to: TO, move, after, limit } as const;
    const page = await listMovedPayments(context, query);
    if (page.kind !== 'page') throw new Error(page.kind);
    expect(page.items.length).toBeLessThanOrEqual(limit);
    items.push(...page.items);
    if (page.next === null) return items;
    after = page.next;
  }
}

test('the payments of a period are counted by the rule that decides them, those without a rule with them', async () => {
  const query = { merchantId: merchant.merchantId, mode: 'test', document: null, from: FROM, to: TO } as const;
  const counted = await listTakeovers(context, query);
  // Rules do not decide payments that asked for a gateway.
  const routed = made.filter(({ decision }) => decision.routingMode !== 'requested');
  const expected = Map.groupBy(routed, ({ decision }) => decision.ruleId);
  expect(counted).toMatchObject({ kind: 'compared', payments: routed.length, cut: false, takeovers: [] });
  expect(new Map(counted.kind === 'compared' ? counted.decided.map((rule) => [rule.ruleId, rule.payments]) : [])).toEqual(
    new Map(Array.from(expected, ([ruleId, own]) => [ruleId, own.length])),
  );
  expect(await listTakeovers(context, { ...query, to: FROM })).toMatchObject({ payments: 0, decided: [] });
});

describe('the live rules, over the payments they routed', () => {
  test('moves none, splits and comparisons of conversion included', async () => {
    const { result, unreadable, liveVersion } = outcomeOf(await replay(published));
    expect({ ...result, conversion: null, fees: null }).toMatchObject({ payments: PAYMENTS, moved: 0, moves: [], reordered: 0 });
    expect(result.unroutable.payments).toBe(0);
    expect({ unreadable, liveVersion }).toEqual({ unreadable: 0, liveVersion: 1 });
    for (const { live, draft, difference } of result.fees) expect([difference, live]).toEqual([0n, draft]);
    expect(result.fees.length).toBeGreaterThan(0);
  });

  test('are the rules those payments followed, through health and strategies of every kind', async () => {
    const followed = new Set(made.map(({ decision }) => decision.ruleId));
    expect(followed).toEqual(new Set(['split', 'cheap', 'best', null]));
    expect(made.some(({ decision }) => decision.record.reasons.some(({ code }) => code === 'account_down'))).toBe(true);
    const { result } = outcomeOf(await replay({ rules: [], defaultOrder: [id('paystack-second')] }));
    const from = (accountId: string) => made.filter(({ decision }) => decision.plan[0]?.accountId === accountId).length;
    // All payments move from their stored account, except those with a requested gateway and those already there.
    const leaving = result.moves.filter((move) => move.to === id('paystack-second'));
    const asked = made.filter(({ decision }) => decision.routingMode === 'requested').length;
    expect(leaving.reduce((sum, { payments }) => sum + payments, 0)).toBe(PAYMENTS - asked - from(id('paystack-second')));
  });
});

describe('a draft that differs', () => {
  const draft = () => ({ ...published, rules: published.rules.slice(1) });

  test('moves exactly the payments that the paged list has, each once with its reasons', async () => {
    const { result } = outcomeOf(await replay(draft()));
    expect(result.moved).toBeGreaterThan(20);
    const listed = await pages(draft(), 7);
    expect(listed).toHaveLength(result.moved);
    expect(new Set(listed.map(({ paymentId }) => paymentId)).size).toBe(result.moved);
    expect(listed.every(({ from, to }) => from !== to)).toBe(true);
    for (const { from, to, payments } of result.moves) expect(await pages(draft(), 200, { from, to })).toHaveLength(payments);
    const times = listed.map(({ createdAt }) => createdAt.getTime());
    expect(times).toEqual(times.toSorted((left, right) => right - left));
  });

  test('reports its progress up to the total, and the result last', async () => {
    const steps = await replay(draft());
    expect(steps[0]).toEqual({ kind: 'progress', done: 0, total: PAYMENTS, moved: 0 });
    expect(steps.at(-1)).toMatchObject({ kind: 'done', cut: false, result: { payments: PAYMENTS } });
  });

  test('covers the period only: its first moment is in, its last is not', async () => {
    const period = { from: new Date(FROM.getTime() + 200_000), to: new Date(FROM.getTime() + 400_000) };
    expect(outcomeOf(await replay(draft(), period)).result.payments).toBe(1);
  });
});

test("with today's accounts and fees, both sides are routed by those, and the list is of the same payments", async () => {
  const draft = { ...published, rules: published.rules.slice(1) };
  const accountId = id('paystack-second');
  const { prisma } = context.database;
  const limit = async (maxAmount: bigint | null) => {
    const { merchantId } = merchant;
    await prisma.gatewayAccount.update({ where: { merchantId_id: { merchantId, id: accountId } }, data: { maxAmount } });
    await prisma.configurationRevision.update({ where: { merchantId }, data: { revision: { increment: 1 } } });
    await context.resources.configuration.refresh();
  };
  const before = outcomeOf(await replay(draft)).result;
  await limit(1_000n);
  const asTheyWere = outcomeOf(await replay(draft)).result;
  const today = outcomeOf(await replay(draft, undefined, 'today')).result;
  const query = { merchantId: merchant.merchantId, mode: 'test', document: draft, from: FROM, to: TO, after: null } as const;
  const listed = await listMovedPayments(context, { ...query, move: null, limit: 200, conditions: 'today' });
  await limit(null);
  expect(asTheyWere).toEqual(before);
  // Small payments go to paystack-second under the draft's default order: those above its limit of today do not.
  const toSecond = (result: typeof today) =>
    result.moves.filter(({ to }) => to === accountId).reduce((sum, { payments }) => sum + payments, 0);
  expect(toSecond(before)).toBeGreaterThan(toSecond(today));
  const items = listed.kind === 'page' ? listed.items : [];
  expect(items).toHaveLength(today.moved);
  expect(items.filter(({ to }) => to === accountId).every(({ amount }) => amount <= 1_000n)).toBe(true);
});

test('gaps that no payment of the period was in are named, and those that payments were in are not', async () => {
  const document = { ...published, rules: published.rules.slice(1) };
  const query = { merchantId: merchant.merchantId, mode: 'test', document, from: FROM, to: TO } as const;
  const unmetGaps = async (to: Date) => {
    const outcome = await listTakeovers(context, { ...query, to });
    return outcome.kind === 'compared' ? outcome.unmet.flatMap(({ gap }) => (gap?.method === 'CARD' ? [gap.to] : [])) : [];
  };
  expect(await unmetGaps(FROM)).toContain(20_000);
  expect(await unmetGaps(TO)).not.toContain(20_000);
});

test('the payments that a draft takes from rules in force are counted, requested gateways left out', async () => {
  const taker = rule('taker', { from: 10_000, to: 30_000 }, { strategy: 'priority', accounts: [id('paystack-main')] });
  const document = { ...published, rules: [taker, ...published.rules] };
  const query = { merchantId: merchant.merchantId, mode: 'test', document, from: FROM, to: TO } as const;
  const outcome = await listTakeovers(context, query);
  const within = made.filter(({ decision: { inputs, routingMode } }) => {
    const { amount, method } = inputs.payment;
    return method === 'CARD' && routingMode !== 'requested' && amount >= 10_000 && amount <= 30_000;
  });
  const counts = Map.groupBy(within, ({ decision }) => decision.ruleId);
  expect(outcome).toMatchObject({ kind: 'compared', liveVersion: 1, omitted: 0, cut: false });
  const takeovers = outcome.kind === 'compared' ? outcome.takeovers : [];
  expect(new Map(takeovers.map(({ from, payments }) => [from?.ruleId, payments]))).toEqual(
    new Map(['split', 'cheap'].map((ruleId) => [ruleId, counts.get(ruleId)?.length])),
  );
  expect(takeovers.every(({ to, payments }) => to?.ruleId === 'taker' && payments > 0)).toBe(true);
  expect(await listTakeovers(context, { ...query, document: published })).toMatchObject({
    takeovers: [],
  });
  expect(await listTakeovers(context, { ...query, document: { rules: 'none' } })).toMatchObject({ kind: 'invalid' });
});

test('reading batch by batch yields every payment of the period once, newest first, for any batch size', async () => {
  const query = { merchantId: merchant.merchantId, mode: 'test', from: FROM, to: TO, after: null } as const;
  const { signal } = new AbortController();
  const expected = made.map(({ paymentId }) => paymentId).reverse();
  for (const [batch, limit] of [
    [7, PAYMENTS],
    [100, PAYMENTS],
    [PAYMENTS, PAYMENTS],
    [64, 130],
  ] as const) {
    const seen: string[] = [];
    for await (const slice of pastPayments(context.database, { ...query, used: null, timeZone: 'UTC', limit }, signal, batch)) {
      seen.push(...slice.map(({ row }) => row.paymentId));
    }
    expect(seen).toEqual(expected.slice(0, limit));
  }
});

test('changes nothing in the database', async () => {
  const sum = async () => {
    const { rows } = await context.database.pool.query(
      `SELECT md5(string_agg(p::text, ',' ORDER BY id)) AS sum FROM payment AS p`,
    );
    return rows[0]?.sum;
  };
  const before = await sum();
  await replay({ rules: [], defaultOrder: [] });
  expect(await sum()).toBe(before);
});

test('an invalid document and an unknown merchant are refused at once', async () => {
  expect(await replay({ rules: 'none' })).toEqual([{ kind: 'invalid', problems: expect.arrayContaining([]) }]);
  const query = { merchantId: context.newId(), mode: 'test', document: published, from: FROM, to: TO } as const;
  const { value } = await replayRules(context, query, new AbortController().signal).next();
  expect(value).toEqual({ kind: 'not_found' });
});

test('a payment whose stored inputs cannot be read is counted and left out', async () => {
  const last = made.at(-1);
  await context.database.pool.query('UPDATE payment SET packed_decision = $2 WHERE id = $1', [
    last?.paymentId,
    packDecision({}, { payment: 1 }),
  ]);
  const { result, unreadable } = outcomeOf(await replay(published));
  expect([result.payments, unreadable]).toEqual([PAYMENTS - 1, 1]);
});

test('at most two run in one process at once, and one that is abandoned makes room', async () => {
  const query = { merchantId: merchant.merchantId, mode: 'test', document: published, from: FROM, to: TO } as const;
  const begin = () => replayRules(context, query, new AbortController().signal);
  const one = begin();
  const two = begin();
  await Promise.all([one.next(), two.next()]);
  expect((await begin().next()).value).toEqual({ kind: 'busy' });
  await one.return();
  const three = begin();
  expect((await three.next()).value).toMatchObject({ kind: 'progress' });
  await Promise.all([two.return(), three.return()]);
});

test('a consumer that stops ends it', async () => {
  const stop = new AbortController();
  const query = { merchantId: merchant.merchantId, mode: 'test', document: published, from: FROM, to: TO } as const;
  const kinds: string[] = [];
  for await (const { kind } of replayRules(context, query, stop.signal)) {
    kinds.push(kind);
    stop.abort();
  }
  expect(kinds).toEqual(['progress']);
});
