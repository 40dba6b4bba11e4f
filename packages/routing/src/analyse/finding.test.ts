import { describe, expect, it } from 'vitest';
import { anAccount, aRule, aRuleSet, aTarget } from '../testing/samples.ts';
import { analyse } from './analyse.ts';
import { compareFindings } from './finding.ts';

const ACCOUNTS = [anAccount('paystack-main'), anAccount('flutterwave-main')];
const small = aRule('small', aTarget('paystack-main'), { amount: { from: 0, to: 5_000 } });
const never = aRule('never', aTarget('paystack-main'), { amount: { from: 5, to: 10 } });
const findingsOf = (...rules: (typeof small)[]) =>
  analyse(aRuleSet(rules, ['paystack-main', 'flutterwave-main']), ACCOUNTS).findings;

describe('the findings of two rule sets', () => {
  it('are the same for the same rules, wherever they stand', () => {
    const above = aRule('above', aTarget('flutterwave-main'), { methods: ['USSD'] });
    const before = findingsOf(small, never, above);
    const now = findingsOf(above, small, never);
    expect(compareFindings(before, now)).toEqual({ added: [], gone: [] });
  });

  it('differ by what is new and what went away', () => {
    const before = findingsOf(small);
    const now = findingsOf(small, never);
    const { added, gone } = compareFindings(before, now);
    expect(added.map((place) => now[place]?.kind)).toEqual(['shadowed']);
    expect(gone).toEqual([]);
    expect(compareFindings(now, before)).toEqual({ added: [], gone: now.filter(({ kind }) => kind === 'shadowed') });
  });
});
