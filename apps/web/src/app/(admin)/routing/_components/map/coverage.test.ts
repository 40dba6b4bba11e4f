import type { PaymentKeys } from '@switchyard/routing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Account, Rule, RuleDocument } from '../rules/document.ts';
import { type Cell, keysChoicesOf, layOutCoverage } from './coverage.ts';

const METHODS = ['CARD', 'TRANSFER', 'USSD'] as const;
const COUNTRIES = ['NG', 'GH', 'KE'];

function account(accountId: string, overrides: Partial<Account> = {}): Account {
  return {
    accountId,
    gateway: accountId,
    gatewayTitle: accountId,
    label: `${accountId}-main`,
    enabled: true,
    configured: true,
    currencies: ['NGN'],
    methods: ['CARD', 'TRANSFER', 'USSD'],
    minAmount: 0,
    maxAmount: null,
    fees: null,
    ...overrides,
  };
}

const ACCOUNTS = [account('paystack'), account('flutterwave')];
const QUERY = { currency: 'NGN', country: null, keys: {}, methods: METHODS, limit: 1_000, skip: 0 };

function rule(ruleId: string, when: Partial<Rule['when']>, then: Rule['then'], enabled = true): Rule {
  const whole = { currency: 'NGN', methods: ['CARD'], amount: { from: 0, to: null }, countries: null, ...when };
  return { ruleId, name: ruleId, enabled, when: whole, then };
}

const arbitraryRule = fc
  .record({
    enabled: fc.boolean(),
    currency: fc.constantFrom('NGN', 'GHS'),
    methods: fc.subarray([...METHODS], { minLength: 1 }),
    from: fc.integer({ min: 0, max: 60 }),
    length: fc.option(fc.integer({ min: 0, max: 60 })),
    countries: fc.option(fc.subarray(COUNTRIES, { minLength: 1 })),
  })
  .map(({ enabled, currency, methods, from, length, countries }, at = 0) =>
    rule(
      `r${at}`,
      { currency, methods, amount: { from, to: length === null ? null : from + length }, countries },
      { strategy: 'priority', accounts: ['paystack'] },
      enabled,
    ),
  );

/** The map's expected cells, computed from the rules one by one. */
function winner({ rules }: RuleDocument, method: string, amount: number, country: string | null): number | null {
  const at = rules.findIndex(({ enabled, when }) => {
    const { from, to } = when.amount;
    const isBetween = Number(from) <= amount && amount <= (to === null ? Number.POSITIVE_INFINITY : Number(to));
    const isThere = !when.countries || (country !== null && when.countries.includes(country));
    return enabled && when.currency === 'NGN' && when.methods.includes(method) && isBetween && isThere;
  });
  return at < 0 ? null : at;
}

function cellAt(cells: readonly Cell[], amount: number): Cell | undefined {
  return cells.find(({ from, to }) => from <= amount && amount <= (to ?? Number.POSITIVE_INFINITY));
}

describe('the coverage map', () => {
  test('shows for every payment the rule that decides it', () => {
    fc.assert(
      fc.property(
        fc.array(arbitraryRule, { maxLength: 12 }),
        fc.constantFrom(null, ...COUNTRIES),
        fc.integer({ min: 1, max: 140 }),
        (rules, country, amount) => {
          const document = { rules, defaultOrder: ['flutterwave'] };
          const { rows } = layOutCoverage(document, ACCOUNTS, { ...QUERY, country });
          for (const { method, cells } of rows) {
            expect(cellAt(cells, amount)?.position).toBe(winner(document, method, amount, country));
          }
        },
      ),
    );
  });

  test('fills every row from end to end: no band twice, none left out, neighbours that are alike in one cell', () => {
    fc.assert(
      fc.property(fc.array(arbitraryRule, { maxLength: 12 }), (rules) => {
        const { bands, rows } = layOutCoverage({ rules, defaultOrder: [] }, ACCOUNTS, QUERY);
        expect([bands[0]?.from, bands.at(-1)?.to]).toEqual([0, null]);
        for (const { cells } of rows) {
          expect(cells.reduce((sum, { span }) => sum + span, 0)).toBe(bands.length);
          let at = 0;
          for (const cell of cells) {
            expect([cell.at, cell.from]).toEqual([at, bands[at]?.from]);
            at += cell.span;
            expect(cell.to).toBe(bands[at - 1]?.to);
          }
          for (const [place, cell] of cells.entries()) {
            const next = cells[place + 1];
            if (next) expect([cell.position, cell.leads]).not.toEqual([next.position, next.leads]);
          }
        }
      }),
    );
  });

  test('colours by who is first: a split by its shares, an account that cannot take it passed over, a gap by the default order', () => {
    const split = [
      { account: 'paystack', percent: 70 },
      { account: 'flutterwave', percent: 30 },
    ];
    const rules = [
      rule('split', { amount: { from: 0, to: 999 } }, { strategy: 'weighted', split }),
      rule('large', { amount: { from: 1_000, to: 4_999 } }, { strategy: 'priority', accounts: ['small', 'flutterwave'] }),
    ];
    const accounts = [...ACCOUNTS, account('small', { maxAmount: 500 })];
    const { rows } = layOutCoverage({ rules, defaultOrder: ['gone', 'paystack'] }, accounts, QUERY);
    const [cards] = rows;
    const leads = cards?.cells.map((cell) => [
      cell.position,
      ...cell.leads.map(({ accountId, share }) => `${accountId} ${share}`),
    ]);
    expect(leads).toEqual([
      [0, 'paystack 0.7', 'flutterwave 0.3'],
      [1, 'flutterwave 1'],
      [null, 'paystack 1'],
    ]);
  });

  test('leaves out unfinished rules, and rows that no account can take', () => {
    const target = { strategy: 'priority', accounts: ['paystack'] } as const;
    const rules = [
      rule('typing', { amount: { from: 'abc', to: 50 } }, target),
      rule('back to front', { amount: { from: 90, to: 80 } }, target),
    ];
    const { bands, rows } = layOutCoverage({ rules, defaultOrder: [] }, [account('off', { enabled: false })], QUERY);
    expect([bands, rows]).toEqual([[{ from: 0, to: null }], []]);
  });

  test('shows as many bands as requested, and counts the rest', () => {
    const rules = Array.from({ length: 10 }, (_, at) =>
      rule(`r${at}`, { amount: { from: at * 10 + 1, to: at * 10 + 10 } }, { strategy: 'priority', accounts: ['paystack'] }),
    );
    const { bands, omitted } = layOutCoverage({ rules, defaultOrder: [] }, ACCOUNTS, { ...QUERY, limit: 4, skip: 2 });
    expect([bands.map(({ from }) => from), omitted]).toEqual([[21, 31, 41, 51], 7]);
  });

  test('draws rules that compare keys for payments that fulfil their conditions alone', () => {
    const KEY = { name: 'tier', label: 'Tier', type: 'enum' as const, values: ['gold', 'silver'] };
    const target = { strategy: 'priority', accounts: ['paystack'] } as const;
    const gold = rule('gold', { metadata: [{ key: 'tier', is: 'one_of', values: ['gold'] }] }, target);
    const document = { keys: [KEY], rules: [gold, rule('all', {}, target)], defaultOrder: [] };
    const [choice, ...others] = keysChoicesOf(document, 'NGN');
    expect(others).toEqual([]);
    expect(choice).toEqual({ ruleId: 'gold', label: 'rule 1: Tier is gold', keys: { metadata: { tier: 'gold' } } });
    const decidedBy = (keys: PaymentKeys) => layOutCoverage(document, ACCOUNTS, { ...QUERY, keys }).rows[0]?.cells[0]?.position;
    expect([decidedBy({}), decidedBy(choice?.keys ?? {}), decidedBy({ metadata: { tier: 'silver' } })]).toEqual([1, 0, 1]);
  });
});
