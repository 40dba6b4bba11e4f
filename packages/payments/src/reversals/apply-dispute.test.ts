import type { ReportedDispute } from '@switchyard/gateways';
import { expect, test } from 'vitest';
import { applyDispute } from './apply-dispute.ts';

const now = new Date('2026-11-20T14:00:00Z');
const dueAt = new Date('2026-11-21T06:00:00Z');
const known = { state: 'NEEDS_RESPONSE', category: 'chargeback', amount: '2500', dueAt, closedAt: null } as const;
const reported: ReportedDispute = {
  gatewayDisputeId: '358950',
  reference: 'ref',
  transactionId: '1',
  state: 'needs_response',
  category: 'chargeback',
  amount: '2500',
  dueAt,
  openedAt: now,
  closedAt: null,
};
const about = (changes: Partial<ReportedDispute>, before: Parameters<typeof applyDispute>[0] = known) =>
  applyDispute(before, { ...reported, ...changes }, { paid: 2_500n, now });

test('a new dispute is opened, of the whole payment where its gateway names no amount', () => {
  expect(about({}, null)).toEqual({ fields: known, event: 'dispute.opened' });
  expect(about({ amount: null }, null)).toMatchObject({ fields: { amount: '2500' } });
});

test('the same report again changes nothing', () => {
  expect(about({ amount: '2500.00' })).toBeNull();
});

test('another due date is recorded without an event', () => {
  expect(about({ dueAt: now })).toMatchObject({ fields: { dueAt: now }, event: null });
});

test.each([
  ['under_review', 'UNDER_REVIEW', 'dispute.under_review', null],
  ['won', 'WON', 'dispute.won', now],
  ['lost', 'LOST', 'dispute.lost', now],
  ['closed', 'CLOSED', 'dispute.closed', now],
] as const)(
  'one that is %s is recorded with an event, and closed at its gateway’s time or now',
  (state, stored, event, closedAt) => {
    expect(about({ state })).toMatchObject({ fields: { state: stored, closedAt }, event });
  },
);

test('one that was lost may be won later', () => {
  expect(about({ state: 'won' }, { ...known, state: 'LOST', closedAt: dueAt })).toMatchObject({ event: 'dispute.won' });
});
