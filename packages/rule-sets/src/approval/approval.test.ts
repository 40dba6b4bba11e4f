import { connectTestAccount, testMerchant } from '@switchyard/merchants/testing';
import { openTestContext, type TestContext, testStaff } from '@switchyard/runtime/testing';
import { grantRole } from '@switchyard/staff/grants';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RuleDraft } from '../drafts/create-draft.ts';
import { findDraft, saveDraft } from '../drafts/drafts.ts';
import { aDocument, cardRule, expectsCard, rulesOf } from '../testing/rules.ts';
import { publishDraft, publishRules } from '../versions/publish.ts';
import { findRuleSetVersion } from '../versions/rule-set-history.ts';
import { publishScheduledRules, rollBackRules } from '../versions/versions.ts';
import { approveRules, rejectRules, requestApproval, requireApproval } from './approval.ts';

const people = {
  ada: '0193471e-8a3b-7c21-9f4e-0000000000a1',
  bola: '0193471e-8a3b-7c21-9f4e-0000000000b1',
  chi: '0193471e-8a3b-7c21-9f4e-0000000000c1',
};
const ada = `staff:${people.ada}`;
const bola = `staff:${people.bola}`;
const chi = `staff:${people.chi}`;
const start = new Date('2100-01-01T12:00:00.000Z');
const later = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
let context: TestContext;
let merchantId: string;
let accountId: string;
let rules: ReturnType<typeof rulesOf>;

beforeAll(async () => {
  context = await openTestContext();
  for (const staffId of Object.values(people)) {
    await testStaff(context, staffId);
    await grantRole(context, { staffId, merchantId: null, role: 'operator', actor: 'system:test' });
  }
});
afterAll(async () => context.close());
beforeEach(async () => {
  context.setClock(start);
  merchantId = await testMerchant(context);
  accountId = await connectTestAccount(context, merchantId);
  rules = rulesOf(context, merchantId);
});

const one = () => aDocument(accountId, cardRule(accountId));
const require = (required: boolean, actor: string) => requireApproval(context, { merchantId, required, actor });
const publish = (draft: RuleDraft, actor = ada) => publishDraft(context, { ...draft, at: null, reason: null, actor });
const request = (draft: RuleDraft, actor = ada) => requestApproval(context, { ...draft, actor });
const approve = (draft: RuleDraft, actor = bola) => approveRules(context, { ...draft, actor });
const needed = async () =>
  (await context.database.prisma.merchant.findUniqueOrThrow({ where: { id: merchantId } })).rulesNeedApproval;

/** A draft that another user approved. */
async function approved(document: unknown = one()): Promise<RuleDraft> {
  const draft = await rules.draft(document);
  await request(draft);
  const outcome = await approve(draft);
  if (outcome.kind !== 'approved') throw new Error(outcome.kind);
  return outcome.draft;
}

describe('where rules need a second person', () => {
  beforeEach(async () => {
    expect(await require(true, ada)).toEqual({ kind: 'changed', required: true });
  });

  test('nothing is published without, by whichever way', async () => {
    const draft = await rules.draft(one());
    expect(await publish(draft)).toEqual({ kind: 'needs_approval' });
    const command = { ...rules.scope, document: one(), baseVersion: 0, reason: null, actor: ada };
    expect(await publishRules(context, command)).toEqual({ kind: 'needs_approval' });
    await request(draft);
    expect(await publish(draft)).toEqual({ kind: 'needs_approval' });
    expect(await publishDraft(context, { ...draft, at: later(30), reason: null, actor: ada })).toEqual({
      kind: 'needs_approval',
    });
    await rejectRules(context, { ...draft, actor: bola, reason: 'too risky' });
    expect(await publish(draft)).toEqual({ kind: 'needs_approval' });
    expect(context.resources.configuration.merchant(merchantId)?.ruleSets.test).toBeUndefined();
  });

  test('an approved draft is published, and the version records its approver', async () => {
    const draft = await approved();
    expect(draft.approval).toEqual({ state: 'approved', requestedBy: ada, by: bola, at: start });
    expect(await publish(draft)).toMatchObject({ kind: 'published' });
    expect(await findRuleSetVersion(context, { ...rules.scope, version: 1 })).toMatchObject({
      publishedBy: ada,
      approvedBy: bola,
    });
    const row = await context.database.prisma.auditEntry.findFirstOrThrow({
      where: { tenantId: merchantId, action: 'rule_set.published' },
    });
    expect(row.after).toMatchObject({ approvedBy: bola });
  });

  test('only the approved content is published: a save revokes the approval, and reports it', async () => {
    const draft = await approved();
    const saved = await saveDraft(context, { ...draft, document: aDocument(accountId), actor: chi });
    expect(saved).toMatchObject({ kind: 'saved', approvalWithdrawn: true, draft: { approval: { state: 'none' } } });
    expect(saved.kind === 'saved' && (await publish(saved.draft))).toEqual({ kind: 'needs_approval' });
    expect(await approve({ ...draft, revision: draft.revision + 1 })).toEqual({ kind: 'not_requested' });
  });

  test('a revision that was saved since it was read is not approved', async () => {
    const draft = await rules.draft(one());
    await request(draft);
    const saved = await rules.save(draft, aDocument(accountId), ada);
    await request(saved);
    expect(await approve(draft)).toMatchObject({ kind: 'stale', draft: { revision: saved.revision } });
  });

  test.each([
    ['who created it', ada],
    ['who saved it once', bola],
    ['who asked for approval', chi],
  ])('the second person is not the one %s', async (_who, actor) => {
    const draft = await rules.save(await rules.begin({ kind: 'empty' }, ada), one(), bola);
    const mine = await rules.save(draft, one(), ada);
    await request(mine, chi);
    expect(await approve(mine, actor)).toEqual({ kind: 'own_work' });
    expect(await rejectRules(context, { ...mine, actor, reason: 'no' })).toEqual({ kind: 'own_work' });
    expect(await approve(mine, 'staff:dan')).toMatchObject({ kind: 'approved' });
  });

  test.each(['system:seed', 'system:schedule', 'ada'])('%s is no second person', async (actor) => {
    const draft = await rules.draft(one());
    await request(draft);
    expect(await approve(draft, actor)).toEqual({ kind: 'not_a_person' });
  });

  test('of two who answer at once, one does', async () => {
    const draft = await rules.draft(one());
    await request(draft);
    const answers = await Promise.all([approve(draft, bola), rejectRules(context, { ...draft, actor: chi, reason: 'no' })]);
    expect(answers.filter(({ kind }) => kind === 'not_requested')).toHaveLength(1);
    const stored = await findDraft(context, draft);
    const given = answers.find(({ kind }) => kind !== 'not_requested');
    expect(stored?.approval.state).toBe(given?.kind);
  });

  test('scheduled rules are approved before, and stay so; cancelling keeps the approval', async () => {
    const draft = await approved();
    await publishDraft(context, { ...draft, at: later(30), reason: null, actor: ada });
    const settled = await publishScheduledRules(context, later(30));
    expect(settled).toMatchObject([{ merchantId, result: { kind: 'published' } }]);
  });

  test('rolling back requires approval of the old rules, and nothing else', async () => {
    await publish(await approved());
    const next = await rules.save(await rules.begin(), aDocument(accountId));
    await request(next);
    await approve(next);
    await publish(next);
    const command = { ...rules.scope, version: 1, baseVersion: 2, reason: 'worse', actor: ada };
    const outcome = await rollBackRules(context, command);
    expect(outcome).toMatchObject({
      kind: 'needs_approval',
      draft: {
        name: 'Back to version 1',
        restoredVersion: 1,
        baseVersion: 2,
        approval: { state: 'requested', requestedBy: ada },
      },
    });
    if (outcome.kind !== 'needs_approval') return;
    expect(await approve(outcome.draft, ada)).toEqual({ kind: 'own_work' });
    expect(await approve(outcome.draft)).toMatchObject({ kind: 'approved' });
    expect(await publish(outcome.draft)).toMatchObject({ kind: 'published', ruleSet: { version: 3, ...one() } });
  });
});

describe('a request for approval', () => {
  test('is not made for what could not be published', async () => {
    const wrong = await rules.draft({});
    expect(await request(wrong)).toMatchObject({ kind: 'invalid' });
    const broken = await rules.draft({
      ...one(),
      expectations: [expectsCard(await connectTestAccount(context, merchantId, 'b'))],
    });
    expect(await request(broken)).toMatchObject({ kind: 'broken_expectations' });
  });

  test('that was rejected, with a reason, can be made again', async () => {
    const draft = await rules.draft(one());
    await request(draft);
    expect(await rejectRules(context, { ...draft, actor: bola, reason: ' ' })).toMatchObject({ kind: 'invalid' });
    const rejected = await rejectRules(context, { ...draft, actor: bola, reason: 'too risky' });
    const approval = { state: 'rejected', requestedBy: ada, by: bola, at: start, reason: 'too risky' };
    expect(rejected).toMatchObject({ kind: 'rejected', draft: { approval } });
    expect(await approve(draft)).toEqual({ kind: 'not_requested' });
    expect(await request(draft)).toMatchObject({ kind: 'requested', draft: { approval: { state: 'requested' } } });
    expect(await approve(draft)).toMatchObject({ kind: 'approved' });
  });

  test('is declined without a reason where none is given', async () => {
    const draft = await rules.draft(one());
    await request(draft);
    const approval = { state: 'rejected', requestedBy: ada, by: bola, at: start, reason: null };
    expect(await rejectRules(context, { ...draft, actor: bola, reason: null })).toMatchObject({
      kind: 'rejected',
      draft: { approval },
    });
  });

  test('and its answer are audited, and raise no revision', async () => {
    const where = { merchantId };
    const before = await context.database.prisma.configurationRevision.findUniqueOrThrow({ where });
    const draft = await approved();
    const rows = await context.database.prisma.auditEntry.findMany({
      where: { tenantId: merchantId, objectId: draft.draftId },
      orderBy: { position: 'asc' },
    });
    expect(rows.slice(2).map(({ action, actor }) => [action, actor])).toEqual([
      ['rule_set.approval_requested', ada],
      ['rule_set.approved', bola],
    ]);
    expect(await context.database.prisma.configurationRevision.findUniqueOrThrow({ where })).toEqual(before);
  });
});

describe('whether a second person is needed', () => {
  test('one person can turn on, and two have to agree to turn off', async () => {
    expect(await require(true, ada)).toEqual({ kind: 'changed', required: true });
    expect(await require(false, ada)).toEqual({ kind: 'needs_second_person', requestedBy: ada, until: later(24 * 60) });
    expect(await require(false, ada)).toMatchObject({ kind: 'needs_second_person' });
    expect(await needed()).toBe(true);
    expect(await require(false, bola)).toEqual({ kind: 'changed', required: false });
    expect(await needed()).toBe(false);
    expect(await require(false, bola)).toEqual({ kind: 'unchanged', required: false });
  });

  test('stays when the second agrees a day too late, or a user requests approval again meanwhile', async () => {
    await require(true, ada);
    await require(false, ada);
    context.setClock(later(24 * 60));
    expect(await require(false, bola)).toMatchObject({ kind: 'needs_second_person', requestedBy: bola });
    expect(await require(true, chi)).toEqual({ kind: 'changed', required: true });
    expect(await require(false, ada)).toMatchObject({ kind: 'needs_second_person', requestedBy: ada });
    expect(await needed()).toBe(true);
  });

  test('is for people to say, and audited', async () => {
    expect(await require(true, 'system:seed')).toEqual({ kind: 'not_a_person' });
    expect(await requireApproval(context, { merchantId: context.newId(), required: true, actor: ada })).toEqual({
      kind: 'not_found',
    });
    await require(true, ada);
    await require(false, ada);
    await require(false, bola);
    const rows = await context.database.prisma.auditEntry.findMany({
      where: { tenantId: merchantId, objectType: 'merchant' },
      orderBy: { position: 'asc' },
    });
    expect(rows.slice(1).map(({ action, actor, after }) => ({ action, actor, after }))).toEqual([
      { action: 'merchant.rules_approval_changed', actor: ada, after: { rulesNeedApproval: true, waiverRequestedBy: null } },
      {
        action: 'merchant.rules_approval_waiver_requested',
        actor: ada,
        after: { rulesNeedApproval: true, waiverRequestedBy: ada },
      },
      { action: 'merchant.rules_approval_changed', actor: bola, after: { rulesNeedApproval: false, waiverRequestedBy: null } },
    ]);
  });

  test('of two concurrent requests to turn it off, one is the request and the other the agreement', async () => {
    await require(true, chi);
    const outcomes = await Promise.all([require(false, ada), require(false, bola)]);
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['changed', 'needs_second_person']);
    expect(await needed()).toBe(false);
  });
});
