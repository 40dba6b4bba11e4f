import { connectGateway, updateGateway } from '@switchyard/merchants/console/gateway-accounts';
import { connectTestAccount, testAccount, testMerchant } from '@switchyard/merchants/testing';
import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDraft } from '../drafts/create-draft.ts';
import { validateRules } from '../drafts/drafts.ts';
import type { RuleSetSource } from '../rows/rule-set-source.ts';
import { aDocument, cardRule, expectsCard, rulesOf } from '../testing/rules.ts';
import { checkRuleSetFile } from './check-rule-set-file.ts';
import { exportAccounts, exportRules } from './files.ts';

const ada = 'staff:ada';
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
  merchantId = await testMerchant(context);
  accountId = await connectTestAccount(context, merchantId);
  secondId = await connectTestAccount(context, merchantId, 'paystack-second');
  rules = rulesOf(context, merchantId);
});

const document = () => ({ ...aDocument(accountId, cardRule(secondId)), expectations: [expectsCard(secondId)] });

async function exported(source: RuleSetSource = { kind: 'published' }) {
  const outcome = await exportRules(context, { ...rules.scope, rules: source });
  if (outcome.kind !== 'exported') throw new Error(JSON.stringify(outcome));
  return outcome;
}

describe('an export', () => {
  test('names accounts by label, and has its mode, version and schema', async () => {
    await rules.publish(document(), 0);
    const { file, text } = await exported();
    expect(file).toMatchObject({
      $schema: 'http://127.0.0.1:3000/schemas/rule-set-1.json',
      schemaVersion: 1,
      mode: 'test',
      version: 1,
      ruleSet: {
        rules: [{ then: { strategy: 'priority', accounts: ['paystack-second'] } }],
        defaultOrder: ['paystack-main'],
        expectations: [{ goesTo: ['paystack-second'] }],
      },
    });
    expect(JSON.parse(text)).toEqual(file);
    for (const id of [merchantId, accountId, secondId]) expect(text).not.toContain(id);
  });

  test('of an old version or a draft is that one, under the labels of today', async () => {
    await rules.publish(document(), 0);
    await rules.publish(aDocument(accountId), 1);
    await updateGateway(context, { merchantId, accountId: secondId, changes: { label: 'renamed' }, actor: ada });
    const old = await exported({ kind: 'version', version: 1 });
    expect(old.file).toMatchObject({ version: 1, ruleSet: { rules: [{ then: { accounts: ['renamed'] } }] } });
    const { draftId } = await rules.draft(aDocument(secondId));
    const draft = await exported({ kind: 'draft', draftId });
    expect(draft.file).toMatchObject({ version: 0, ruleSet: { rules: [], defaultOrder: ['renamed'] } });
  });

  test('of a missing rule set, an invalid document, or a removed account fails', async () => {
    const ask = (source: RuleSetSource) => exportRules(context, { ...rules.scope, rules: source });
    expect(await ask({ kind: 'published' })).toEqual({ kind: 'not_found' });
    expect(await ask({ kind: 'draft', draftId: 'x' })).toEqual({ kind: 'not_found' });
    const { draftId } = await rules.draft({});
    expect(await ask({ kind: 'draft', draftId })).toMatchObject({ kind: 'invalid', problems: [{ field: 'rules' }, {}] });
    await rules.publish(document(), 0);
    await context.database.prisma.gatewayAccount.delete({ where: { merchantId_id: { merchantId, id: secondId } } });
    expect(await ask({ kind: 'published' })).toMatchObject({
      kind: 'accounts_gone',
      problems: [{ field: 'rules.0.then.accounts.0' }, { field: 'expectations.0.goesTo.0' }],
    });
  });
});

describe('an import', () => {
  test('moves rules to another mode and merchant, whose accounts of the same labels take them', async () => {
    await rules.publish(document(), 0);
    const { text } = await exported();
    const others = await testMerchant(context);
    const ids: string[] = [];
    for (const label of ['paystack-main', 'paystack-second']) {
      const account = { ...testAccount(label), merchantId: others, mode: 'live', gateway: 'paystack', actor: ada } as const;
      const connected = await connectGateway(context, account);
      if (connected.kind === 'connected') ids.push(connected.account.id);
    }
    const from = { kind: 'file', file: JSON.parse(text) } as const;
    const outcome = await createDraft(context, { merchantId: others, mode: 'live', from, name: 'from test', actor: ada });
    const [mainId = '', otherId = ''] = ids;
    const moved = { ...aDocument(mainId, cardRule(otherId)), expectations: [expectsCard(otherId)], version: 0 };
    expect(outcome).toMatchObject({
      kind: 'created',
      draft: { mode: 'live', baseVersion: 0, name: 'from test', document: moved },
    });
  });

  test('reports every unknown label of the merchant and mode at its path, and creates no draft', async () => {
    await rules.publish(document(), 0);
    const { file } = await exported();
    const command = { ...rules.scope, mode: 'live', from: { kind: 'file', file }, name: null, actor: ada } as const;
    const message = (label: string) => `names "${label}", and the merchant has no account of that label in live mode`;
    expect(await createDraft(context, command)).toEqual({
      kind: 'invalid',
      problems: [
        { field: 'ruleSet.rules.0.then.accounts.0', message: message('paystack-second') },
        { field: 'ruleSet.defaultOrder.0', message: message('paystack-main') },
        { field: 'ruleSet.expectations.0.goesTo.0', message: message('paystack-second') },
      ],
    });
    const rows = await context.database.prisma.ruleSetVersion.findMany({ where: { merchantId, mode: 'live' } });
    expect(rows).toEqual([]);
  });

  test('of a file with an account’s id in it is refused: ids mean nothing elsewhere', async () => {
    await rules.publish(document(), 0);
    const { file } = await exported();
    const withId = { ...file, ruleSet: { ...file.ruleSet, defaultOrder: [accountId] } };
    const command = { ...rules.scope, from: { kind: 'file', file: withId }, name: null, actor: ada } as const;
    expect(await createDraft(context, command)).toMatchObject({
      kind: 'invalid',
      problems: [{ field: 'ruleSet.defaultOrder.0' }],
    });
  });

  test('of what is no such file is refused at the place', async () => {
    for (const file of [null, 'x', { schemaVersion: 2 }]) {
      const command = { ...rules.scope, from: { kind: 'file', file }, name: null, actor: ada } as const;
      expect(await createDraft(context, command)).toMatchObject({ kind: 'invalid' });
    }
  });
});

test('the accounts file contains what routing uses, and no secret or id', async () => {
  const file = await exportAccounts(context, rules.scope);
  expect(file).toMatchObject({
    schemaVersion: 1,
    mode: 'test',
    accounts: [
      { label: 'paystack-main', gateway: 'paystack', enabled: true, configured: true, currencies: ['NGN'], minAmount: 50 },
      { label: 'paystack-second' },
    ],
  });
  const text = JSON.stringify(file);
  for (const secret of [accountId, merchantId, 'sk_test', 'credential']) expect(text).not.toContain(secret);
});

test('an exported file checked without a database has the same findings', async () => {
  const shadowed = cardRule(secondId, 4_000);
  await rules.publish({ ...document(), rules: [cardRule(secondId), shadowed] }, 0);
  const outside = checkRuleSetFile(JSON.parse((await exported()).text), await exportAccounts(context, rules.scope));
  const here = await validateRules(context, { ...rules.scope, rules: { kind: 'published' } });
  if (outside.kind !== 'checked' || here.kind !== 'checked') throw new Error('not checked');
  expect(outside).toMatchObject({ blocks: false, accountsAssumed: false, problems: [], expectations: [{ holds: true }] });
  const findingsOf = (check: typeof outside | typeof here) =>
    check.findings.map(({ kind, message }) => [kind, message]).toSorted();
  expect(findingsOf(outside)).toEqual(findingsOf(here));
  expect(findingsOf(outside)).not.toEqual([]);
});

describe('validating', () => {
  const check = (document: unknown) => validateRules(context, { ...rules.scope, rules: { kind: 'document', document } });

  test('reports at once what blocks and what needs review', async () => {
    await updateGateway(context, { merchantId, accountId: secondId, changes: { enabled: false }, actor: ada });
    const strange = await connectTestAccount(context, await testMerchant(context));
    const shadowed = cardRule(accountId, 4_000);
    const outcome = await check({
      ...aDocument(strange, cardRule(secondId), shadowed),
      expectations: [expectsCard(accountId), expectsCard(secondId)],
    });
    expect(outcome).toMatchObject({
      kind: 'checked',
      blocks: true,
      problems: [{ field: 'defaultOrder.0', message: "must be one of the merchant's accounts in this mode" }],
      expectations: [{ holds: true }, { holds: false }],
    });
    const kinds = outcome.kind === 'checked' ? outcome.findings.map(({ kind }) => kind) : [];
    expect(kinds).toEqual(expect.arrayContaining(['shadowed', 'disabled_account', 'no_second_choice']));
    expect(kinds).not.toContain('unknown_account');
  });

  test('does not block on findings, which no rule can fix', async () => {
    await updateGateway(context, { merchantId, accountId: secondId, changes: { enabled: false }, actor: ada });
    await updateGateway(context, { merchantId, accountId, changes: { enabled: false }, actor: ada });
    const outcome = await check(aDocument(accountId, cardRule(secondId)));
    expect(outcome).toMatchObject({ kind: 'checked', blocks: false, problems: [] });
    expect(outcome.kind === 'checked' && outcome.findings.some(({ severity }) => severity === 'critical')).toBe(true);
    expect(await rules.publish(aDocument(accountId, cardRule(secondId)), 0)).toBe(1);
  });

  test('reads drafts and versions too, and only of existing merchants', async () => {
    const { draftId } = await rules.draft({ rules: 7 });
    const draft = { ...rules.scope, rules: { kind: 'draft', draftId } } as const;
    expect(await validateRules(context, draft)).toMatchObject({
      kind: 'checked',
      blocks: true,
      problems: [{ field: 'rules' }, {}],
    });
    await rules.publish(document(), 0);
    const published = { ...rules.scope, rules: { kind: 'published' } } as const;
    expect(await validateRules(context, published)).toMatchObject({ kind: 'checked', blocks: false });
    expect(await validateRules(context, { ...published, merchantId: context.newId() })).toEqual({ kind: 'not_found' });
    expect(await validateRules(context, { ...published, mode: 'live' })).toEqual({ kind: 'not_found' });
  });
});
