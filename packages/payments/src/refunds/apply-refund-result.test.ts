import type { RefundState } from '@switchyard/db/client';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyRefundResult,
  canTransitionRefund,
  isFinalRefund,
  nextRefundCheckAt,
  type RefundResult,
  resendRefundAt,
  resultFromSending,
} from './apply-refund-result.ts';

const NOW = new Date('2026-11-20T14:00:00Z');
const HOUR_MS = 3_600_000;
const states: readonly RefundState[] = ['REQUESTED', 'PROCESSING', 'NEEDS_ATTENTION', 'SUCCEEDED', 'FAILED'];
const REPORTED_STATES = ['PROCESSING', 'NEEDS_ATTENTION', 'SUCCEEDED', 'FAILED'] as const;

const refunds = fc.record({
  state: fc.constantFrom(...states),
  gatewayRefundId: fc.option(fc.constant('75923')),
  createdAt: fc.integer({ min: 0, max: 72 }).map((hours) => new Date(NOW.getTime() - hours * HOUR_MS)),
  sentAt: fc.option(fc.integer({ min: 0, max: 72 }).map((hours) => new Date(NOW.getTime() - hours * HOUR_MS))),
  sendCount: fc.integer({ min: 0, max: 7 }),
  heldAt: fc.option(fc.constant(NOW)),
  failureMessage: fc.option(fc.string()),
});
const sending = fc.integer({ min: 0, max: 7 });
const message = fc.string();
const answers: fc.Arbitrary<RefundResult> = fc.oneof(
  fc.record({
    kind: fc.constant('reported' as const),
    state: fc.constantFrom(...REPORTED_STATES),
    gatewayRefundId: fc.option(fc.constant('75924')),
    message: fc.option(message),
  }),
  fc.record({
    kind: fc.constant('reported' as const),
    state: fc.constant('PROCESSING' as const),
    gatewayRefundId: fc.option(fc.constant('75924')),
    message: fc.constant(null),
    unrecognised: fc.record({ message, record: fc.constant('{}') }),
  }),
  fc.record({ kind: fc.constant('not_received' as const), sending, message }),
  fc.record({ kind: fc.constant('unanswered' as const), message }),
  fc.record({ kind: fc.constant('held' as const), sending, message }),
  fc.record({ kind: fc.constant('cleared' as const) }),
);
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the effect of a gateway result on a refund', () => {
  test('is an allowed transition or none, nothing for a final refund, and a next check for every other', () => {
    fc.assert(
      fc.property(refunds, answers, random, (refund, result, chance) => {
        const change = applyRefundResult(refund, result, { now: NOW, random: chance });
        if (isFinalRefund(refund.state)) expect(change).toBeNull();
        if (change === null) return;
        const to = change.state ?? refund.state;
        expect(to === refund.state || canTransitionRefund(refund.state, to)).toBe(true);
        if (isFinalRefund(to)) expect(change.nextCheckAt).toBeNull();
        else expect(change.nextCheckAt?.getTime()).toBeGreaterThan(NOW.getTime());
      }),
    );
  });

  test('is never final without an answer', () => {
    fc.assert(
      fc.property(refunds, message, random, (refund, text, chance) => {
        const change = applyRefundResult(refund, { kind: 'unanswered', message: text }, { now: NOW, random: chance });
        expect(change?.state).toBeUndefined();
        expect(change?.sentAt).toBeUndefined();
      }),
    );
  });

  test('allows another sending only when the latest one was not received, or a person clears one that was held', () => {
    fc.assert(
      fc.property(refunds, answers, random, (refund, result, chance) => {
        const change = applyRefundResult(refund, result, { now: NOW, random: chance });
        if (change?.state !== 'REQUESTED') return;
        if (result.kind === 'cleared') expect(refund).toMatchObject({ state: 'NEEDS_ATTENTION', heldAt: NOW });
        else expect(result).toMatchObject({ kind: 'not_received', sending: refund.sendCount });
        expect(change.sentAt).toBeNull();
      }),
    );
  });

  test('never replaces the gateway’s id of the refund', () => {
    fc.assert(
      fc.property(refunds, answers, (refund, result) => {
        const change = applyRefundResult(refund, result, { now: NOW, random: 0.5 });
        if (refund.gatewayRefundId !== null) expect(change?.gatewayRefundId).toBeUndefined();
      }),
    );
  });

  const requested = {
    state: 'PROCESSING',
    gatewayRefundId: null,
    createdAt: NOW,
    sentAt: NOW,
    sendCount: 2,
    heldAt: null,
    failureMessage: null,
  } as const;

  test('of an earlier sending says nothing, be it refused, lost or held back', () => {
    const by = { now: NOW, random: 0.5 };
    const refused = { kind: 'reported', state: 'FAILED', gatewayRefundId: null, message: 'Refused.' } as const;
    expect(applyRefundResult(requested, { ...refused, sending: 1 }, by)).toBeNull();
    expect(applyRefundResult(requested, { ...refused, sending: 2 }, by)).toMatchObject({ state: 'FAILED' });
    const lost = { kind: 'not_received', message: 'Not listed.' } as const;
    expect(applyRefundResult(requested, { ...lost, sending: 1 }, by)).toBeNull();
    expect(applyRefundResult(requested, { ...lost, sending: 2 }, by)).toMatchObject({ state: 'REQUESTED', sentAt: null });
    const held = { kind: 'held', message: 'Rows may have been lost.' } as const;
    expect(applyRefundResult(requested, { ...held, sending: 1 }, by)).toBeNull();
    expect(applyRefundResult(requested, { ...held, sending: 2 }, by)).toMatchObject({ state: 'NEEDS_ATTENTION', heldAt: NOW });
  });

  test('is a failure where a day of sending reached nothing, and says so', () => {
    const lost = { kind: 'not_received', sending: 2, message: 'Not listed.' } as const;
    const after = (ms: number) => applyRefundResult(requested, lost, { now: new Date(NOW.getTime() + ms), random: 0.5 });
    expect(after(24 * HOUR_MS)).toMatchObject({ state: 'REQUESTED' });
    expect(after(24 * HOUR_MS + 1)).toEqual({
      state: 'FAILED',
      failureMessage: 'Given up after a day of trying. Not listed.',
      nextCheckAt: null,
    });
  });

  test('needs attention after five sendings that were not received, and says how many there were', () => {
    const lost = (sendCount: number, state: RefundState = 'PROCESSING') => {
      const result = { kind: 'not_received', sending: sendCount, message: 'Not listed.' } as const;
      return applyRefundResult({ ...requested, state, sendCount }, result, { now: NOW, random: 0 });
    };
    expect(lost(4)).toMatchObject({ state: 'REQUESTED', sentAt: null, failureMessage: 'Not listed.' });
    expect(lost(5)).toMatchObject({
      state: 'NEEDS_ATTENTION',
      failureMessage: 'Requested 5 times, and the gateway lists no such refund. Not listed.',
    });
    expect(lost(5, 'REQUESTED')).toMatchObject({ state: 'REQUESTED', sentAt: null });
  });

  test('is never another sending while a person decides', () => {
    const result = { kind: 'not_received', sending: 2, message: 'Not listed.' } as const;
    const change = applyRefundResult({ ...requested, state: 'NEEDS_ATTENTION' }, result, { now: NOW, random: 0.5 });
    expect(change).toEqual({ failureMessage: 'Not listed.', nextCheckAt: new Date(NOW.getTime() + 5_000) });
  });

  const HELD = { ...requested, state: 'NEEDS_ATTENTION', heldAt: NOW, failureMessage: 'After a restore.' } as const;

  test('takes the gateway’s id when it comes first, whatever the status is', () => {
    const by = { now: NOW, random: 0.5 };
    const reported = { kind: 'reported', state: 'PROCESSING', gatewayRefundId: '75923', message: null } as const;
    const unrecognised = { message: 'Held.', record: '{}' };
    for (const result of [reported, { ...reported, unrecognised }]) {
      expect(applyRefundResult(requested, result, by)?.gatewayRefundId).toBe('75923');
      expect(applyRefundResult(requested, { ...result, gatewayRefundId: null }, by)).not.toHaveProperty('gatewayRefundId');
      const known = applyRefundResult({ ...requested, gatewayRefundId: '75922' }, result, by);
      expect(known).not.toHaveProperty('gatewayRefundId');
      expect(known).toHaveProperty('nextCheckAt');
    }
  });

  test('that is held back is sent once a person has seen that the gateway does not have it, and only then', () => {
    const by = { now: NOW, random: 0.5 };
    const cleared = { kind: 'cleared' } as const;
    expect(applyRefundResult(HELD, cleared, by)).toMatchObject({
      state: 'REQUESTED',
      heldAt: null,
      clearedAt: NOW,
      sentAt: null,
      failureMessage: null,
    });
    expect(applyRefundResult({ ...HELD, heldAt: null }, cleared, by)).toBeNull();
    expect(applyRefundResult({ ...HELD, state: 'PROCESSING' }, cleared, by)).toBeNull();
  });

  test('that is held back is so no longer once the gateway has it, whatever the status is', () => {
    const by = { now: NOW, random: 0.5 };
    const reported = { kind: 'reported', state: 'PROCESSING', gatewayRefundId: null, message: null } as const;
    for (const result of [reported, { ...reported, unrecognised: { message: 'Held.', record: '{}' } }]) {
      expect(applyRefundResult(HELD, result, by)).toHaveProperty('heldAt', null);
      expect(applyRefundResult(requested, result, by)).not.toHaveProperty('heldAt');
    }
  });

  test('that is to be sent is ended by no report but a refusal', () => {
    const unsent = { ...requested, state: 'REQUESTED' } as const;
    const moved = REPORTED_STATES.map((state) => {
      const result = { kind: 'reported', state, gatewayRefundId: null, message: null } as const;
      return applyRefundResult(unsent, result, { now: NOW, random: 0.5 })?.state ?? null;
    });
    expect(moved).toEqual(['PROCESSING', null, null, 'FAILED']);
  });

  test.each([
    ['PROCESSING', null],
    ['SUCCEEDED', null],
    ['FAILED', 'So it is.'],
    ['NEEDS_ATTENTION', 'So it is.'],
  ] as const)('that is %s has the message %j', (state, failureMessage) => {
    const result = { kind: 'reported', state, gatewayRefundId: null, message: 'So it is.' } as const;
    expect(applyRefundResult(requested, result, { now: NOW, random: 0.5 })).toMatchObject({ state, failureMessage });
  });
});

describe('the result of sending a refund', () => {
  const call = { method: 'POST', url: '', httpStatus: null, latencyMs: 1, request: null, answer: null, retryAfterMs: null };
  const no = (
    of: 'provider_fault' | 'our_configuration',
    code: 'rate_limited' | 'malformed_answer' | 'request_rejected' | 'duplicate_reference',
  ) => resultFromSending({ outcome: 'no', failure: { class: of, code, message: 'm' }, call }, 2);

  test('a refusal is final for that sending only', () => {
    expect(no('our_configuration', 'request_rejected')).toMatchObject({ kind: 'reported', state: 'FAILED', sending: 2 });
  });

  test('no answer leaves the outcome open', () => {
    const failure = { class: 'provider_fault', code: 'timeout', message: 'No answer in time.' } as const;
    expect(resultFromSending({ outcome: 'unknown', failure, call }, 2)).toEqual({
      kind: 'unanswered',
      message: 'No answer in time.',
    });
  });

  test.each([
    ['processing', 'PROCESSING', null],
    ['succeeded', 'SUCCEEDED', null],
    ['failed', 'FAILED', 'The gateway reports that the refund failed. It says: No balance'],
    ['needs_attention', 'NEEDS_ATTENTION', "The gateway needs the customer's bank details. It says: No balance"],
  ] as const)('a refund that is %s there is %s here', (state, ours, text) => {
    const receipt = (said: string | null) => ({ gatewayRefundId: '75923', state, message: said });
    const result = (said: string | null) => resultFromSending({ outcome: 'yes', value: receipt(said), call }, 2);
    expect(result('No balance')).toEqual({ kind: 'reported', state: ours, message: text, gatewayRefundId: '75923' });
    // Such a message is about the request, not about the refund.
    const plain = text?.replace(' It says: No balance', '') ?? null;
    for (const said of [null, 'Refund has been queued', 'Refunds retrieved', 'Refund INITIATED'])
      expect(result(said)).toMatchObject({ message: plain });
  });

  test('a status that is not documented is handed on as it was read', () => {
    const unrecognised = { message: 'Paystack reports quarantined.', record: '{}' };
    const value = { gatewayRefundId: '75923', state: 'processing', message: null, unrecognised } as const;
    expect(resultFromSending({ outcome: 'yes', value, call }, 1)).toEqual({
      kind: 'reported',
      state: 'PROCESSING',
      gatewayRefundId: '75923',
      message: null,
      unrecognised,
    });
  });

  test('an unreachable gateway allows another sending', () => {
    expect(no('provider_fault', 'rate_limited')).toMatchObject({ kind: 'not_received', sending: 2 });
  });

  test('a malformed answer, or one about an earlier call, leaves the outcome open', () => {
    expect(no('provider_fault', 'malformed_answer').kind).toBe('unanswered');
    expect(no('our_configuration', 'duplicate_reference').kind).toBe('unanswered');
  });
});

test('checks are five seconds to six hours apart, never more than half the refund’s age', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60 * 24 * 3_600 }), random, (age, chance) => {
      const since = new Date(NOW.getTime() - age * 1_000);
      const wait = nextRefundCheckAt({ now: NOW, since, random: chance }).getTime() - NOW.getTime();
      expect(wait).toBeGreaterThanOrEqual(4_000);
      expect(wait).toBeLessThanOrEqual(7 * HOUR_MS);
      expect(wait).toBeLessThanOrEqual(Math.max(6_000, age * 1_000 * 0.6));
    }),
  );
});

test('the wait is half the age, up to 15 % more or less by chance', () => {
  const wait = (next: typeof nextRefundCheckAt, ageMs: number, chance: number) =>
    next({ now: NOW, since: new Date(NOW.getTime() - ageMs), random: chance }).getTime() - NOW.getTime();
  expect(wait(nextRefundCheckAt, 0, 0.5)).toBe(5_000);
  expect([0, 0.5, 1].map((chance) => wait(nextRefundCheckAt, 2 * HOUR_MS, chance))).toEqual([3_060_000, HOUR_MS, 4_140_000]);
  expect(wait(nextRefundCheckAt, 30 * HOUR_MS, 0.5)).toBe(6 * HOUR_MS);
  expect(wait(resendRefundAt, 30_000, 0.5)).toBe(15_000);
  expect(wait(resendRefundAt, 30 * HOUR_MS, 0.5)).toBe(600_000);
});

describe('a refund that does not end', () => {
  const at = (ms: number) => ({ now: new Date(NOW.getTime() + ms), random: 0.5 });
  const sent = {
    state: 'PROCESSING',
    gatewayRefundId: 'REFUND-1',
    createdAt: NOW,
    sentAt: NOW,
    sendCount: 1,
    heldAt: null,
    failureMessage: null,
  } as const;
  const DAY_MS = 24 * HOUR_MS;
  const processing = { kind: 'reported', state: 'PROCESSING', gatewayRefundId: null, message: null } as const;

  test('at a gateway that answers no questions needs attention after three days, and not before', () => {
    const result = { kind: 'unanswered', message: 'Squad answers no questions.', noLookup: true } as const;
    expect(applyRefundResult(sent, result, at(3 * DAY_MS - 1))?.state).toBeUndefined();
    expect(applyRefundResult(sent, result, at(3 * DAY_MS))).toMatchObject({
      state: 'NEEDS_ATTENTION',
      failureMessage: 'Squad answers no questions.',
    });
  });

  test('with a status that is not documented needs attention after three days, not before, and never by the status', () => {
    const result = { ...processing, unrecognised: { message: 'Paystack reports quarantined.', record: '{}' } } as const;
    const failureMessage = 'Paystack reports quarantined.';
    expect(applyRefundResult(sent, result, at(3 * DAY_MS - 1))).toMatchObject({ failureMessage });
    expect(applyRefundResult(sent, result, at(3 * DAY_MS - 1))).not.toHaveProperty('state');
    expect(applyRefundResult(sent, result, at(3 * DAY_MS))).toMatchObject({ state: 'NEEDS_ATTENTION', failureMessage });
    const waiting = { ...sent, state: 'NEEDS_ATTENTION' } as const;
    expect(applyRefundResult(waiting, result, at(HOUR_MS))).not.toHaveProperty('state');
  });

  test.each<[string, RefundResult]>([
    ['that stays in progress', processing],
    ['that gets no answer', { kind: 'unanswered', message: 'No answer in time.' }],
  ])('%s needs attention after thirty days, and not before', (_, result) => {
    expect(applyRefundResult(sent, result, at(30 * DAY_MS - 1))?.state).not.toBe('NEEDS_ATTENTION');
    const late = applyRefundResult(sent, result, at(30 * DAY_MS));
    expect(late).toMatchObject({ state: 'NEEDS_ATTENTION', failureMessage: expect.stringMatching(/^(For 30 days|No answer)/) });
  });

  test('keeps its state and the reason while it is not sent or waits for a person, however long that lasts', () => {
    for (const state of ['REQUESTED', 'NEEDS_ATTENTION'] as const) {
      const change = applyRefundResult({ ...sent, state }, { kind: 'unanswered', message: 'x' }, at(30 * DAY_MS));
      expect([change?.state ?? state, change?.failureMessage]).toEqual([state, 'x']);
    }
  });

  test('is never failed or sent again by its age, and keeps needing attention while its gateway repeats itself', () => {
    const waiting = { ...sent, state: 'NEEDS_ATTENTION' } as const;
    for (const result of [processing, { kind: 'unanswered', message: 'x', noLookup: true } as const]) {
      for (const refund of [sent, waiting]) {
        const change = applyRefundResult(refund, result, at(400 * DAY_MS));
        expect(change?.state ?? 'NEEDS_ATTENTION').toBe('NEEDS_ATTENTION');
        expect(change?.sentAt).toBeUndefined();
      }
    }
    expect(applyRefundResult(waiting, { ...processing, state: 'SUCCEEDED' }, at(400 * DAY_MS))?.state).toBe('SUCCEEDED');
  });
});

const STATES = ['REQUESTED', 'PROCESSING', 'NEEDS_ATTENTION', 'SUCCEEDED', 'FAILED'] as const;

test('a refund makes exactly the documented moves', () => {
  const moves = STATES.flatMap((from) => STATES.filter((to) => canTransitionRefund(from, to)).map((to) => `${from} → ${to}`));
  expect(moves).toEqual([
    'REQUESTED → PROCESSING',
    'REQUESTED → FAILED',
    'PROCESSING → REQUESTED',
    'PROCESSING → NEEDS_ATTENTION',
    'PROCESSING → SUCCEEDED',
    'PROCESSING → FAILED',
    'NEEDS_ATTENTION → REQUESTED',
    'NEEDS_ATTENTION → PROCESSING',
    'NEEDS_ATTENTION → SUCCEEDED',
    'NEEDS_ATTENTION → FAILED',
  ]);
});

test('a refund that succeeded or failed stays so', () => {
  expect(STATES.filter(isFinalRefund)).toEqual(['SUCCEEDED', 'FAILED']);
});
