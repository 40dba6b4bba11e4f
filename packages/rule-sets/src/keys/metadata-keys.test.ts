import { openTestHealth, type TestHealth } from '@switchyard/provider-health/testing';
import type { MetadataKey, Rule } from '@switchyard/routing';
import { createTestMerchant, reloadConfiguration, type TestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { validateRules } from '../drafts/drafts.ts';
import { describeRouting, evaluateRules, listTakeovers } from '../evaluate/evaluate.ts';
import { exportRules } from '../files/files.ts';
import { replayRules } from '../replay/replay.ts';
import { recordPayment } from '../testing/past-payments.ts';
import { cardRule, type Document, rulesOf } from '../testing/rules.ts';
import { rollBackRules } from '../versions/versions.ts';
import { listMetadataKeys, saveMetadataKeys } from './metadata-keys.ts';

let context: TestHealth;
let merchant: TestMerchant;
const actor = 'staff:ada';

beforeAll(async () => {
  context = await openTestHealth();
});
afterAll(() => context.close());
beforeEach(async () => {
  merchant = await createTestMerchant(context, { 'paystack-main': {}, 'flutterwave-main': {} });
});

const TIER: MetadataKey = { name: 'tier', label: 'Tier', type: 'enum', values: ['gold', 'silver'] };
const id = (label: string) => merchant.accounts[label] ?? '';

function keyed(conditions: Partial<Rule['when']>, keys: readonly MetadataKey[] = [TIER]): Document {
  const rule = cardRule(id('flutterwave-main'), 100_000, 'keyed');
  return { keys, rules: [{ ...rule, when: { ...rule.when, ...conditions } }], defaultOrder: [id('paystack-main')] };
}
const gold = () => keyed({ metadata: [{ key: 'tier', is: 'one_of', values: ['gold'] }] });

async function keys() {
  return (await listMetadataKeys(context, merchant))?.map(({ key, rules }) => [key.name, rules]);
}

describe('metadata keys', () => {
  test('are declared by the document that compares them, when it is published', async () => {
    const { publish, scope } = rulesOf(context, merchant.merchantId);
    expect(await keys()).toEqual([]);
    await publish(gold(), 0);
    expect(await keys()).toEqual([['tier', ['Cards up to 100000']]]);
    const exported = await exportRules(context, { ...scope, rules: { kind: 'published' } });
    expect(exported).toMatchObject({ kind: 'exported', file: { ruleSet: { keys: [TIER] } } });
    expect(await describeRouting(context, scope)).toMatchObject({ metadataKeys: [TIER], timeZone: 'Africa/Lagos' });
  });

  test('of another type than the merchant declares block a publication, at their field', async () => {
    const { scope } = rulesOf(context, merchant.merchantId);
    const declared = { ...scope, keys: [{ ...TIER, values: ['gold', 'platinum'] }], actor };
    expect((await saveMetadataKeys(context, declared)).kind).toBe('saved');
    const check = await validateRules(context, { ...scope, rules: { kind: 'document', document: gold() } });
    expect(check).toMatchObject({
      blocks: true,
      problems: [{ field: 'keys.0.values', message: 'must be among those that the merchant declares: gold, platinum' }],
    });
  });

  test.each<[string, Partial<Rule['when']>, string]>([
    ['an undeclared key', { metadata: [{ key: 'shop', is: 'present' }] }, 'rules.0.when.metadata.0.key'],
    [
      'a value outside its type',
      { metadata: [{ key: 'tier', is: 'one_of', values: ['bronze'] }] },
      'rules.0.when.metadata.0.values.0',
    ],
    ['a range of an enum', { metadata: [{ key: 'tier', is: 'between', from: 1, to: null }] }, 'rules.0.when.metadata.0.is'],
    ['an hour that there is not', { hours: { from: '25:00', to: '26:00' } }, 'rules.0.when.hours.from'],
  ])('of a rule with %s are a problem beside its field', async (_, conditions, field) => {
    const { scope } = rulesOf(context, merchant.merchantId);
    const check = await validateRules(context, { ...scope, rules: { kind: 'document', document: keyed(conditions) } });
    expect(check.kind === 'checked' && check.problems.map((problem) => problem.field)).toContain(field);
  });

  test('that active rules compare are neither removed nor changed, and others are', async () => {
    await rulesOf(context, merchant.merchantId).publish(gold(), 0);
    const save = (next: unknown) => saveMetadataKeys(context, { merchantId: merchant.merchantId, keys: next, actor });
    expect(await save([])).toMatchObject({ kind: 'invalid', problems: [{ field: 'keys' }] });
    expect(await save([{ ...TIER, type: 'string', values: undefined }])).toMatchObject({ kind: 'invalid' });
    expect(await save([{ ...TIER, values: ['silver'] }])).toMatchObject({ kind: 'invalid', problems: [{ field: '0.values' }] });
    const wider = { ...TIER, label: 'Customer tier', values: ['bronze', 'silver', 'gold'] };
    expect(await save([{ name: 'gift', label: 'Gift', type: 'boolean' }, wider])).toMatchObject({ kind: 'saved' });
    expect(await save([wider])).toMatchObject({ kind: 'saved' });
    expect(await save([{ ...wider, name: '__proto__' }])).toMatchObject({ kind: 'invalid' });
  });

  test('survive a rollback to a version that compares them', async () => {
    const { publish, scope } = rulesOf(context, merchant.merchantId);
    await publish(gold(), 0);
    await publish({ rules: [], defaultOrder: [id('paystack-main')] }, 1);
    const back = await rollBackRules(context, { ...scope, version: 1, baseVersion: 2, reason: null, actor });
    expect(back).toMatchObject({ kind: 'published', ruleSet: { keys: [TIER] } });
  });
});

describe('past payments, with a draft that compares keys which their decisions did not', () => {
  const period = { from: new Date('2026-11-20T00:00:00Z'), to: new Date('2026-11-21T00:00:00Z') };

  /** Friday, 20 November 2026. */
  async function pay(hour: number, email: string, tier?: string): Promise<void> {
    const createdAt = new Date(Date.UTC(2026, 10, 20, hour));
    const about = { paymentId: context.newId(), amount: 2_500, method: 'CARD', requestedGateway: null } as const;
    const metadata = tier === undefined ? {} : { metadata: { tier } };
    await recordPayment(context, merchant.merchantId, {
      ...about,
      createdAt,
      status: 'SUCCESS',
      customerEmail: email,
      ...metadata,
    });
  }

  async function moved(document: Document): Promise<number> {
    const { scope } = rulesOf(context, merchant.merchantId);
    let found = -1;
    for await (const step of replayRules(context, { ...scope, document, ...period }, new AbortController().signal)) {
      if (step.kind === 'done') found = step.result.moved;
    }
    const takeovers = await listTakeovers(context, { ...scope, document, ...period });
    const decided = takeovers.kind === 'compared' ? takeovers.decided.find(({ ruleId }) => ruleId === 'keyed')?.payments : -1;
    expect(decided ?? 0).toBe(found);
    return found;
  }

  test('are replayed with what they were sent with, the hour in the zone, and who had paid before', async () => {
    await rulesOf(context, merchant.merchantId).publish({ rules: [], defaultOrder: [id('paystack-main')] }, 0);
    await reloadConfiguration(context, merchant.merchantId);
    await pay(1, 'ada@example.com', 'gold');
    await pay(2, 'ada@example.com', 'silver');
    await pay(17, 'Ada@example.com');
    await pay(18, 'bola@example.com', 'bronze');
    expect(await moved(gold())).toBe(1);
    expect(await moved(keyed({ metadata: [{ key: 'tier', is: 'none_of', values: ['gold'], orAbsent: true }] }))).toBe(3);
    expect(await moved(keyed({ metadata: [{ key: 'tier', is: 'absent' }] }))).toBe(2);
    expect(await moved(keyed({ hours: { from: '18:00', to: '19:00' } }))).toBe(1);
    expect(await moved(keyed({ weekdays: ['fri'] }))).toBe(4);
    expect(await moved(keyed({ weekdays: ['sat'] }))).toBe(0);
    expect(await moved(keyed({ customer: 'new' }))).toBe(2);
    expect(await moved(keyed({ customer: 'returning' }))).toBe(2);
  });

  test('are tried at the present time where none is given', async () => {
    const { scope } = rulesOf(context, merchant.merchantId);
    const payment = {
      currency: 'NGN',
      amount: 900,
      method: 'CARD',
      customerCountry: null,
      requestedGateway: null,
      paymentId: null,
    } as const;
    const tried = async (keysOf: object) => {
      const query = {
        ...scope,
        document: keyed({ weekdays: ['mon'] }),
        payment: { ...payment, ...keysOf },
        conditions: 'calm',
      } as const;
      const outcome = await evaluateRules(context, query);
      return outcome.kind === 'evaluated' ? outcome.draft.decision.inputs.payment.keys : outcome;
    };
    expect(await tried({})).toMatchObject({ time: expect.stringMatching(/^[a-z]{3} \d\d:\d\d$/) });
    expect(await tried({ keys: { time: 'mon 09:00' } })).toEqual({ time: 'mon 09:00' });
  });
});
