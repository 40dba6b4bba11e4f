import { connectTestAccount, testMerchant } from '@switchyard/merchants/testing';
import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findDraft, listDrafts, saveDraft } from '../drafts/drafts.ts';
import { aDocument, cardRule, expectsCard, rulesOf } from '../testing/rules.ts';
import { publishDraft, publishRules } from './publish.ts';

const ada = 'staff:ada';
const bola = 'staff:bola';
let context: TestContext;
let merchantId: string;
let accountId: string;
let secondId: string;
let rules: ReturnType<typeof rulesOf>;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(async () => context.close());
beforeEach(async () => {
  context.setClock(null);
  merchantId = await testMerchant(context);
  accountId = await connectTestAccount(context, merchantId);
  secondId = await connectTestAccount(context, merchantId, 'paystack-second');
  rules = rulesOf(context, merchantId);
});

const one = () => aDocument(accountId, cardRule(accountId));
const publishing = { at: null, reason: 'cheaper', actor: ada };
const inForce = () => context.resources.configuration.merchant(merchantId)?.ruleSets.test;

async function revision(): Promise<number> {
  const where = { merchantId };
  return (await context.database.prisma.configurationRevision.findUniqueOrThrow({ where })).revision;
}

describe('publishing a draft', () => {
  test('makes the draft the version in force, with its document as it was saved', async () => {
    const draft = await rules.draft(one(), bola);
    expect(await publishDraft(context, { ...draft, ...publishing })).toEqual({
      kind: 'published',
      ruleSetId: draft.draftId,
      ruleSet: { version: 1, ...one() },
    });
    expect(inForce()).toMatchObject({
      id: draft.draftId,
      version: 1,
      state: 'PUBLISHED',
      document: { version: 1, ...one() },
      reason: 'cheaper',
      publishedBy: ada,
      editors: [bola],
    });
    expect(await listDrafts(context, rules.scope)).toEqual([]);
  });

  test('makes other processes reload; drafting does not', async () => {
    const before = await revision();
    const draft = await rules.draft(one());
    expect(await revision()).toBe(before);
    await publishDraft(context, { ...draft, ...publishing });
    expect(await revision()).toBe(before + 1);
  });

  test('leaves an audit row for every step', async () => {
    const draft = await rules.draft(one());
    await publishDraft(context, { ...draft, ...publishing });
    const rows = await context.database.prisma.auditEntry.findMany({
      where: { tenantId: merchantId, objectId: draft.draftId },
      orderBy: { position: 'asc' },
    });
    expect(rows.map(({ action, actor }) => [action, actor])).toEqual([
      ['rule_set.drafted', ada],
      ['rule_set.draft_saved', ada],
      ['rule_set.published', ada],
    ]);
    const after = { mode: 'test', version: 1, reason: 'cheaper', rules: { added: 1, removed: 0, moved: 0, changed: 0 } };
    expect(rows.at(-1)).toMatchObject({ before: { mode: 'test', version: 0 }, after });
  });

  test('of a stale revision is refused', async () => {
    const draft = await rules.draft(one());
    await rules.save(draft, aDocument(secondId), bola);
    expect(await publishDraft(context, { ...draft, ...publishing })).toMatchObject({ kind: 'stale', draft: { savedBy: bola } });
    expect(inForce()).toBeUndefined();
  });

  test('is undone as a whole when its audit row cannot be written', async () => {
    const draft = await rules.draft(one());
    await context.database.pool.query('ALTER TABLE audit_entry ADD CONSTRAINT closed CHECK (false) NOT VALID');
    await expect(publishDraft(context, { ...draft, ...publishing })).rejects.toThrow();
    await context.database.pool.query('ALTER TABLE audit_entry DROP CONSTRAINT closed');
    expect(await findDraft(context, draft)).toEqual(draft);
  });
});

describe('two people', () => {
  test('who publish drafts of one base: the second gets who published first, the changes, and the diff', async () => {
    await rules.publish(one(), 0);
    const mine = await rules.begin();
    const theirs = await rules.begin({ kind: 'published' }, bola);
    const savedTheirs = await rules.save(theirs, aDocument(accountId, cardRule(accountId), cardRule(secondId, 9_000)), bola);
    const savedMine = await rules.save(mine, aDocument(accountId, cardRule(secondId)));
    await publishDraft(context, { ...savedTheirs, at: null, reason: 'big cards', actor: bola });
    expect(await publishDraft(context, { ...savedMine, ...publishing })).toMatchObject({
      kind: 'stale_base',
      currentVersion: 2,
      publishedBy: bola,
      publishedAt: expect.any(Date),
      reason: 'big cards',
      theirs: { added: [{ rule: { ruleId: 'up-to-9000' } }], changed: [], removed: [] },
      diff: {
        removed: [{ rule: { ruleId: 'up-to-9000' } }],
        changed: [{ ruleId: 'up-to-5000', fields: [{ path: 'then.accounts', before: [accountId], after: [secondId] }] }],
      },
    });
    expect(inForce()).toMatchObject({ version: 2, publishedBy: bola });
  });

  test('of whom the second merges what the first published, and publishes over it', async () => {
    const mine = await rules.draft(one());
    await rules.publish(aDocument(secondId), 0, bola);
    expect(await publishDraft(context, { ...mine, ...publishing })).toMatchObject({ kind: 'stale_base' });
    const merged = await saveDraft(context, { ...mine, document: one(), baseVersion: 1, actor: ada });
    if (merged.kind !== 'saved') throw new Error(merged.kind);
    expect(await publishDraft(context, { ...merged.draft, ...publishing })).toMatchObject({
      kind: 'published',
      ruleSet: { version: 2 },
    });
  });

  test.each([
    ['one draft', async () => Array<Awaited<ReturnType<typeof rules.draft>>>(12).fill(await rules.draft(one()))],
    ['a draft each', async () => Promise.all(Array.from({ length: 12 }, (_, at) => rules.draft(one(), `staff:${at}`)))],
  ])('and more at once with %s: one publishes each version, the others are refused', async (_how, begin) => {
    const drafts = await begin();
    const outcomes = await Promise.all(
      drafts.map((draft, at) => publishDraft(context, { ...draft, ...publishing, actor: `staff:${at}` })),
    );
    expect(outcomes.filter(({ kind }) => kind === 'published')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'stale_base' || kind === 'not_a_draft')).toHaveLength(11);
    const rows = await context.database.prisma.ruleSetVersion.findMany({ where: { merchantId, version: { not: null } } });
    expect(rows).toHaveLength(1);
  });

  test('who publish over and over at once never skip, share or overwrite a version', async () => {
    const tries = 6;
    const published: number[] = [];
    await Promise.all(
      [ada, bola, 'staff:chi', 'staff:dan'].map(async (actor) => {
        for (let at = 0; at < tries; at++) {
          const draft = await rules.draft(aDocument(accountId, cardRule(accountId, at + 1)), actor);
          const outcome = await publishDraft(context, { ...draft, at: null, reason: actor, actor });
          if (outcome.kind === 'published') published.push(outcome.ruleSet.version);
          else expect(outcome).toMatchObject({ kind: 'stale_base', publishedBy: expect.stringMatching(/^staff:/) });
        }
      }),
    );
    const rows = await context.database.prisma.ruleSetVersion.findMany({
      where: { merchantId, version: { not: null } },
      orderBy: { version: 'asc' },
    });
    const versions = rows.map(({ version }) => version);
    expect(published.toSorted((left, right) => left - right)).toEqual(versions);
    expect(versions).toEqual(versions.map((_, at) => at + 1));
    for (const [at, row] of rows.entries()) {
      expect(row).toMatchObject({ baseVersion: at, state: at === rows.length - 1 ? 'PUBLISHED' : 'SUPERSEDED' });
      expect(row.endedAt).toEqual(rows[at + 1]?.publishedAt ?? null);
    }
  });
});

describe('findings of a draft', () => {
  test('blocks it, with every place', async () => {
    const draft = await rules.draft({ rules: [{ ...cardRule(accountId), name: '' }] });
    expect(await publishDraft(context, { ...draft, ...publishing })).toMatchObject({
      kind: 'invalid',
      problems: [
        { field: 'rules.0.name', message: 'must not be empty' },
        { field: 'defaultOrder', message: 'is required' },
      ],
    });
  });

  test('is an account that is not the merchant’s, in rules, default order or expectations', async () => {
    const strange = await connectTestAccount(context, await testMerchant(context));
    const document = { ...aDocument(strange, cardRule(strange)), expectations: [expectsCard(accountId, strange)] };
    const draft = await rules.draft(document);
    const outcome = await publishDraft(context, { ...draft, ...publishing });
    const fields = ['rules.0.then.accounts.0', 'defaultOrder.0', 'expectations.0.goesTo.1'];
    expect(outcome.kind === 'invalid' && outcome.problems.map(({ field }) => field)).toEqual(fields);
  });

  test('is an expectation that does not hold under it; holding ones are published with the version', async () => {
    const broken = { ...one(), expectations: [expectsCard(secondId), expectsCard(accountId)] };
    const draft = await rules.draft(broken);
    expect(await publishDraft(context, { ...draft, ...publishing })).toMatchObject({
      kind: 'broken_expectations',
      broken: [{ position: 0, holds: false, message: 'NGN 2,500.00 by card goes to paystack-main, and not to paystack-second.' }],
    });
    expect(inForce()).toBeUndefined();
    const kept = { ...one(), expectations: [expectsCard(accountId)] };
    const mended = await rules.save(draft, kept);
    expect(await publishDraft(context, { ...mended, ...publishing })).toMatchObject({ kind: 'published' });
    expect(inForce()?.document).toEqual({ ...kept, version: 1 });
  });

  test('blocks direct publication alike', async () => {
    const document = { ...one(), expectations: [expectsCard(secondId)] };
    const command = { ...rules.scope, document, baseVersion: 0, reason: null, actor: ada };
    expect(await publishRules(context, command)).toMatchObject({ kind: 'broken_expectations', broken: [{ holds: false }] });
  });

  test.each([
    ['reason', { reason: 'a'.repeat(501) }],
    ['at', { at: new Date(0) }],
    ['at', { at: new Date('2999-01-01') }],
    ['at', { at: new Date(Number.NaN) }],
  ])('is a %s of %j', async (field, change) => {
    const draft = await rules.draft(one());
    const outcome = await publishDraft(context, { ...draft, ...publishing, ...change });
    expect(outcome).toMatchObject({ kind: 'invalid', problems: [{ field }] });
  });
});

test('two versions can never be in force at once, whatever the program does', async () => {
  await rules.publish(one(), 0);
  await rules.publish(aDocument(secondId), 1);
  const where = { merchantId_mode_version: { ...rules.scope, version: 1 } };
  await expect(context.database.prisma.ruleSetVersion.update({ where, data: { state: 'PUBLISHED' } })).rejects.toThrow();
});
