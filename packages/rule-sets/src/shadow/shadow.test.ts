import { openTestHealth, type TestHealth } from '@switchyard/provider-health/testing';
import { createTestMerchant, publish, type TestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RuleDraft } from '../drafts/create-draft.ts';
import { discardDraft, saveDraft } from '../drafts/drafts.ts';
import { ageOutShadowRuns } from '../rows/shadow.ts';
import { packDecision } from '../snapshot/store-inputs.ts';
import { recordPayment } from '../testing/past-payments.ts';
import { aDocument, cardRule, rulesOf } from '../testing/rules.ts';
import { publishDraft } from '../versions/publish.ts';
import { recordShadowDecisions } from './record-shadow-decisions.ts';
import { describeShadow, listShadowDifferences, SHADOW_HOURS_MAX, SHADOW_RUNS_MAX, startShadow, stopShadow } from './shadow.ts';

const START = new Date('2026-11-20T10:00:00Z');
const actor = 'staff:ada';

let context: TestHealth;
let merchant: TestMerchant;
let made = 0;

beforeAll(async () => {
  context = await openTestHealth();
});
beforeEach(async () => {
  context.setClock(START);
  await context.database.prisma.shadowRun.deleteMany();
  await context.database.prisma.shadowDecision.deleteMany();
  const fees = (percentBasisPoints: number) => ({
    percentBasisPoints,
    flat: 0,
    flatWaivedBelow: null,
    cap: null,
    vatBasisPoints: 0,
  });
  merchant = await createTestMerchant(context, {
    'paystack-main': { fees: fees(150) },
    'flutterwave-main': { fees: fees(100) },
  });
  await publish(context, merchant.merchantId, aDocument(account('paystack-main')));
});
afterAll(() => context.close());

function account(label: string): string {
  return merchant.accounts[label] ?? '';
}
function minutes(after: number): Date {
  return new Date(START.getTime() + after * 60_000);
}
/** A draft that sends small cards to Flutterwave. */
function aDraft(): Promise<RuleDraft> {
  return rulesOf(context, merchant.merchantId).draft(draftDocument());
}
function draftDocument() {
  const document = aDocument(account('paystack-main'), cardRule(account('flutterwave-main')));
  return { ...document, defaultOrder: [account('paystack-main'), account('flutterwave-main')] };
}
async function start(draft: RuleDraft, hours = 24) {
  const outcome = await startShadow(context, { ...draft, hours, actor });
  expect(outcome).toMatchObject({ kind: 'started' });
}
async function pay(at: Date, amount = 2_500, status: 'PENDING' | 'SUCCESS' | 'FAILED' = 'SUCCESS') {
  made += 1;
  const paymentId = `0193471e-8a3b-7c21-9f4e-${made.toString(16).padStart(12, '0')}`;
  context.setClock(at);
  const options = { paymentId, amount, method: 'CARD', requestedGateway: null, createdAt: at, status } as const;
  return recordPayment(context, merchant.merchantId, options);
}
async function reportOf({ draftId }: RuleDraft) {
  const found = await describeShadow(context, { merchantId: merchant.merchantId, draftId });
  if (found === null) throw new Error('the draft never ran in shadow');
  return found;
}
async function auditActions(): Promise<string[]> {
  const where = { tenantId: merchant.merchantId, action: { contains: 'shadow' } };
  const rows = await context.database.prisma.auditEntry.findMany({ where, orderBy: { position: 'asc' } });
  return rows.map(({ action }) => action);
}

describe('a draft in shadow', () => {
  test('decides the payments of its time beside the real decisions, and sums up what would differ', async () => {
    await pay(minutes(-1));
    context.setClock(START);
    const draft = await aDraft();
    await start(draft);
    const small = await pay(minutes(1));
    await pay(minutes(2), 2_000, 'FAILED');
    await pay(minutes(3), 50_000);
    context.setClock(minutes(4));
    expect(await recordShadowDecisions(context)).toBe(3);
    // A recorded decision is not recorded again, and a later one is.
    expect(await recordShadowDecisions(context)).toBe(0);
    await pay(minutes(5), 1_000, 'PENDING');
    context.setClock(minutes(6));
    expect(await recordShadowDecisions(context)).toBe(1);

    const { summary, endedAt, endsAt, draftRevision } = await reportOf(draft);
    expect([endedAt, endsAt, draftRevision]).toEqual([null, minutes(24 * 60), draft.revision]);
    expect(summary).toMatchObject({ payments: 4, reordered: 0, moved: 3, unreadable: 0 });
    const way = { from: account('paystack-main'), to: account('flutterwave-main') };
    // 1.5 % of 2,500 against 1 %, in hundredths.
    const fees = { currency: 'NGN', live: 3_750n, draft: 2_500n, difference: -1_250n, compared: 1, unpriced: 0 };
    expect(summary.moves).toEqual([
      {
        ...way,
        payments: 3,
        outcomes: { paid: 1, unpaid: 1, open: 1 },
        amounts: { NGN: 5_500n },
        fees: [fees],
        why: [],
        examples: [],
      },
    ]);
    // 1.5 % of 2,500 and 50,000 against 1 % of 2,500 and 1.5 % of 50,000, in hundredths.
    expect(summary.fees).toEqual([
      { currency: 'NGN', live: 78_750n, draft: 77_500n, difference: -1_250n, compared: 2, unpriced: 0 },
    ]);
    expect(summary.conversion.message).toMatch(/Too little is known/);
    expect(summary.earned).toMatchObject([{ currency: 'NGN', covered: 0, uncovered: 3 }]);

    const first = await listShadowDifferences(context, { ...draft, after: null, limit: 2 });
    const second = await listShadowDifferences(context, { ...draft, after: first.next, limit: 2 });
    expect([...first.items, ...second.items].map(({ amount, status }) => [amount, status])).toEqual([
      [1_000n, 'PENDING'],
      [2_000n, 'FAILED'],
      [2_500n, 'SUCCESS'],
    ]);
    expect(second.items[0]).toMatchObject({
      paymentId: small.paymentId,
      ruleId: 'up-to-5000',
      ...way,
    });
    expect(second.next).toBeNull();
  });

  test('changes no payment', async () => {
    const draft = await aDraft();
    await start(draft);
    await pay(minutes(1));
    const sum = async () => {
      const { rows } = await context.database.pool.query(
        `SELECT (SELECT md5(string_agg(p::text, ',' ORDER BY id)) FROM payment AS p) AS payments,
          (SELECT md5(string_agg(a::text, ',' ORDER BY id)) FROM attempt AS a) AS attempts`,
      );
      return rows[0];
    };
    const before = await sum();
    context.setClock(minutes(2));
    expect(await recordShadowDecisions(context)).toBe(1);
    expect(await sum()).toEqual(before);
  });

  test('takes in a payment whose transaction took long, and goes batch by batch', async () => {
    const draft = await aDraft();
    await start(draft);
    for (let n = 1; n <= 7; n++) await pay(minutes(n));
    context.setClock(minutes(10));
    expect(await recordShadowDecisions(context, { batch: 2 })).toBe(7);
    await pay(new Date(minutes(10).getTime() - 30_000));
    context.setClock(minutes(11));
    expect(await recordShadowDecisions(context)).toBe(1);
  });

  test('ends by itself at its time, with nothing of later, and is in the audit log', async () => {
    const draft = await aDraft();
    await start(draft, 1);
    await pay(minutes(59));
    await pay(minutes(60));
    context.setClock(minutes(60));
    await recordShadowDecisions(context);
    expect((await reportOf(draft)).endedAt).toBeNull();
    context.setClock(minutes(61));
    await recordShadowDecisions(context);
    expect(await reportOf(draft)).toMatchObject({ ended: 'TIME', endedAt: minutes(60), summary: { payments: 1 } });
    expect(await auditActions()).toEqual(['rule_set.shadow_started', 'rule_set.shadow_ended']);
  });

  test('ends at its limit of payments', async () => {
    const draft = await aDraft();
    await start(draft);
    for (let n = 1; n <= 4; n++) await pay(minutes(n));
    context.setClock(minutes(5));
    expect(await recordShadowDecisions(context, { limit: 3 })).toBe(3);
    expect(await reportOf(draft)).toMatchObject({ ended: 'LIMIT', summary: { payments: 3 } });
  });

  test('is stopped by a person, and records nothing more', async () => {
    const draft = await aDraft();
    await start(draft);
    const key = { merchantId: merchant.merchantId, draftId: draft.draftId, actor };
    expect(await stopShadow(context, key)).toEqual({ kind: 'stopped' });
    expect(await stopShadow(context, key)).toEqual({ kind: 'not_running' });
    await pay(minutes(1));
    expect(await recordShadowDecisions(context)).toBe(0);
    expect(await reportOf(draft)).toMatchObject({ ended: 'STOPPED', summary: { payments: 0 } });
    expect(await auditActions()).toEqual(['rule_set.shadow_started', 'rule_set.shadow_stopped']);
  });

  test('is stopped by a change of its rules, not of its name', async () => {
    const draft = await aDraft();
    await start(draft);
    const command = { merchantId: merchant.merchantId, draftId: draft.draftId, actor };
    const renamed = await saveDraft(context, { ...command, revision: draft.revision, document: draftDocument(), name: 'B' });
    expect((await reportOf(draft)).endedAt).toBeNull();
    const revision = renamed.kind === 'saved' ? renamed.draft.revision : 0;
    await saveDraft(context, { ...command, revision, document: aDocument(account('paystack-main')) });
    expect(await reportOf(draft)).toMatchObject({ ended: 'SAVED', endedAt: START });
  });

  test('is stopped when the draft is published or discarded', async () => {
    const published = await aDraft();
    await start(published);
    const key = ({ draftId, revision }: RuleDraft) => ({ merchantId: merchant.merchantId, draftId, revision, actor });
    await publishDraft(context, { ...key(published), at: null, reason: null });
    expect(await reportOf(published)).toMatchObject({ ended: 'PUBLISHED' });
    const discarded = await aDraft();
    await start(discarded);
    await discardDraft(context, key(discarded));
    expect(await reportOf(discarded)).toMatchObject({ ended: 'DISCARDED' });
  });

  test('leaves out a payment whose stored decision cannot be read, once', async () => {
    const draft = await aDraft();
    await start(draft);
    const { paymentId } = await pay(minutes(1));
    await context.database.pool.query('UPDATE payment SET packed_decision = $2 WHERE id = $1', [
      paymentId,
      packDecision({}, { payment: 1 }),
    ]);
    context.setClock(minutes(2));
    expect(await recordShadowDecisions(context)).toBe(1);
    expect(await recordShadowDecisions(context)).toBe(0);
    expect((await reportOf(draft)).summary).toMatchObject({ payments: 0, moved: 0, unreadable: 1 });
  });
});

describe('starting is refused', () => {
  test('for a draft that is not complete, was saved meanwhile, or runs already', async () => {
    const { merchantId } = merchant;
    const begin = (draft: RuleDraft, hours = 1) => startShadow(context, { ...draft, hours, actor });
    const incomplete = await rulesOf(context, merchantId).draft({ rules: [{ ruleId: 'half' }], defaultOrder: [] });
    expect(await begin(incomplete)).toMatchObject({ kind: 'invalid' });
    const stranger = await rulesOf(context, merchantId).draft(aDocument(context.newId()));
    expect(await begin(stranger)).toMatchObject({ kind: 'invalid', problems: [{ field: 'defaultOrder.0' }] });
    const draft = await aDraft();
    for (const hours of [0, 1.5, SHADOW_HOURS_MAX + 1]) {
      expect(await begin(draft, hours)).toMatchObject({ kind: 'invalid', problems: [{ field: 'hours' }] });
    }
    expect(await begin({ ...draft, revision: 1 })).toMatchObject({ kind: 'stale' });
    expect(await begin(draft)).toMatchObject({ kind: 'started' });
    expect(await begin(draft)).toMatchObject({ kind: 'already_running', endsAt: minutes(60) });
  });

  test('for more than a few at once', async () => {
    for (let n = 0; n < SHADOW_RUNS_MAX; n++) await start(await aDraft());
    expect(await startShadow(context, { ...(await aDraft()), hours: 1, actor })).toEqual({
      kind: 'too_many',
      limit: SHADOW_RUNS_MAX,
    });
  });
});

test('ended runs age out with their decisions, of their merchant only; those that run stay', async () => {
  const ended = await aDraft();
  await start(ended);
  const running = await aDraft();
  await start(running);
  for (let n = 1; n <= 3; n++) await pay(minutes(n));
  context.setClock(minutes(4));
  await recordShadowDecisions(context);
  await stopShadow(context, { merchantId: merchant.merchantId, draftId: ended.draftId, actor });
  const { database } = context;
  expect(await ageOutShadowRuns(database, merchant.merchantId, minutes(4), 10)).toBe(0);
  expect(await ageOutShadowRuns(database, context.newId(), minutes(9), 10)).toBe(0);
  expect(await ageOutShadowRuns(database, merchant.merchantId, minutes(9), 2)).toBe(2);
  expect(await ageOutShadowRuns(database, merchant.merchantId, minutes(9), 2)).toBe(1);
  expect(await describeShadow(context, ended)).toBeNull();
  expect((await reportOf(running)).summary.payments).toBe(3);
});
