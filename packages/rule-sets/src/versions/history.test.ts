import { updateGateway } from '@switchyard/merchants/console/gateway-accounts';
import { connectTestAccount, testMerchant } from '@switchyard/merchants/testing';
import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { saveDraft } from '../drafts/drafts.ts';
import { aDocument, cardRule, expectsCard, rulesOf } from '../testing/rules.ts';
import { publishDraft } from './publish.ts';
import { diffStoredRuleSets, findRuleSetVersion, listRuleSetVersions, versionActiveAt } from './rule-set-history.ts';
import { type RollBackRulesCommand, rollBackRules } from './versions.ts';

const ada = 'staff:ada';
const bola = 'staff:bola';
const start = new Date('2100-01-01T14:00:00.000Z');
const at = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
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
  context.setClock(start);
  merchantId = await testMerchant(context);
  accountId = await connectTestAccount(context, merchantId);
  secondId = await connectTestAccount(context, merchantId, 'paystack-second');
  rules = rulesOf(context, merchantId);
});

const one = () => aDocument(accountId, cardRule(accountId));
const two = () => aDocument(accountId, cardRule(secondId), cardRule(secondId, 9_000));
const inForce = () => context.resources.configuration.merchant(merchantId)?.ruleSets.test;

async function history(): Promise<void> {
  await rules.publish(one(), 0);
  context.setClock(at(10));
  const draft = await rules.draft(two(), bola);
  await publishDraft(context, { ...draft, at: null, reason: 'more cards', actor: ada });
}

const rollBack = (change: Partial<RollBackRulesCommand> = {}) =>
  rollBackRules(context, { ...rules.scope, version: 1, baseVersion: 2, reason: 'worse', actor: bola, ...change });

describe('history', () => {
  test('shows of each version who published it, when, why, from what, and when it ended', async () => {
    await history();
    expect(await listRuleSetVersions(context, { ...rules.scope, limit: 10 })).toMatchObject([
      { version: 2, baseVersion: 1, reason: 'more cards', publishedBy: ada, editors: [bola], publishedAt: at(10), endedAt: null },
      { version: 1, baseVersion: 0, reason: null, publishedBy: ada, publishedAt: start, endedAt: at(10) },
    ]);
  });

  test('comes in pages, of one merchant and mode', async () => {
    for (let version = 0; version < 5; version++) await rules.publish(one(), version);
    await rulesOf(context, merchantId, 'live').begin();
    const page = async (beforeVersion?: number) => {
      const query = { ...rules.scope, limit: 2, ...(beforeVersion !== undefined && { beforeVersion }) };
      return (await listRuleSetVersions(context, query)).map(({ version }) => version);
    };
    expect([await page(), await page(4), await page(2), await page(1)]).toEqual([[5, 4], [3, 2], [1], []]);
    expect(await listRuleSetVersions(context, { ...rules.scope, mode: 'live', limit: 2 })).toEqual([]);
    expect(await listRuleSetVersions(context, { merchantId: 'x', mode: 'test', limit: 2 })).toEqual([]);
  });

  test('answers which version was active at a moment: exactly one, from its publication until the next', async () => {
    await history();
    const active = async (time: Date) => (await versionActiveAt(context, { ...rules.scope, at: time }))?.version ?? null;
    expect(await active(new Date(start.getTime() - 1))).toBeNull();
    expect(await active(start)).toBe(1);
    expect(await active(at(5))).toBe(1);
    expect(await active(new Date(at(10).getTime() - 1))).toBe(1);
    expect(await active(at(10))).toBe(2);
    expect(await active(at(1_000_000))).toBe(2);
  });

  test("has one order, also when the publisher's clock is behind", async () => {
    await history();
    context.setClock(at(3));
    await rules.publish(one(), 2);
    const [third, second] = await listRuleSetVersions(context, { ...rules.scope, limit: 2 });
    expect(third?.publishedAt).toEqual(new Date(at(10).getTime() + 1));
    expect(second?.endedAt).toEqual(third?.publishedAt);
  });

  test('compares any two, drafts too', async () => {
    await history();
    const version = (number: number) => ({ kind: 'version', version: number }) as const;
    const compare = (
      from: Parameters<typeof diffStoredRuleSets>[1]['from'],
      to: Parameters<typeof diffStoredRuleSets>[1]['to'],
    ) => diffStoredRuleSets(context, { ...rules.scope, from, to });
    expect(await compare(version(1), version(2))).toMatchObject({
      kind: 'compared',
      diff: { added: [{ rule: { ruleId: 'up-to-9000' } }], changed: [{ ruleId: 'up-to-5000' }] },
    });
    expect(await compare(version(2), { kind: 'published' })).toMatchObject({ diff: { same: true } });
    expect(await compare(null, version(2))).toMatchObject({ diff: { added: [{}, {}], removed: [] } });
    const draft = await rules.draft(one());
    const ref = { kind: 'draft', draftId: draft.draftId } as const;
    expect(await compare(version(2), ref)).toMatchObject({ diff: { removed: [{ rule: { ruleId: 'up-to-9000' } }] } });
    await saveDraft(context, { ...draft, document: {}, actor: ada });
    expect(await compare(version(2), ref)).toEqual({ kind: 'invalid', which: 'to' });
    expect(await compare(version(9), ref)).toEqual({ kind: 'not_found', which: 'from' });
    const live = { ...rules.scope, mode: 'live', from: null, to: ref } as const;
    expect(await diffStoredRuleSets(context, live)).toEqual({ kind: 'not_found', which: 'to' });
  });
});

test('a published version stays as it was published, whatever happens afterwards', async () => {
  await history();
  const first = await findRuleSetVersion(context, { ...rules.scope, version: 1 });
  expect(first).toMatchObject({ version: 1, ruleSet: { version: 1, ...one() } });
  await rollBack();
  await updateGateway(context, { merchantId, accountId, changes: { label: 'renamed', enabled: false }, actor: ada });
  const drafted = await rules.begin({ kind: 'version', version: 1 });
  await rules.save(drafted, two());
  expect(await findRuleSetVersion(context, { ...rules.scope, version: 1 })).toEqual(first);
  expect(await findRuleSetVersion(context, { ...rules.scope, version: 9 })).toBeNull();
  expect(await findRuleSetVersion(context, { merchantId: 'x', mode: 'test', version: 1 })).toBeNull();
});

describe('rolling back', () => {
  test('puts the old rules in force as a new version, in one step', async () => {
    await history();
    expect(await rollBack()).toMatchObject({ kind: 'published', ruleSet: { version: 3, ...one() } });
    expect(inForce()).toMatchObject({ version: 3, document: { version: 3, ...one() }, reason: 'worse', publishedBy: bola });
    const [latest] = await listRuleSetVersions(context, { ...rules.scope, limit: 1 });
    expect(latest).toMatchObject({ version: 3, baseVersion: 2, restoredVersion: 1 });
    const row = await context.database.prisma.auditEntry.findFirstOrThrow({
      where: { tenantId: merchantId, action: 'rule_set.rolled_back' },
    });
    expect(row).toMatchObject({
      actor: bola,
      before: { version: 2 },
      after: { version: 3, restoredVersion: 1, reason: 'worse' },
    });
  });

  test('from a version that is no longer in force is refused, and names who published', async () => {
    await history();
    await rules.publish(one(), 2, ada);
    expect(await rollBack()).toMatchObject({ kind: 'stale_base', currentVersion: 3, publishedBy: ada });
  });

  test('by many at once succeeds for exactly one', async () => {
    await history();
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => rollBack()));
    expect(outcomes.filter(({ kind }) => kind === 'published')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'stale_base')).toHaveLength(5);
  });

  test('to rules whose accounts were removed reports where they are named', async () => {
    await rules.publish(aDocument(secondId, cardRule(secondId)), 0);
    await rules.publish(one(), 1);
    await context.database.prisma.gatewayAccount.delete({ where: { merchantId_id: { merchantId, id: secondId } } });
    const outcome = await rollBack();
    expect(outcome).toMatchObject({ kind: 'accounts_gone' });
    const fields = outcome.kind === 'accounts_gone' ? outcome.problems.map(({ field }) => field) : [];
    expect(fields).toEqual(['rules.0.then.accounts.0', 'defaultOrder.0']);
    expect(inForce()).toMatchObject({ version: 2 });
  });

  test('to rules whose expectations hold no more is refused', async () => {
    await rules.publish({ ...one(), expectations: [expectsCard(accountId)] }, 0);
    await rules.publish(two(), 1);
    await updateGateway(context, { merchantId, accountId, changes: { enabled: false }, actor: ada });
    expect(await rollBack()).toMatchObject({ kind: 'broken_expectations', broken: [{ holds: false }] });
  });

  test('to what is in force, to what never was, or for a reason that cannot be stored changes nothing', async () => {
    await history();
    expect(await rollBack({ version: 2 })).toEqual({ kind: 'already_in_force' });
    expect(await rollBack({ version: 7 })).toEqual({ kind: 'unknown_version' });
    expect(await rollBack({ mode: 'live' })).toEqual({ kind: 'unknown_version' });
    expect(await rollBack({ reason: '\u0000' })).toMatchObject({ kind: 'invalid', problems: [{ field: 'reason' }] });
    expect(await rollBack({ merchantId: context.newId() })).toEqual({ kind: 'not_found' });
    expect(inForce()).toMatchObject({ version: 2 });
  });
});
