import { connectTestAccount, testMerchant } from '@switchyard/merchants/testing';
import { RULE_SET_LIMITS } from '@switchyard/routing/rule-set';
import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aDocument, cardRule, rulesOf } from '../testing/rules.ts';
import { publishDraft } from './publish.ts';
import { rollBackRules } from './versions.ts';

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

test('the maximum number of rules is drafted, published and rolled back', async () => {
  const merchantId = await testMerchant(context);
  const accountId = await connectTestAccount(context, merchantId);
  const rules = rulesOf(context, merchantId);
  const many = (shift: number) =>
    aDocument(
      accountId,
      ...Array.from({ length: RULE_SET_LIMITS.rules }, (_, index) => cardRule(accountId, index + shift, `r${index}`)),
    );
  const published = { at: null, reason: null, actor: 'staff:ada' };
  expect(await publishDraft(context, { ...(await rules.draft(many(1))), ...published })).toMatchObject({ kind: 'published' });
  const next = await rules.save(await rules.begin(), many(2));
  expect(await publishDraft(context, { ...next, ...published })).toMatchObject({ kind: 'published' });
  const back = { ...rules.scope, version: 1, baseVersion: 2, reason: 'worse', actor: 'staff:bola' };
  expect(await rollBackRules(context, back)).toMatchObject({ kind: 'published', ruleSet: { version: 3 } });
});
