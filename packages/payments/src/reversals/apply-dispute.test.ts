import type { ReportedDispute } from '@switchyard/gateways';
import { expect, test } from 'vitest';
import { applyDispute } from './apply-dispute.ts';

const now = new Date('2026-11-20T14:00:00Z');
const dueAt = new Date('2026-11-21T06:00:00Z');
const known = {
  state: 'NEEDS_RESPONSE',
  category: 'chargeback',
  stage: null,
  amount: '2500',
  fee: null,
  dueAt,
  dueSource: 'GATEWAY',
  closedAt: null,
  unrecognised: null,
} as const;
const reported: ReportedDispute = {
  gatewayDisputeId: '358950',
  reference: 'ref',
  transactionId: '1',
  state: 'needs_response',
  category: 'chargeback',
  stage: null,
  amount: '2500',
  dueAt,
  openedAt: now,
  closedAt: null,
};
const rule = { at: new Date('2026-11-21T09:00:00Z'), source: 'RULE' } as const;
const about = (changes: Partial<ReportedDispute>, before: Parameters<typeof applyDispute>[0] = known) =>
  applyDispute(before, { ...reported, ...changes }, { paid: '2500', now, due: rule });

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
  ['accepted', 'ACCEPTED', 'dispute.accepted', now],
  ['expired', 'EXPIRED', 'dispute.expired', now],
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

test('without a due date of its gateway is due by the rule, until the gateway names one', () => {
  expect(about({ dueAt: null }, null)).toMatchObject({ fields: { dueAt: rule.at, dueSource: 'RULE' } });
  const byRule = { ...known, dueAt: rule.at, dueSource: 'RULE' } as const;
  expect(about({ dueAt: null }, byRule)).toBeNull();
  expect(about({ dueAt }, byRule)).toMatchObject({ fields: { dueAt, dueSource: 'GATEWAY' }, event: null });
});

test('that comes to another stage is an event again', () => {
  expect(about({ stage: 'pre-arbitration' }, { ...known, stage: 'new' })).toMatchObject({
    fields: { stage: 'pre-arbitration' },
    event: 'dispute.opened',
  });
});

const unrecognised = { message: 'Paystack reports a status that its documentation does not list: escalated.', record: '{}' };

test.each([
  ['that is new waits for an answer', null, 'NEEDS_RESPONSE', 'dispute.opened'],
  ['under review waits for an answer', { ...known, state: 'UNDER_REVIEW' }, 'NEEDS_RESPONSE', null],
  ['that was lost stays lost', { ...known, state: 'LOST', closedAt: dueAt }, 'LOST', null],
  ['that was won stays won', { ...known, state: 'WON', closedAt: dueAt }, 'WON', null],
] as const)('with a status that is not documented one %s', (_, before, state, event) => {
  const change = about({ state: 'needs_response', unrecognised }, before);
  expect(change).toMatchObject({ fields: { state, unrecognised: unrecognised.message }, event });
});

test('one that people have decided about stays so while its status is the same, and follows a status that is known', () => {
  const before = { ...known, unrecognised: unrecognised.message };
  const terms = { paid: '2500', now, due: rule };
  const seen = applyDispute(before, { ...reported, state: 'under_review' }, { ...terms, isSeen: true });
  expect(seen).toMatchObject({
    fields: { state: 'UNDER_REVIEW', unrecognised: unrecognised.message },
    event: 'dispute.under_review',
  });
  if (seen === null) return;
  expect(about({ unrecognised }, seen.fields)).toBeNull();
  expect(about({ unrecognised: { ...unrecognised, message: 'Another.' } }, seen.fields)?.fields.state).toBe('NEEDS_RESPONSE');
  expect(about({ state: 'won' }, seen.fields)).toMatchObject({ fields: { state: 'WON', unrecognised: null } });
});
