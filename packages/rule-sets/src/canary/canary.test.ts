import { openTestHealth, type TestHealth } from '@switchyard/provider-health/testing';
import { NO_UNITS, takeUnit } from '@switchyard/routing/canary';
import { isDrawn } from '@switchyard/routing/decide';
import { createTestMerchant, publish, reloadConfiguration, type TestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { approveRules, requestApproval } from '../approval/approval.ts';
import type { RuleDraft } from '../drafts/create-draft.ts';
import { discardDraft, findDraft, saveDraft } from '../drafts/drafts.ts';
import { setOverride } from '../overrides/overrides.ts';
import { ageOutCanaryUnits, eraseCanaryCustomers } from '../rows/canaries.ts';
import { recordPayment } from '../testing/past-payments.ts';
import { aDocument, cardRule, rulesOf } from '../testing/rules.ts';
import { publishDraft } from '../versions/publish.ts';
import { findRuleSetVersion, listRuleSetVersions, readVersionResults, versionActiveAt } from '../versions/versions.ts';
import {
  describeCanary,
  listCanaries,
  listCanaryEndings,
  promoteCanary,
  startCanary,
  stopCanary,
  takeCanaryUnits,
  widenCanary,
} from './canary.ts';

const START = new Date('2026-11-20T10:00:00Z');
const MINUTE_MS = 60_000;
const DAY = 24 * 60;
const actor = 'staff:ada';
const TERMS = { percent: 30, toleratedLoss: 100, days: 28, reason: 'Flutterwave is cheaper', actor };

let context: TestHealth;
let merchant: TestMerchant;
let made = 0;

beforeAll(async () => {
  context = await openTestHealth();
});
beforeEach(async () => {
  context.setClock(START);
  await context.database.prisma.canaryUnit.deleteMany();
  await context.database.prisma.ruleCanary.deleteMany();
  merchant = await createTestMerchant(context, { 'paystack-main': {}, 'flutterwave-main': {} });
  await publish(context, merchant.merchantId, aDocument(account('paystack-main')));
});
afterAll(() => context.close());

function account(label: string): string {
  return merchant.accounts[label] ?? '';
}
function minutes(after: number): Date {
  return new Date(START.getTime() + after * MINUTE_MS);
}
const scope = () => ({ merchantId: merchant.merchantId, mode: 'test' as const });
/** A draft that sends small cards to Flutterwave. */
function aDraft(): Promise<RuleDraft> {
  const document = aDocument(account('paystack-main'), cardRule(account('flutterwave-main')));
  return rulesOf(context, merchant.merchantId).draft(document);
}
async function start(draft: RuleDraft, changes: Partial<typeof TERMS> = {}): Promise<string> {
  const outcome = await startCanary(context, { ...draft, ...TERMS, ...changes });
  if (outcome.kind !== 'started') throw new Error(JSON.stringify(outcome));
  return outcome.canaryId;
}
/** A payment of a customer, each minute one where no time is given. */
async function pay(
  email: string,
  at: Date,
  {
    status = 'SUCCESS',
    requestedGateway = null,
  }: { status?: 'PENDING' | 'SUCCESS' | 'FAILED'; requestedGateway?: string | null } = {},
) {
  made += 1;
  const paymentId = `0193471e-8a3b-7c21-9f4e-${made.toString(16).padStart(12, '0')}`;
  const options = {
    paymentId,
    amount: 2_500,
    method: 'CARD',
    requestedGateway,
    createdAt: at,
    status,
    customerEmail: email,
  } as const;
  return recordPayment(context, merchant.merchantId, options);
}
async function saltOf(canaryId: string): Promise<string> {
  const row = await context.database.prisma.ruleCanary.findFirstOrThrow({ where: { id: canaryId } });
  return row.salt;
}
const email = (place: number) => `customer-${place}@example.com`;
/** Payments of so many new customers, a second apart; `paid` says which arms' payments are paid. */
async function payMany(canaryId: string, customers: number, paid: { readonly draft: boolean; readonly live: boolean }) {
  const salt = await saltOf(canaryId);
  for (let place = 0; place < customers; place += 1) {
    const arm = isDrawn({ salt, percent: TERMS.percent }, email(place)) ? 'draft' : 'live';
    await pay(email(place), new Date(START.getTime() + place * 1_000), { status: paid[arm] ? 'SUCCESS' : 'FAILED' });
  }
}
async function described(canaryId: string) {
  const found = await describeCanary(context, { merchantId: merchant.merchantId, canaryId });
  if (found === null) throw new Error('there is no such canary');
  return found;
}
async function audit() {
  const where = { tenantId: merchant.merchantId, action: { contains: 'canary' } };
  return context.database.prisma.auditEntry.findMany({ where, orderBy: { position: 'asc' } });
}
const liveVersion = async () =>
  (await context.database.prisma.ruleSetVersion.findFirst({ where: { ...scope(), state: 'PUBLISHED' } }))?.version;

describe('a canary', () => {
  test('routes its share of customers, each always alike, and its decisions keep arm, salt and share', async () => {
    const canaryId = await start(await aDraft());
    const salt = await saltOf(canaryId);
    for (let place = 0; place < 60; place += 1) {
      const { decision } = await pay(email(place), minutes(place));
      const again = await pay(email(place).toUpperCase(), minutes(place + 1));
      const arm = isDrawn({ salt, percent: 30 }, email(place)) ? 'draft' : 'live';
      expect(decision.inputs.assignment).toEqual({ canary: { canaryId, arm, salt, percent: 30 } });
      expect(again.decision.inputs.assignment).toEqual(decision.inputs.assignment);
      expect(decision.ruleSetVersion).toBe(arm === 'draft' ? 2 : 1);
      expect(decision.plan[0]?.accountId).toBe(account(arm === 'draft' ? 'flutterwave-main' : 'paystack-main'));
      expect(decision.record.reasons.some(({ code }) => code === 'canary')).toBe(arm === 'draft');
    }
  });

  test('counts a customer once, by their first payment, when its horizon has passed, in the order of initiation', async () => {
    const canaryId = await start(await aDraft());
    await pay('bola@example.com', minutes(3), { status: 'FAILED' });
    await pay('ada@example.com', minutes(1));
    await pay('Ada@Example.com', minutes(2), { status: 'FAILED' });
    await pay('chidi@example.com', minutes(2), { requestedGateway: 'paystack' });
    context.setClock(minutes(40));
    expect(await takeCanaryUnits(context)).toBe(0);
    context.setClock(minutes(75));
    expect(await takeCanaryUnits(context)).toBe(2);
    await pay('ada@example.com', minutes(76), { status: 'FAILED' });
    await pay('chidi@example.com', minutes(77));
    context.setClock(minutes(200));
    expect(await takeCanaryUnits(context)).toBe(1);
    expect(await takeCanaryUnits(context)).toBe(0);
    const units = await context.database.prisma.canaryUnit.findMany({ where: { canaryId }, orderBy: { position: 'asc' } });
    expect(units.map(({ position, paid }) => [position, paid])).toEqual([
      [1, true],
      [2, false],
      [3, true],
    ]);
    const { draft, live, line } = await described(canaryId);
    expect([draft.customers + live.customers, draft.paid + live.paid]).toEqual([3, 2]);
    expect(line.map(({ customers }) => customers)).toEqual([1, 2, 3]);
  });

  test('counts what is paid after the horizon as not paid', async () => {
    const canaryId = await start(await aDraft());
    const { paymentId } = await pay('ada@example.com', minutes(1));
    await context.database.prisma.payment.updateMany({ where: { id: paymentId }, data: { paidAt: minutes(1 + 61) } });
    const inTime = await pay('bola@example.com', minutes(1));
    await context.database.prisma.payment.updateMany({ where: { id: inTime.paymentId }, data: { paidAt: minutes(1 + 60) } });
    context.setClock(minutes(DAY));
    await takeCanaryUnits(context);
    const { draft, live } = await described(canaryId);
    expect([draft.customers + live.customers, draft.paid + live.paid]).toEqual([2, 1]);
  });

  test('counts no customer twice when several workers take at once, or one starts again with small batches', async () => {
    const canaryId = await start(await aDraft());
    await payMany(canaryId, 40, { draft: true, live: true });
    context.setClock(minutes(DAY));
    const others = await Promise.all([context.beside(), context.beside()]);
    const taken = await Promise.all([
      takeCanaryUnits(context, { batch: 3 }),
      ...others.map((other) =>
        takeCanaryUnits({ ...context, resources: { ...context.resources, ...other.resources } }, { batch: 7 }),
      ),
    ]);
    const more = await takeCanaryUnits(context, { batch: 3 });
    expect(taken.reduce((sum, count) => sum + count, more)).toBe(40);
    const { draft, live } = await described(canaryId);
    expect(draft.customers + live.customers).toBe(40);
    expect(await context.database.prisma.canaryUnit.count({ where: { canaryId } })).toBe(40);
  });

  test('of a bad draft is rolled back by itself; of a good one promoted, as the version that it was', async () => {
    const bad = await start(await aDraft());
    await payMany(bad, 120, { draft: false, live: true });
    context.setClock(minutes(DAY));
    await takeCanaryUnits(context);
    const story = await described(bad);
    expect(story).toMatchObject({ ended: 'ROLLED_BACK', endedBy: 'system:canary', version: 2, liveVersion: 1 });
    expect(story.rollBack).toBeGreaterThanOrEqual(1);
    expect(story.difference?.estimate).toBeLessThan(-0.5);
    expect(await liveVersion()).toBe(1);
    const after = await pay(email(0), minutes(DAY + 1));
    expect([after.decision.ruleSetVersion, after.decision.inputs.assignment]).toEqual([1, undefined]);

    context.setClock(START);
    await context.database.prisma.payment.updateMany({ where: scope(), data: { createdAt: minutes(-DAY) } });
    const good = await start(await aDraft());
    await payMany(good, 120, { draft: true, live: false });
    context.setClock(minutes(DAY));
    await takeCanaryUnits(context);
    expect(await described(good)).toMatchObject({ ended: 'PROMOTED', version: 3 });
    expect(await liveVersion()).toBe(3);
    const { decision } = await pay(email(1), minutes(DAY + 1));
    expect([decision.ruleSetVersion, decision.inputs.assignment]).toEqual([3, undefined]);
    expect((await audit()).map(({ action, actor: by }) => [action, by])).toEqual([
      ['rule_set.canary_started', actor],
      ['rule_set.canary_rolled_back', 'system:canary'],
      ['rule_set.canary_started', actor],
      ['rule_set.canary_promoted', 'system:canary'],
    ]);
    const endings = await listCanaryEndings(context.database, { merchantIds: [merchant.merchantId], since: START });
    expect(endings.map(({ ended }) => ended)).toEqual(['PROMOTED', 'ROLLED_BACK']);
  });

  test('takes no customer after its verdict', async () => {
    const canaryId = await start(await aDraft());
    await payMany(canaryId, 200, { draft: false, live: true });
    context.setClock(minutes(DAY));
    await takeCanaryUnits(context);
    const { draft, live, rollBack, line } = await described(canaryId);
    expect(draft.customers + live.customers).toBeLessThan(200);
    expect(line.filter((point) => point.rollBack >= 1)).toHaveLength(1);
    expect(line.at(-1)?.rollBack).toBe(rollBack);
  });

  test('is stopped by hand at once, in every process', async () => {
    const canaryId = await start(await aDraft());
    const command = { merchantId: merchant.merchantId, canaryId, actor };
    expect(await stopCanary(context, command)).toEqual({ kind: 'stopped' });
    const { decision } = await pay('ada@example.com', minutes(1));
    expect([decision.ruleSetVersion, decision.inputs.assignment]).toEqual([1, undefined]);
    expect(await stopCanary(context, command)).toEqual({ kind: 'not_running', ended: 'STOPPED' });
    expect(await promoteCanary(context, command)).toEqual({ kind: 'not_running', ended: 'STOPPED' });
    context.setClock(minutes(DAY));
    expect(await takeCanaryUnits(context)).toBe(0);
    expect((await audit()).at(-1)).toMatchObject({ action: 'rule_set.canary_stopped', actor });
  });

  test('is widened by hand: those whom it routes stay, and each customer counts with the share they were drawn with', async () => {
    const canaryId = await start(await aDraft(), { percent: 5 });
    const salt = await saltOf(canaryId);
    const armAt = (percent: number, place: number) => (isDrawn({ salt, percent }, email(place)) ? 'draft' : 'live');
    const places = Array.from({ length: 60 }, (_, place) => place);
    for (const place of places.slice(0, 30)) await pay(email(place), minutes(1 + place / 60));
    const command = { merchantId: merchant.merchantId, canaryId, actor: 'staff:bola' };
    expect(await widenCanary(context, { ...command, percent: 25 })).toEqual({ kind: 'widened', percent: 25 });
    for (const place of places) {
      const { decision } = await pay(email(place), minutes(2 + place / 60));
      expect(decision.inputs.assignment).toEqual({ canary: { canaryId, arm: armAt(25, place), salt, percent: 25 } });
    }
    context.setClock(minutes(DAY));
    expect(await takeCanaryUnits(context)).toBe(60);
    const drawn = places.map((place) => (place < 30 ? { place, percent: 5 } : { place, percent: 25 }));
    const sums = drawn.reduce(
      (before, { place, percent }) =>
        takeUnit({ share: percent / 100, toleratedLoss: 0.01 }, before, { arm: armAt(percent, place), paid: true }),
      NO_UNITS,
    );
    const row = await context.database.prisma.ruleCanary.findFirstOrThrow({ where: { id: canaryId } });
    expect(row.sums).toEqual(sums);
    expect((await audit()).at(-1)).toMatchObject({
      action: 'rule_set.canary_widened',
      actor: 'staff:bola',
      before: { percent: 5 },
      after: { percent: 25 },
    });
  });

  test.each([25, 10, 51, 30.5])(
    'cannot be given %d % of customers once it has 25: that is no greater share up to 50',
    async (percent) => {
      const canaryId = await start(await aDraft(), { percent: 25 });
      const command = { merchantId: merchant.merchantId, canaryId, actor, percent };
      expect(await widenCanary(context, command)).toEqual({
        kind: 'invalid',
        problems: [{ field: 'percent', message: 'must be a whole number from 26 to 50' }],
      });
      expect((await described(canaryId)).percent).toBe(25);
      await stopCanary(context, command);
      expect(await widenCanary(context, { ...command, percent: 50 })).toEqual({ kind: 'not_running', ended: 'STOPPED' });
    },
  );

  test('is promoted by hand before its verdict', async () => {
    const canaryId = await start(await aDraft());
    expect(await promoteCanary(context, { merchantId: merchant.merchantId, canaryId, actor: 'staff:bola' })).toEqual({
      kind: 'promoted',
      version: 2,
    });
    expect(await described(canaryId)).toMatchObject({ ended: 'PROMOTED', endedBy: 'staff:bola' });
    expect((await versionActiveAt(context, { ...scope(), at: minutes(1) }))?.version).toBe(2);
  });

  test('ends without a verdict when its time is over, and the active version stays', async () => {
    const canaryId = await start(await aDraft(), { days: 1 });
    context.setClock(minutes(DAY - 1));
    await takeCanaryUnits(context);
    expect((await described(canaryId)).ended).toBeNull();
    context.setClock(minutes(DAY));
    await takeCanaryUnits(context);
    expect((await described(canaryId)).ended).toBe('TIME');
    expect(await liveVersion()).toBe(1);
  });

  test('that has earned promotion and can no longer be published ends, and says why', async () => {
    const canaryId = await start(await aDraft());
    await payMany(canaryId, 120, { draft: true, live: false });
    await context.database.prisma.gatewayAccount.deleteMany({ where: { id: account('flutterwave-main') } });
    await reloadConfiguration(context, merchant.merchantId);
    context.setClock(minutes(DAY));
    await takeCanaryUnits(context);
    expect(await described(canaryId)).toMatchObject({ ended: 'REFUSED', refusal: expect.stringContaining('account') });
    expect(await liveVersion()).toBe(1);
  });
});

describe('of a merchant and mode', () => {
  test('there is one canary at a time', async () => {
    await start(await aDraft());
    expect(await startCanary(context, { ...(await aDraft()), ...TERMS })).toEqual({ kind: 'already_running', version: 2 });
  });

  test('two that begin at the same time do not both run', async () => {
    const drafts = [await aDraft(), await aDraft()];
    const outcomes = await Promise.all(drafts.map((draft) => startCanary(context, { ...draft, ...TERMS })));
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['already_running', 'started']);
  });

  test('other rules that are published end it', async () => {
    const canaryId = await start(await aDraft());
    const other = await aDraft();
    const outcome = await publishDraft(context, { ...other, at: null, reason: null, actor: 'staff:bola' });
    expect(outcome).toMatchObject({ kind: 'published', ruleSet: { version: 3 } });
    expect(await described(canaryId)).toMatchObject({ ended: 'REPLACED', endedBy: 'staff:bola' });
    const entry = await context.database.prisma.auditEntry.findFirst({
      where: { tenantId: merchant.merchantId, action: 'rule_set.published' },
      orderBy: { position: 'desc' },
    });
    expect(entry?.after).toMatchObject({ version: 3, canaryStopped: 2 });
  });
});

describe('publishing for a share of customers', () => {
  test('needs the approval that any publication needs', async () => {
    await context.database.prisma.merchant.update({ where: { id: merchant.merchantId }, data: { rulesNeedApproval: true } });
    await reloadConfiguration(context, merchant.merchantId);
    const draft = await aDraft();
    expect(await startCanary(context, { ...draft, ...TERMS })).toEqual({ kind: 'needs_approval' });
    await requestApproval(context, { ...draft, actor });
    const approved = await approveRules(context, { ...draft, actor: 'staff:bola' });
    expect(approved.kind).toBe('approved');
    const canaryId = await start(draft);
    // The approval is of this document, and holds for its promotion.
    expect((await promoteCanary(context, { merchantId: merchant.merchantId, canaryId, actor })).kind).toBe('promoted');
  });

  test.each([
    [{ percent: 0 }, 'percent'],
    [{ percent: 51 }, 'percent'],
    [{ percent: 1.5 }, 'percent'],
    [{ toleratedLoss: 9 }, 'toleratedLoss'],
    [{ days: 91 }, 'days'],
    [{ reason: 'x'.repeat(501) }, 'reason'],
  ])('is refused with %o', async (changes, field) => {
    expect(await startCanary(context, { ...(await aDraft()), ...TERMS, ...changes })).toMatchObject({
      kind: 'invalid',
      problems: [{ field }],
    });
  });

  test('is refused for a draft that was saved meanwhile, or whose base is no longer active', async () => {
    const draft = await aDraft();
    expect((await startCanary(context, { ...draft, ...TERMS, revision: draft.revision - 1 })).kind).toBe('stale');
    await publishDraft(context, { ...(await aDraft()), at: null, reason: null, actor });
    expect((await startCanary(context, { ...draft, ...TERMS })).kind).toBe('stale_base');
  });

  test('freezes the draft', async () => {
    const draft = await aDraft();
    await start(draft);
    const state = { kind: 'not_a_draft', state: 'CANARY' };
    expect(await saveDraft(context, { ...draft, actor, document: {} })).toMatchObject(state);
    expect(await discardDraft(context, { ...draft, actor })).toMatchObject(state);
    expect((await findDraft(context, draft))?.state).toBe('CANARY');
  });
});

describe('the history of rules', () => {
  test('has a version that was tried, as such, and never as the active one', async () => {
    const canaryId = await start(await aDraft());
    expect((await versionActiveAt(context, { ...scope(), at: minutes(1) }))?.version).toBe(1);
    await stopCanary(context, { merchantId: merchant.merchantId, canaryId, actor });
    const versions = await listRuleSetVersions(context, { ...scope(), limit: 10 });
    expect(versions.map(({ version, state }) => [version, state])).toEqual([
      [2, 'WITHDRAWN'],
      [1, 'PUBLISHED'],
    ]);
    expect((await findRuleSetVersion(context, { ...scope(), version: 2 }))?.ruleSet.rules).toHaveLength(1);
    const results = await readVersionResults(context, { ...scope(), versions: [1, 2] });
    expect(results.map(({ version }) => version)).toEqual([1]);
    expect((await listCanaries(context, scope())).map(({ version, ended }) => [version, ended])).toEqual([[2, 'STOPPED']]);
  });
});

describe('what happens meanwhile', () => {
  test('is marked on the line and does not stop the canary', async () => {
    const canaryId = await start(await aDraft());
    context.setClock(minutes(5));
    const override = {
      accountId: account('flutterwave-main'),
      method: null,
      action: 'drain',
      reason: 'Late settlement',
    } as const;
    const times = { startsAt: null, expiresAt: minutes(50) };
    await setOverride(context, { merchantId: merchant.merchantId, ...override, ...times, actor });
    const down = { merchantId: merchant.merchantId, accountId: account('paystack-main'), method: '*', fromState: 'healthy' };
    await context.database.prisma.healthEvent.create({
      data: { ...down, id: context.newId(), toState: 'down', why: { code: 'unused' }, detail: {}, createdAt: minutes(10) },
    });
    context.setClock(minutes(DAY));
    await takeCanaryUnits(context);
    await stopCanary(context, { merchantId: merchant.merchantId, canaryId, actor });
    const { marks, endedAt } = await described(canaryId);
    expect(endedAt).toEqual(minutes(DAY));
    expect(marks).toEqual([
      { kind: 'drain', accountLabel: 'flutterwave-main', method: null, from: minutes(5), to: minutes(50) },
      { kind: 'outage', accountLabel: 'paystack-main', method: null, from: minutes(10), to: null },
    ]);
  });
});

describe('customers of a canary', () => {
  test('are stored as hashes, which erasing removes, and go by age from its end; the sums stay', async () => {
    const canaryId = await start(await aDraft());
    const { paymentId } = await pay('ada@example.com', minutes(1));
    context.setClock(minutes(DAY));
    await takeCanaryUnits(context);
    const units = () => context.database.prisma.canaryUnit.findMany({ where: { canaryId } });
    expect((await units()).map(({ customer }) => customer)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    await context.database.prisma.$transaction((transaction) =>
      eraseCanaryCustomers(transaction, merchant.merchantId, [paymentId]),
    );
    expect((await units()).map(({ customer }) => customer)).toEqual([paymentId]);
    const ageOut = () => ageOutCanaryUnits(context.database, merchant.merchantId, minutes(3 * DAY), 10);
    expect(await ageOut()).toBe(0);
    await stopCanary(context, { merchantId: merchant.merchantId, canaryId, actor });
    expect(await ageOut()).toBe(1);
    const { draft, live } = await described(canaryId);
    expect(draft.customers + live.customers).toBe(1);
  });
});
