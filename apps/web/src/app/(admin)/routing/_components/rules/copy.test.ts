import { describe, expect, test } from 'vitest';
import { describeDiff, type RuleSetDiff, summariseDiff } from '../history/diff-view.tsx';
import { describeResults } from '../history/history-page.tsx';
import { describeConsequence } from '../moves/what-moves.tsx';
import { type Check, mostSevere, placeNotes } from '../queries/use-check.ts';
import { describeShadowEnd, describeShadowResult } from '../shadow/use-shadow.ts';
import { bandHead, bandText, conditionsText, joined, shareText, shortAmount, targetText, trafficShareText } from './copy.ts';
import type { Rule } from './document.ts';
import { compareDocuments, isSameDocument } from './edit.ts';
import { listTakeovers, type Takeovers } from './takeovers.ts';

const labels: Readonly<Record<string, string>> = { p: 'paystack-main', f: 'flutterwave-main' };
const labelOf = (accountId: string) => labels[accountId] ?? accountId;

const cards = {
  ruleId: 'cards',
  name: 'Small cards',
  enabled: true,
  when: { currency: 'NGN', methods: ['CARD' as const, 'USSD' as const], amount: { from: 0, to: 5_000 }, countries: null },
  then: { strategy: 'priority' as const, accounts: ['p', 'f'] },
};

const NOTHING: RuleSetDiff = {
  same: true,
  added: [],
  removed: [],
  moved: [],
  changed: [],
  defaultOrder: null,
  expectations: null,
  keys: null,
};

describe('rules in words', () => {
  test('bands show their ends, or that they are open', () => {
    expect(bandText('NGN', { from: 0, to: 5_000 })).toBe('NGN 0 to 5,000');
    expect(bandText('NGN', { from: 20_001, to: null })).toBe('NGN 20,001 and more');
    expect(bandText('NGN', { from: 0, to: null })).toBe('Any amount');
    expect(bandText('NGN', { from: '5k', to: null })).toBe('NGN “5k” and more');
    expect(bandText('NGN', { from: 5_000, to: 5_000 })).toBe('exactly NGN 5,000');
    expect([999, 5_000, 20_001, 1_500_000].map(shortAmount)).toEqual(['999', '5k', '20,001', '1.5m']);
  });

  test('columns of the map never have the same edge twice', () => {
    const heads = [
      { from: 0, to: 4_999 },
      { from: 5_000, to: 5_000 },
      { from: 5_001, to: 5_001 },
      { from: 5_002, to: 20_000 },
      { from: 20_001, to: null },
    ].map(bandHead);
    expect(heads).toEqual(['0 – 4,999', '5k', '5,001', '5,002 – 20k', 'over 20k']);
    for (const head of heads) expect(new Set(head.split(' – ')).size).toBe(head.split(' – ').length);
  });

  test('conditions and targets are readable text', () => {
    expect(conditionsText(cards)).toBe('Card and USSD · NGN 0 to 5,000');
    expect(conditionsText({ ...cards, when: { ...cards.when, amount: { from: 0, to: null }, countries: ['GH'] } })).toBe(
      'Card and USSD · Any amount · NGN · from GH',
    );
    expect(targetText(cards.then, labelOf)).toBe('paystack-main, then flutterwave-main');
    const split = [
      { account: 'p', percent: 70 },
      { account: 'f', percent: 30 },
    ];
    expect(targetText({ strategy: 'weighted', split }, labelOf)).toBe('70% paystack-main, 30% flutterwave-main');
    expect(joined(['a', 'b', 'c', 'd', 'e'], 3)).toBe('a, b and 3 more');
  });
});

describe('a diff in words', () => {
  const diff: RuleSetDiff = {
    same: false,
    added: [{ position: 2, rule: cards }],
    removed: [],
    moved: [{ ruleId: 'x', name: 'Large cards', from: 3, to: 0 }],
    changed: [
      {
        ruleId: 'y',
        name: 'Bank',
        fields: [
          { path: 'when.amount.to', before: 5_000, after: null },
          { path: 'when.methods', before: ['BANK'], after: ['BANK', 'MOBILE_MONEY'] },
          { path: 'then.split', before: null, after: [{ account: 'f', percent: 100 }] },
          { path: 'enabled', before: true, after: false },
        ],
      },
    ],
    defaultOrder: { before: ['p', 'f'], after: ['f', 'p'] },
    expectations: null,
    keys: null,
  };

  test('names every rule, its place counted from one, and every field before and after', () => {
    const lines = describeDiff(diff, labelOf);
    expect(lines.map(({ kind, name, text }) => `${kind} ${name}: ${text}`)).toEqual([
      'added Small cards: New at position 3: Card and USSD · NGN 0 to 5,000 to paystack-main, then flutterwave-main',
      'changed Bank: Highest amount, methods, shares and on or off',
      'moved Large cards: Moves from position 4 to 1',
      'order Default order: Accounts',
    ]);
    expect(lines[1]?.fields).toEqual([
      { name: 'highest amount', before: '5,000', after: 'no limit' },
      { name: 'methods', before: 'Bank', after: 'Bank, Mobile money' },
      { name: 'shares', before: 'none', after: '100% flutterwave-main' },
      { name: 'on or off', before: 'on', after: 'off' },
    ]);
    expect(lines[3]?.fields[0]?.after).toBe('flutterwave-main, then paystack-main');
  });

  test('is summed up in one line', () => {
    expect(summariseDiff(diff)).toBe('1 rule new, 1 rule changed, 1 rule moved and default order changed');
    expect(summariseDiff(NOTHING)).toBe('No difference');
  });
});

describe('the effect of a publication', () => {
  const move = (from: string | null, to: string | null, payments: number) => {
    return { from, to, payments, outcomes: { paid: payments, unpaid: 0, open: 0 }, fees: [], amounts: {}, why: [], examples: [] };
  };
  const unroutable = { payments: 0, examples: [] };
  const nameOf = (accountId: string | null) => (accountId === null ? 'no account' : labelOf(accountId));

  test('is given in payments a day, or for the period where there are few', () => {
    const result = { payments: 9_000, moved: 2_187, moves: [move('p', 'f', 2_184), move('f', 'p', 3)], unroutable };
    expect(describeConsequence(result, 7, nameOf)).toEqual([
      '312 payments a day move from paystack-main to flutterwave-main.',
      '3 payments of the last 7 days move from flutterwave-main to paystack-main.',
    ]);
  });

  test('states that nothing moves, that there was nothing, or that payments lose every account', () => {
    expect(describeConsequence({ payments: 9, moved: 0, moves: [], unroutable }, 1, nameOf)).toEqual([
      'Of the 9 payments of the last day, none would have gone to another account.',
    ]);
    expect(describeConsequence({ payments: 0, moved: 0, moves: [], unroutable }, 7, nameOf)[0]).toMatch('no payments');
    const lost = { payments: 9, moved: 1, moves: [move('p', null, 1)], unroutable: { payments: 1, examples: [] } };
    expect(describeConsequence(lost, 7, nameOf)).toEqual([
      '1 payment of the last 7 days moves from paystack-main to no account.',
      '1 payment of the last 7 days would have had no listed account.',
    ]);
  });
});

describe('two people in one draft', () => {
  const other: Rule = { ...cards, ruleId: 'other', name: 'Other' };
  test('see each other’s changes, independent of the key order of the stored document', () => {
    const mine = { rules: [cards, other], defaultOrder: ['p'] };
    const shuffled = { then: cards.then, when: cards.when, enabled: true, name: 'Small cards', ruleId: 'cards' };
    expect(isSameDocument(mine, { rules: [shuffled, other], defaultOrder: ['p'] })).toBe(true);
    const theirs = { rules: [{ ...other, enabled: false }, cards, { ...cards, ruleId: 'new' }], defaultOrder: ['f', 'p'] };
    const { onlyMine, onlyTheirs, changed, order, defaultOrder } = compareDocuments(mine, theirs);
    expect([onlyMine, onlyTheirs.map(({ ruleId }) => ruleId), changed.map((each) => each.theirs.enabled)]).toEqual([
      [],
      ['new'],
      [false],
    ]);
    expect([order, defaultOrder]).toEqual([true, true]);
  });
});

describe('the findings of the check', () => {
  const check: Check = {
    kind: 'checked',
    blocks: true,
    omitted: 0,
    compared: null,
    problems: [
      { field: 'rules.1.when.amount.to', message: 'must not be below "from"' },
      { field: 'defaultOrder.0', message: "must be one of the merchant's accounts in this mode" },
    ],
    expectations: [],
    findings: [
      {
        kind: 'shadowed',
        severity: 'warning',
        positions: [0, 2],
        ruleIds: ['a', 'c'],
        accountIds: [],
        example: null,
        gap: null,
        limit: null,
        consequences: [],
        message: 'Rule 3 never decides.',
      },
      {
        kind: 'disabled_account',
        severity: 'warning',
        positions: [],
        ruleIds: [],
        accountIds: ['p'],
        example: null,
        gap: null,
        limit: null,
        consequences: [],
        message: 'The default order names paystack-main, which is off.',
      },
    ],
  };

  test('are shown beside their field', () => {
    const { byRule, ofDefaultOrder, ofAll } = placeNotes(check, []);
    expect(byRule.get(1)).toMatchObject([{ severity: 'blocks', field: 'to', message: 'Must not be below "from".' }]);
    expect(byRule.get(2)).toMatchObject([{ severity: 'warning', field: 'rule' }]);
    expect(ofDefaultOrder.map(({ severity, accountId }) => [severity, accountId])).toEqual([
      ['blocks', null],
      ['warning', 'p'],
    ]);
    expect(ofAll).toEqual([]);
    expect([mostSevere(ofDefaultOrder), mostSevere([])]).toEqual(['blocks', null]);
  });

  test('that block a publication are new since the active version, which was published', () => {
    const isNew = (compared: Check['compared']) => placeNotes({ ...check, compared }, []).all.map((note) => note.isNew);
    expect(isNew({ version: 3, added: [], gone: [] }).slice(0, 2)).toEqual([true, true]);
    expect(isNew(null).slice(0, 2)).toEqual([null, null]);
  });

  test('raise no alarm for a tiny amount under the minimum, but do for a large one without an account', () => {
    const alone = (amount: number): Check => ({
      ...check,
      problems: [],
      findings: [
        {
          kind: 'no_account',
          severity: 'critical',
          positions: [0],
          ruleIds: ['a'],
          accountIds: [],
          example: { currency: 'NGN', amount, method: 'CARD', customerCountry: null },
          gap: null,
          limit: null,
          consequences: [],
          message: 'No account can take it.',
        },
      ],
    });
    const accounts = [
      { enabled: true, minAmount: 100 },
      { enabled: false, minAmount: 9_000 },
    ];
    const severityOf = (amount: number) => placeNotes(alone(amount), accounts).byRule.get(0)?.[0]?.severity;
    expect([severityOf(1), severityOf(99), severityOf(100), severityOf(5_000)]).toEqual(['info', 'info', 'critical', 'critical']);
  });

  const limit = (bound: 'min' | 'max', severity: 'critical' | 'warning'): Check['findings'][number] => ({
    kind: 'account_limit',
    severity,
    positions: [0, 3],
    ruleIds: ['a', 'd'],
    accountIds: ['p', 'f'],
    example: { currency: 'NGN', amount: 9_001, method: 'CARD', customerCountry: null },
    gap: null,
    limit: { accountId: 'p', bound, amount: 9_000 },
    consequences: [
      {
        kind: 'no_account',
        severity: 'critical',
        positions: [0, 3],
        places: [],
        inDefaultOrder: false,
        accountIds: [],
        example: null,
      },
      {
        kind: 'incapable_account',
        severity: 'warning',
        positions: [3],
        places: [],
        inDefaultOrder: false,
        accountIds: ['p'],
        example: null,
      },
    ],
    message: 'paystack-main takes at most NGN 9,000.',
  });

  test('of an account limit appear once for the whole set, and mark only rules whose first account cannot serve', () => {
    const { ofAll, byRule } = placeNotes({ ...check, problems: [], findings: [limit('max', 'critical')] }, []);
    expect(ofAll.map(({ severity }) => severity)).toEqual(['critical']);
    expect([byRule.get(0), byRule.get(3)].map((notes) => notes?.map(({ severity, field }) => [severity, field]))).toEqual([
      [['info', 'accounts']],
      [['warning', 'accounts']],
    ]);
    const minimum = placeNotes({ ...check, problems: [], findings: [limit('min', 'critical')] }, []);
    expect(minimum.ofAll.map(({ severity }) => severity)).toEqual(['info']);
  });

  test('come with the most severe first, in every place', () => {
    const findings = [limit('min', 'critical'), limit('max', 'critical'), { ...limit('max', 'warning'), message: 'Other.' }];
    const { ofAll, byRule, all } = placeNotes({ ...check, findings }, []);
    // Each finding once, whatever places it is shown in.
    expect(all.map(({ severity }) => severity)).toEqual(['blocks', 'blocks', 'critical', 'warning', 'info']);
    expect(ofAll.map(({ severity }) => severity)).toEqual(['critical', 'warning', 'info']);
    expect(byRule.get(3)?.map(({ severity }) => severity)).toEqual(['warning', 'warning', 'warning']);
  });
});

describe('takeovers of a draft', () => {
  const large = { ruleId: 'large', name: 'Large cards', position: 2 };
  const vip = { ruleId: 'vip', name: 'VIP', position: 0 };
  const example = { currency: 'NGN', amount: 6_000, method: 'CARD' as const, customerCountry: null };
  const compared: Takeovers = {
    kind: 'compared',
    liveVersion: 7,
    omitted: 0,
    cut: false,
    payments: 500,
    decided: [],
    unmet: [],
    overlaps: [{ winner: vip, loser: large, payments: 120 }],
    takeovers: [
      { from: large, to: vip, example, payments: 412 },
      { from: large, to: null, example, payments: 1 },
      { from: null, to: vip, example: { ...example, customerCountry: 'GH' }, payments: 0 },
    ],
  };

  test('are shown at the rule that takes them, with their number a week and an example', () => {
    const { byRule, ofAll } = placeNotes(null, [], compared);
    expect(byRule.get(0)?.map(({ message }) => message)).toEqual([
      'Takes 412 payments a week from rule 3 “Large cards” of version 7, such as NGN 6,000.00 by card.',
      'Takes over NGN 6,000.00 by card from GH from the default order, but no such payment came in the last 7 days.',
    ]);
    expect(ofAll.map(({ message }) => message)).toEqual([
      '1 payment a week would go from rule 3 “Large cards” of version 7 to the default order, such as NGN 6,000.00 by card.',
    ]);
  });

  test('and overlaps are shown with their number a week, findings marked that the active version has not', () => {
    const overlap = (positions: number[]) => ({
      kind: 'overlap' as const,
      severity: 'info' as const,
      positions,
      ruleIds: [],
      accountIds: [],
      example,
      gap: null,
      limit: null,
      consequences: [],
      message: 'NGN 6,000.00 by card matches rules 1 and 3; rule 1 always wins.',
    });
    const check: Check = {
      kind: 'checked',
      blocks: false,
      problems: [],
      expectations: [],
      omitted: 0,
      findings: [overlap([1, 2]), overlap([0, 2])],
      compared: { version: 7, added: [1], gone: [] },
    };
    const { all } = placeNotes(check, [], { ...compared, takeovers: [] });
    expect(all.map(({ message, isNew, position }) => [message, isNew, position])).toEqual([
      ['NGN 6,000.00 by card matches rules 1 and 3; rule 1 always wins: 120 payments a week.', true, 2],
      ['NGN 6,000.00 by card matches rules 1 and 3; rule 1 always wins.', false, 2],
    ]);
  });

  test('are listed for the review with the names of the rules, and only with payments', () => {
    expect(listTakeovers({ ...compared, cut: true }, 1)).toEqual([
      'Rule 1 “VIP” takes at least 412 payments a week from rule 3 “Large cards” of version 7, such as NGN 6,000.00 by card.',
      '1 more pair of rules trades payments.',
    ]);
  });
});

describe('shares and results', () => {
  test('a share is shown of at least 20 payments', () => {
    expect([shareText(1, 19), shareText(1, 20), shareText(0, 0)]).toEqual([null, '5.0%', null]);
  });

  test("a rule's part of the payments is counts where there are fewer than twenty", () => {
    expect([trafficShareText(5, 11), trafficShareText(0, 19)]).toEqual(['5 of 11', '0 of 19']);
    expect([trafficShareText(5, 20), trafficShareText(1, 1_000), trafficShareText(0, 20)]).toEqual(['25%', '<1%', '0%']);
  });

  test('a version shows its payments, success rate and fees, each currency on its own', () => {
    const naira = { currency: 'NGN', payments: 1_204, paid: 900, failed: 100, pending: 204, fees: '12300.500000' };
    const dollar = { currency: 'USD', payments: 3, paid: 2, failed: 1, pending: 0, fees: '0' };
    expect(describeResults({ currencies: [naira, dollar] })).toEqual([
      '1,204 payments · 90.0% succeeded · NGN\u00a012,300.50\u00a0fees',
      '3 payments · 2 succeeded · USD\u00a00.00\u00a0fees',
    ]);
    expect(describeResults({ currencies: [] })).toEqual(['No payments']);
  });

  test('a shadow run says what would have gone elsewhere, and how it ended', () => {
    expect(describeShadowResult({ payments: 0, moved: 0 })).toBe('No payment has come in yet.');
    expect(describeShadowResult({ payments: 8, moved: 3 })).toBe('Of 8 payments, 3 would have gone to another account first.');
    expect(describeShadowResult({ payments: 1_204, moved: 87 })).toMatch('Of 1,204 payments, 87 (7.2%) would');
    expect(describeShadowEnd({ ended: null })).toBeNull();
    expect(describeShadowEnd({ ended: 'SAVED' })).toMatch('the draft was changed');
  });
});
