import { updateGateway } from '@switchyard/merchants/console/gateway-accounts';
import { connectTestAccount, testMerchant } from '@switchyard/merchants/testing';
import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RuleDraft } from '../drafts/create-draft.ts';
import { findDraft, saveDraft } from '../drafts/drafts.ts';
import { aDocument, cardRule, expectsCard, rulesOf } from '../testing/rules.ts';
import { publishDraft } from './publish.ts';
import { versionActiveAt } from './rule-set-history.ts';
import { cancelSchedule, publishScheduledRules } from './versions.ts';

const ada = 'staff:ada';
const bola = 'staff:bola';
const start = new Date('2100-01-01T12:00:00.000Z');
const later = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
let context: TestContext;
let merchantId: string;
let accountId: string;
let rules: ReturnType<typeof rulesOf>;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(async () => context.close());
beforeEach(async () => {
  context.setClock(start);
  merchantId = await testMerchant(context);
  accountId = await connectTestAccount(context, merchantId);
  rules = rulesOf(context, merchantId);
});

const one = () => aDocument(accountId, cardRule(accountId));

async function schedule(minutes = 30, document: unknown = one()): Promise<RuleDraft> {
  const draft = await rules.draft(document);
  const outcome = await publishDraft(context, { ...draft, at: later(minutes), reason: 'night tariff', actor: ada });
  if (outcome.kind !== 'scheduled') throw new Error(JSON.stringify(outcome));
  return outcome.draft;
}

/** Outcome for this suite's merchant; others' schedules may be due too. */
async function comeTo(minutes: number) {
  const settled = await publishScheduledRules(context, later(minutes));
  return settled.filter((publication) => publication.merchantId === merchantId);
}

const inForce = () => context.resources.configuration.merchant(merchantId)?.ruleSets.test;

describe('scheduled rules', () => {
  test('are published at their time and not before, in the name of who scheduled them', async () => {
    const scheduled = await schedule(30);
    expect(scheduled).toMatchObject({ state: 'SCHEDULED', publishAt: later(30), scheduledBy: ada });
    expect(await comeTo(29)).toEqual([]);
    expect(inForce()).toBeUndefined();
    const { draftId } = scheduled;
    expect(await comeTo(30)).toEqual([{ merchantId, mode: 'test', draftId, result: { kind: 'published', version: 1 } }]);
    expect(inForce()).toMatchObject({ version: 1, publishedBy: ada, publishedAt: later(30), reason: 'night tariff' });
    expect(await versionActiveAt(context, { ...rules.scope, at: later(30) })).toMatchObject({
      version: 1,
      scheduledFor: later(30),
    });
    expect(await comeTo(31)).toEqual([]);
  });

  test('are published once, however many processes run', async () => {
    await schedule(30);
    const settled = (await Promise.all(Array.from({ length: 8 }, () => comeTo(30)))).flat();
    expect(settled).toMatchObject([{ result: { kind: 'published', version: 1 } }]);
  });

  test('are refused when another version was published meanwhile; it stays in force, and the draft stores the reason', async () => {
    const scheduled = await schedule(30);
    context.setClock(later(5));
    await rules.publish(aDocument(accountId), 0, bola);
    const message =
      'Version 1 was published by staff:bola at 2100-01-01T12:05:00.000Z, and these rules were written from an earlier one.';
    const result = { kind: 'refused', why: 'stale_base', message };
    expect(await comeTo(30)).toMatchObject([{ draftId: scheduled.draftId, result }]);
    expect(inForce()).toMatchObject({ version: 1, publishedBy: bola });
    expect(await findDraft(context, scheduled)).toMatchObject({
      state: 'DRAFT',
      publishAt: null,
      document: { ...one(), version: 0 },
      scheduleRefusal: { at: later(30).toISOString(), kind: 'stale_base', message },
    });
    expect(await comeTo(60)).toEqual([]);
    const saved = await saveDraft(context, { ...scheduled, document: one(), baseVersion: 1, actor: ada });
    expect(saved).toMatchObject({ kind: 'saved', draft: { scheduleRefusal: null } });
  });

  test('are refused when their expectations no longer hold, or their accounts were removed', async () => {
    const secondId = await connectTestAccount(context, merchantId, 'second');
    const document = { ...aDocument(accountId, cardRule(accountId)), expectations: [expectsCard(accountId)] };
    await schedule(30, document);
    await updateGateway(context, { merchantId, accountId, changes: { enabled: false }, actor: bola });
    const broken = { why: 'broken_expectations', message: 'NGN 2,500.00 by card goes to second, and not to paystack-main.' };
    expect(await comeTo(30)).toMatchObject([{ result: broken }]);
    await schedule(40, aDocument(secondId));
    await context.database.prisma.gatewayAccount.delete({ where: { merchantId_id: { merchantId, id: secondId } } });
    const gone = { why: 'invalid', message: "defaultOrder.0 must be one of the merchant's accounts in this mode." };
    expect(await comeTo(40)).toMatchObject([{ result: gone }]);
    expect(inForce()).toBeUndefined();
  });

  test('leave an audit row when they are scheduled, cancelled, published and refused', async () => {
    const { draftId, revision } = await schedule(30);
    await cancelSchedule(context, { merchantId, draftId, actor: bola });
    await publishDraft(context, { merchantId, draftId, revision, at: later(30), reason: null, actor: ada });
    await comeTo(30);
    const late = await schedule(40);
    await rules.publish(aDocument(accountId), 1, bola);
    await comeTo(40);
    expect((await actions(draftId)).slice(2)).toEqual([
      ['rule_set.scheduled', ada],
      ['rule_set.schedule_cancelled', bola],
      ['rule_set.scheduled', ada],
      ['rule_set.published', 'system:schedule'],
    ]);
    expect((await actions(late.draftId)).slice(2)).toEqual([
      ['rule_set.scheduled', ada],
      ['rule_set.schedule_refused', 'system:schedule'],
    ]);
  });

  test('of one merchant come into force although those of another cannot be settled', async () => {
    const others = await testMerchant(context);
    const theirs = rulesOf(context, others);
    const broken = await theirs.draft({ rules: [], defaultOrder: [] });
    await publishDraft(context, { ...broken, at: later(10), reason: null, actor: ada });
    const where = { merchantId: others };
    await context.database.prisma.configurationRevision.update({ where, data: { revision: 2_147_483_647 } });
    await schedule(30);
    await expect(publishScheduledRules(context, later(30))).rejects.toThrow(/of \d+ schedules could not be settled/);
    expect(inForce()).toMatchObject({ version: 1 });
    expect(await findDraft(context, broken)).toMatchObject({ state: 'SCHEDULED' });
    await context.database.prisma.configurationRevision.update({ where, data: { revision: 10 } });
    await publishScheduledRules(context, later(31));
    expect(await findDraft(context, broken)).toMatchObject({ state: 'PUBLISHED' });
  });
});

describe('a schedule', () => {
  test('that is cancelled publishes nothing, and leaves the draft as it was', async () => {
    const { draftId } = await schedule(30);
    const cancelled = await cancelSchedule(context, { merchantId, draftId, actor: bola });
    expect(cancelled).toMatchObject({ kind: 'cancelled', draft: { state: 'DRAFT', publishAt: null, revision: 2 } });
    expect(await comeTo(30)).toEqual([]);
    const again = await cancelSchedule(context, { merchantId, draftId, actor: bola });
    expect(again).toEqual({ kind: 'not_scheduled', state: 'DRAFT' });
    expect(await cancelSchedule(context, { merchantId, draftId: 'x', actor: bola })).toEqual({ kind: 'not_found' });
  });

  test('that is due when it is cancelled is either published or cancelled, and both agree which', async () => {
    const { draftId } = await schedule(30);
    const [settled, cancelled] = await Promise.all([comeTo(30), cancelSchedule(context, { merchantId, draftId, actor: bola })]);
    expect([settled.length, cancelled.kind]).toEqual(settled.length === 1 ? [1, 'not_scheduled'] : [0, 'cancelled']);
    expect(inForce() !== undefined).toBe(settled.length === 1);
  });

  test('that is made or cancelled sends no process reading: nothing in force has changed', async () => {
    const where = { merchantId };
    const before = await context.database.prisma.configurationRevision.findUniqueOrThrow({ where });
    const { draftId } = await schedule(30);
    await cancelSchedule(context, { merchantId, draftId, actor: bola });
    expect(await context.database.prisma.configurationRevision.findUniqueOrThrow({ where })).toEqual(before);
  });

  test('keeps the draft from being saved until it is cancelled', async () => {
    const scheduled = await schedule(30);
    const refused = { kind: 'not_a_draft', state: 'SCHEDULED' };
    expect(await saveDraft(context, { ...scheduled, document: {}, actor: ada })).toEqual(refused);
    expect(await publishDraft(context, { ...scheduled, at: null, reason: null, actor: ada })).toEqual(refused);
  });

  test('is not made for what could not be published now', async () => {
    const draft = await rules.draft({ ...one(), expectations: [expectsCard('x')] });
    expect(await publishDraft(context, { ...draft, at: later(30), reason: null, actor: ada })).toMatchObject({ kind: 'invalid' });
    const stale = await rules.draft(one());
    await rules.publish(one(), 0, bola);
    expect(await publishDraft(context, { ...stale, at: later(30), reason: null, actor: ada })).toMatchObject({
      kind: 'stale_base',
    });
  });
});

async function actions(objectId: string) {
  const where = { tenantId: merchantId, objectId };
  const rows = await context.database.prisma.auditEntry.findMany({ where, orderBy: { position: 'asc' } });
  return rows.map(({ action, actor }) => [action, actor]);
}
