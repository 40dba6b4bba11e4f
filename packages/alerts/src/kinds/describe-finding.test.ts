import { UTC_CLOCK } from '@switchyard/routing';
import { describe, expect, test } from 'vitest';
import { describeFinding, type FindingFacts, type FindingKind, INCIDENT_KINDS, readFacts } from './kinds.ts';
import { formatDuration } from './words.ts';

const at = '2026-11-20T14:02:00.000Z';
const everyone = { merchantIds: null, clock: UTC_CLOCK };
const member = { gateway: 'Paystack', label: 'main', state: 'down', since: at, recovered: false } as const;
const outage: FindingFacts = {
  of: 'outage',
  methods: ['CARD', null],
  members: [
    { ...member, merchantId: 'm1', accountId: 'a' },
    { ...member, merchantId: 'm2', accountId: 'b', recovered: true },
    { ...member, merchantId: 'm2', accountId: 'c', gateway: 'Kora', state: 'degraded' },
  ],
};

describe('an outage of several merchants', () => {
  test('is described to the workspace with all of them, counted', () => {
    expect(describeFinding('correlated_outage', outage, everyone)).toEqual({
      title: 'Correlated outage at Paystack and Kora',
      why: 'Card payments fail at Paystack and Kora for 2 merchants since 14:02 UTC: they probably have a common cause.',
      figures: [
        { label: 'Paystack', value: '1 account down, 1 recovered' },
        { label: 'Kora', value: '1 account degraded' },
      ],
      action: { path: '/health', query: {}, label: 'View health' },
    });
  });

  test('is described to the people of one merchant by its own accounts alone', () => {
    const own = describeFinding('correlated_outage', outage, { ...everyone, merchantIds: ['m1'] });
    expect(own.why).toBe(
      'Card payments fail at Paystack since 14:02 UTC, and for other merchants too: they probably have a common cause.',
    );
    expect(JSON.stringify(own)).not.toContain('Kora');
  });
});

test.each([
  [
    { of: 'money', count: 2, amounts: [{ currency: 'NGN', amount: '1234567.5', count: 2 }], oldestAt: at },
    'refund_stuck',
    'NGN 1,234,567.50',
  ],
  [
    { of: 'dispute', disputeId: 'd', gateway: 'Paystack', inLedger: true, amount: '2500', currency: 'NGN', dueAt: at },
    'dispute_due',
    'A customer disputes NGN 2,500.00 of a payment at Paystack. Respond by',
  ],
  [
    { of: 'dispute', disputeId: 'd', gateway: 'Paystack', inLedger: false, amount: '2500', currency: 'NGN', dueAt: at },
    'dispute_opened',
    'of a payment at Paystack that is not in the ledger. Respond by',
  ],
  [
    { of: 'repeat', paymentId: 'p', merchantOrderId: 'B', repeatsOrderId: 'A', amount: '2500', currency: 'NGN' },
    'repeated_payment',
    'Order B was begun while A, of the same customer and amount, did not look paid; both are paid.',
  ],
  [
    { of: 'reversals', count: 1, amounts: [{ currency: 'NGN', amount: '1000.5', count: 1 }], oldestAt: at },
    'payment_review',
    'Gateways took back NGN 1,000.50 of 1 paid payment',
  ],
  [{ of: 'backlog', what: 'jobs', count: 1, oldestAt: at }, 'backlog', '1 job is overdue, the oldest since 14:02 UTC'],
  [{ of: 'endpoint', endpointId: 'e', host: 'shop.example', reason: 'gone' }, 'webhook_endpoint_off', 'shop.example'],
  [
    { of: 'key', name: 'x', lastFour: 'abcd', expiresAt: at, lastUsedAt: null, replaced: true },
    'api_key_expiring',
    'is still in use',
  ],
  [
    { of: 'sign_in', name: 'Ada', address: '198.51.100.7', with: 'password', at },
    'sign_in_from_new_place',
    'Ada signed in from 198.51.100.7',
  ],
  [
    { of: 'break_glass', name: 'Ada', address: '198.51.100.7', at },
    'break_glass_used',
    'Ada signed in with a password at 14:02 UTC from 198.51.100.7, past the sign-in provider.',
  ],
  [
    { of: 'approver_left', decision: 'refunds', name: 'Ada', leftAt: at, waiting: 3 },
    'approver_left',
    'Ada, who was needed for it, was disabled on 20 Nov 2026, 14:02 UTC, and 3 requests wait: give another person a role that may.',
  ],
  [{ of: 'break_glass_named', name: 'Ada', by: 'Bola', at }, 'break_glass_used', 'Bola named Ada at 14:02 UTC.'],
  [
    { of: 'failing_endpoint', endpointId: 'e', host: 'shop.example', attempts: 9, failed: 8, waiting: 1 },
    'webhook_endpoint_failing',
    '8 of 9 attempts of the last 24 hours failed, 1 delivery is waiting.',
  ],
  [
    {
      of: 'canary',
      ended: 'ROLLED_BACK',
      version: 8,
      liveVersion: 7,
      percent: 10,
      refusal: null,
      draft: { customers: 1_070, paid: 45 },
      live: { customers: 620, paid: 530 },
    },
    'canary_ended',
    '45 of 1,070 customers paid under it, and 530 of 620 under version 7.',
  ],
  [
    { of: 'error_code', gateway: 'paystack', label: 'main', code: 'E77', count: 3, payments: 2 },
    'unknown_error_code',
    'It came 3 times in 30 days, and is in no row of the gateway’s table.',
  ],
  [
    { of: 'error_code', gateway: 'paystack', label: 'main', code: 'other words', count: 1, payments: 1 },
    'unknown_error_code',
    'They came 1 time in 30 days, and their words are in no row of the gateway’s table.',
  ],
  [{ of: 'draft', draftId: 'd', name: null, state: 'approved' }, 'draft', 'It was approved and can be published.'],
] satisfies readonly (readonly [FindingFacts, FindingKind, string])[])('%o is one sentence with figures', (facts, kind, part) => {
  const { why } = describeFinding(kind, facts, everyone);
  expect(why).toContain(part);
  expect(why).toMatch(/\.$/);
});

describe('what is over', () => {
  const ended = { ...everyone, ended: true };
  const why = {
    code: 'slow',
    gateway: 'Paystack',
    method: 'CARD',
    state: 'down',
    since: at,
    again: false,
    latencyMs: 9_000,
    usualMs: null,
  };
  const gateway: FindingFacts = {
    of: 'gateway',
    gateway: 'Paystack',
    label: 'main',
    accountId: 'a',
    methods: [{ method: 'CARD', state: 'down', why }],
  };

  test('is told in the past: what was down, and from when', () => {
    expect(describeFinding('gateway_down', gateway, everyone)).toMatchObject({
      title: 'Paystack (main) is down',
      why: 'Down since 14:02 UTC: checkouts take 9.0 s on average (Paystack, card).',
    });
    expect(describeFinding('gateway_down', gateway, ended)).toMatchObject({
      title: 'Paystack (main) was down',
      why: 'Down from 14:02 UTC: checkouts take 9.0 s on average (Paystack, card).',
    });
  });

  test('of several merchants failed together', () => {
    expect(describeFinding('correlated_outage', outage, ended).why).toBe(
      'Card payments failed at Paystack and Kora for 2 merchants from 14:02 UTC: they probably had a common cause.',
    );
  });

  test.each<[FindingKind, FindingFacts]>([
    ['gateway_down', gateway],
    ['gateway_degraded', gateway],
    ['correlated_outage', outage],
    [
      'credentials_refused',
      { of: 'credentials', gateway: 'Paystack', label: 'main', accountId: 'a', sentence: 'It refused its key.' },
    ],
    ['refund_stuck', { of: 'money', count: 2, amounts: [{ currency: 'NGN', amount: '1', count: 2 }], oldestAt: at }],
    ['payment_review', { of: 'money', count: 1, amounts: [{ currency: 'NGN', amount: '1', count: 1 }], oldestAt: at }],
    ['reconciliation_discrepancy', { of: 'discrepancies', count: 1, kinds: [], oldestAt: at }],
    ['webhook_endpoint_off', { of: 'endpoint', endpointId: 'e', host: 'shop.example', reason: 'gone' }],
    ['backlog', { of: 'backlog', what: 'jobs', count: 3, oldestAt: at }],
  ])('of the kind %s says nothing of the present', (kind, facts) => {
    const { title, why: sentence } = describeFinding(kind, facts, ended);
    expect(`${title}. ${sentence}`).not.toMatch(/\b(is|are|has|have|fails?|waits?|differ|receives)\b/);
  });
});

test('facts of another version still have a title and a page', () => {
  for (const kind of INCIDENT_KINDS) {
    const facts = readFacts({ of: 'something later' });
    expect(describeFinding(kind, facts, everyone).title).not.toBe('');
    expect(describeFinding(kind, facts, everyone).action.path).toMatch(/^\//);
  }
});

test('durations are rounded to what matters', () => {
  expect([1_000, 59 * 60_000, 3_600_000, 3 * 3_600_000 + 300_000, 52 * 3_600_000].map(formatDuration)).toEqual([
    ...['1 min', '59 min', '1 h', '3 h 5 min', '2 d 4 h'],
  ]);
});
