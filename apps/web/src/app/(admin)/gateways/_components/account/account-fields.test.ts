import { describe, expect, test } from 'vitest';
import { type Account, describeFees, type Kind } from '../copy.ts';
import { accountSchema, draftOf, newDraft, readDraft } from './account-fields.tsx';

const fees = { percentBasisPoints: 150, flat: 100, flatWaivedBelow: 2_500, cap: 2_000, vatBasisPoints: 750 };
const kind: Kind = {
  name: 'paystack',
  title: 'Paystack',
  currencies: ['NGN'],
  methods: ['CARD', 'TRANSFER'],
  minAmount: 50,
  maxAmount: null,
  fields: [{ name: 'secretKey', label: 'Secret key', help: null, secret: true, required: true }],
  publishedFees: [{ gateway: 'paystack', title: 'Paystack, local', schedule: fees, note: null }],
};
const filled = { ...newDraft(kind, ['paystack-main']), credentials: { secretKey: 'sk_test_0123456789' } };

describe('an account in its form', () => {
  test('begins with all the gateway takes, its published price and a name that is free', () => {
    expect(filled).toMatchObject({
      label: 'paystack-2',
      methods: ['CARD', 'TRANSFER'],
      minAmount: '50',
      fees: { percent: '1.5', vat: '7.5' },
    });
    expect(readDraft(filled, kind, true)).toEqual({ read: { minAmount: 50, maxAmount: null, fees }, problems: new Map() });
  });

  test('of an existing account holds no credentials, and requires none unless they are to be replaced', () => {
    const stored = {
      label: 'paystack-main',
      currencies: ['NGN'],
      methods: ['CARD'],
      minAmount: 50n,
      maxAmount: 1_000n,
      fees,
      baseUrl: null,
    };
    const draft = draftOf(stored as Account);
    expect(draft.credentials).toEqual({});
    expect(readDraft(draft, kind, false).problems.size).toBe(0);
    expect([...readDraft(draft, kind, true).problems.keys()]).toEqual(['credentials.secretKey']);
  });

  test.each([
    [{ label: 'Main account' }, 'label'],
    [{ methods: [] }, 'methods'],
    [{ minAmount: '1.5' }, 'minAmount'],
    [{ maxAmount: '49' }, 'maxAmount'],
    [{ fees: { percent: '101', flat: '0', waivedBelow: '', cap: '', vat: '0' } }, 'fees.percentBasisPoints'],
    [{ fees: { percent: '1', flat: '', waivedBelow: '', cap: '', vat: '0' } }, 'fees.flat'],
  ])('%j is reported beside its field', (change, field) => {
    expect([...readDraft({ ...filled, ...change }, kind, true).problems.keys()]).toEqual([field]);
  });
});

test('settings are sent in the gateway’s order of methods, with null for no address, and credentials that were entered', () => {
  const draft = { ...filled, methods: ['TRANSFER', 'CARD'] as const, credentials: { secretKey: ' sk_1 ', webhookSecret: '' } };
  expect(accountSchema(kind, true).parse(draft)).toMatchObject({
    settings: { methods: ['CARD', 'TRANSFER'], minAmount: 50, maxAmount: null, baseUrl: null },
    credentials: { secretKey: 'sk_1' },
  });
});

test('fees are described in one line', () => {
  expect(describeFees(fees)).toBe('1.5% + 100, the 100 waived below 2,500, capped at 2,000, 7.5% VAT on top');
  expect(describeFees(null)).toBe('Not set');
});
