import { connectTestAccount, testMerchant } from '@switchyard/merchants/testing';
import type { Rule } from '@switchyard/routing';
import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { publishRules } from './publish.ts';

const actor = 'staff:ada';
let context: TestContext;
let merchantId: string;
let accountId: string;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(async () => context.close());
beforeEach(async () => {
  context.setClock(null);
  merchantId = await testMerchant(context);
  accountId = await connectTestAccount(context, merchantId);
});

function rule(account: string): Rule {
  return {
    ruleId: 'small-cards',
    name: 'Small cards',
    enabled: true,
    when: { currency: 'NGN', methods: ['CARD'], amount: { from: 0, to: 5_000 } },
    then: { strategy: 'priority', accounts: [account] },
  };
}

function publish(baseVersion: number, document: unknown = { rules: [rule(accountId)], defaultOrder: [accountId] }) {
  return publishRules(context, { merchantId, mode: 'test', document, baseVersion, reason: null, actor });
}

async function versions() {
  const rows = await context.database.prisma.ruleSetVersion.findMany({ where: { merchantId }, orderBy: { version: 'asc' } });
  return rows.map(({ version, state, endedAt }) => ({ version, state, ended: endedAt !== null }));
}

describe('publishing', () => {
  test('makes the next version the one in force and ends the one before', async () => {
    expect(await publish(0)).toMatchObject({ kind: 'published', ruleSet: { version: 1 } });
    expect(await publish(1, { rules: [], defaultOrder: [accountId] })).toMatchObject({
      kind: 'published',
      ruleSet: { version: 2 },
    });
    expect(await versions()).toEqual([
      { version: 1, state: 'SUPERSEDED', ended: true },
      { version: 2, state: 'PUBLISHED', ended: false },
    ]);
    const inForce = context.resources.configuration.merchant(merchantId)?.ruleSets.test;
    expect(inForce?.document).toEqual({ version: 2, rules: [], defaultOrder: [accountId] });
    expect(context.resources.configuration.merchant(merchantId)?.ruleSets.live).toBeUndefined();
  });

  test('stores the document as it was written, with its version', async () => {
    const document = { version: 99, rules: [rule(accountId)], defaultOrder: [accountId] };
    expect(await publish(0, document)).toMatchObject({ kind: 'published' });
    const stored = context.resources.configuration.merchant(merchantId)?.ruleSets.test;
    expect(stored).toMatchObject({ version: 1, baseVersion: 0, publishedBy: actor, document: { ...document, version: 1 } });
  });

  test('on a version that is no longer in force is refused and names the one that is', async () => {
    await publish(0);
    for (const stale of [0, 2]) expect(await publish(stale)).toMatchObject({ kind: 'stale_base', currentVersion: 1 });
    expect(await versions()).toHaveLength(1);
  });

  test('by many at once from one version succeeds for exactly one', async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => publish(0)));
    expect(outcomes.filter(({ kind }) => kind === 'published')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'stale_base')).toHaveLength(7);
    expect(await versions()).toEqual([{ version: 1, state: 'PUBLISHED', ended: false }]);
  });
});

describe('a document that is wrong', () => {
  test.each([null, 'rules', [], 7, undefined])('is refused when it is %j', async (document) => {
    const outcome = await publishRules(context, { merchantId, mode: 'test', document, baseVersion: 0, reason: null, actor });
    expect(outcome).toMatchObject({
      kind: 'invalid',
      problems: expect.arrayContaining([{ field: expect.any(String), message: expect.any(String) }]),
    });
  });

  test('is refused with the place of each problem', async () => {
    const broken = { ...rule(accountId), when: { currency: 'naira', methods: [], amount: { from: 10, to: 5 } } };
    const outcome = await publish(0, { rules: [broken], defaultOrder: [accountId] });
    expect(outcome.kind === 'invalid' && outcome.problems.map(({ field }) => field).toSorted()).toEqual([
      'rules.0.when.amount.to',
      'rules.0.when.currency',
      'rules.0.when.methods',
    ]);
  });

  test("is refused when it names an account that is not the merchant's own in this mode", async () => {
    const strangers = await connectTestAccount(context, await testMerchant(context));
    const message = "must be one of the merchant's accounts in this mode";
    const outcome = await publish(0, { rules: [rule(strangers)], defaultOrder: [accountId, strangers] });
    expect(outcome).toEqual({
      kind: 'invalid',
      problems: [
        { field: 'rules.0.then.accounts.0', message },
        { field: 'defaultOrder.1', message },
      ],
    });
    const split = [
      { account: accountId, percent: 40 },
      { account: strangers, percent: 60 },
    ];
    const weighted = { ...rule(accountId), then: { strategy: 'weighted', split } };
    expect(await publish(0, { rules: [weighted], defaultOrder: [] })).toEqual({
      kind: 'invalid',
      problems: [{ field: 'rules.0.then.split.1.account', message }],
    });
    const document = { rules: [], defaultOrder: [accountId] };
    const live = { merchantId, mode: 'live', document, baseVersion: 0, reason: null, actor } as const;
    expect(await publishRules(context, live)).toEqual({ kind: 'invalid', problems: [{ field: 'defaultOrder.0', message }] });
  });

  test('is refused with a reason too long or not to be stored', async () => {
    for (const reason of ['a'.repeat(501), 'a\u0000']) {
      const command = {
        merchantId,
        mode: 'test',
        document: { rules: [], defaultOrder: [] },
        baseVersion: 0,
        reason,
        actor,
      } as const;
      expect(await publishRules(context, command)).toMatchObject({ kind: 'invalid', problems: [{ field: 'reason' }] });
    }
  });
});
