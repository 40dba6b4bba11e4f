import type { Failure, FailureCode, Outcome } from '@switchyard/gateways';
import { beforeEach, expect, test } from 'vitest';
import { timedOut, well } from '../testing/health-fixture.ts';
import { classifyOutcome, createHealthLedger, type HealthLedger } from './health-ledger.ts';

const WHERE = { merchantId: 'balogun', accountId: 'paystack', method: 'CARD' };
const BEGIN = Date.parse('2026-11-20T14:00:05Z');

let now: number;
let ledger: HealthLedger;
beforeEach(() => {
  now = BEGIN;
  ledger = createHealthLedger(() => new Date(now));
});

const declined: Outcome<unknown> = {
  outcome: 'no',
  failure: { class: 'customer', code: 'declined', message: 'x' },
  call: well.call,
};
/** Drained counts, by method and the beginning of its ten seconds. */
const drained = () =>
  Object.fromEntries(ledger.drain().map(({ method, bucketAt, ...counts }) => [`${method} ${bucketAt.toISOString()}`, counts]));

test('an opening counts for its method and for the account as a whole, in its ten seconds, and is handed out once', () => {
  ledger.observeOpening(WHERE, well, 240);
  ledger.observeOpening({ ...WHERE, method: null }, timedOut, 2_000);
  now += 5_000;
  ledger.observeOpening(WHERE, well, 260);
  expect(drained()).toMatchObject({
    '* 2026-11-20T14:00:00.000Z': { succeeded: 1, faulted: 1, timedOut: 1, latencyMsSum: 240 },
    'CARD 2026-11-20T14:00:00.000Z': { succeeded: 1, faulted: 0, latencyMsSum: 240 },
    '* 2026-11-20T14:00:10.000Z': { succeeded: 1, faulted: 0, latencyMsSum: 260 },
    'CARD 2026-11-20T14:00:10.000Z': { succeeded: 1, latencyMsSum: 260 },
  });
  expect(ledger.drain()).toEqual([]);
});

test('a look-up is no opening: it counts beside them, for the account as a whole alone', () => {
  ledger.observeLookup(WHERE, well);
  ledger.observeLookup(WHERE, timedOut);
  expect(drained()).toEqual({
    '* 2026-11-20T14:00:00.000Z': expect.objectContaining({
      succeeded: 0,
      faulted: 0,
      timedOut: 0,
      latencyMsSum: 0,
      lookupsAnswered: 1,
      lookupsFailed: 1,
    }),
  });
  expect(ledger.run('paystack', '*')).toEqual([]);
});

test('payments that end count for their method and for the account as a whole', () => {
  ledger.observeEnd(WHERE, 'paid');
  ledger.observeEnd(WHERE, 'unpaid');
  ledger.observeEnd({ ...WHERE, method: null }, 'unpaid');
  expect(drained()).toMatchObject({
    '* 2026-11-20T14:00:00.000Z': { paid: 1, unpaid: 2, succeeded: 0 },
    'CARD 2026-11-20T14:00:00.000Z': { paid: 1, unpaid: 1, succeeded: 0 },
  });
});

test('faults in a row are kept from when each opening began, until one succeeds; what is no fault ends no run', () => {
  ledger.observeOpening(WHERE, timedOut, 2_000);
  ledger.observeOpening(WHERE, declined, 100);
  now += 1_000;
  ledger.observeOpening({ ...WHERE, method: 'USSD' }, timedOut, 500);
  const [first, second] = [
    { at: BEGIN - 2_000, kind: 'timed_out' },
    { at: BEGIN + 500, kind: 'timed_out' },
  ];
  expect(ledger.run('paystack', 'CARD')).toEqual([first]);
  expect(ledger.run('paystack', '*')).toEqual([first, second]);
  expect(ledger.run('monnify', '*')).toEqual([]);
  ledger.observeOpening(WHERE, well, 240);
  expect(ledger.run('paystack', 'CARD')).toEqual([]);
  expect(ledger.run('paystack', '*')).toEqual([]);
  expect(ledger.run('paystack', 'USSD')).toEqual([second]);
});

function failed(of: Failure['class'], code: FailureCode): Outcome<unknown> {
  return { outcome: 'unknown', failure: { class: of, code, message: 'x' }, call: well.call };
}

test('a gateway that answers works, be the answer that there is no payment, or none yet, or one that cannot be read', () => {
  expect(classifyOutcome(well)).toEqual({ outcome: 'succeeded' });
  for (const code of ['not_found', 'not_paid_yet', 'unrecognised_status', 'undecided'] as const) {
    expect(classifyOutcome(failed('customer', code))).toEqual({ outcome: 'succeeded' });
    expect(classifyOutcome(failed('our_configuration', code))).toEqual({ outcome: 'succeeded' });
  }
});

test.each([
  ['customer', 'declined'],
  ['our_configuration', 'invalid_credentials'],
  ['our_configuration', 'request_rejected'],
  ['our_configuration', 'duplicate_reference'],
  ['our_configuration', 'address_refused'],
] as const)('what is the fault of the %s (%s) says nothing of the gateway', (of, code) => {
  expect(classifyOutcome(failed(of, code))).toEqual({ outcome: 'ignored' });
});

test.each([
  ['timeout', 'timed_out'],
  ['connection_refused', 'refused'],
  ['connection_lost', 'refused'],
  ['http_5xx', 'server_error'],
  ['rate_limited', 'rate_limited'],
  ['malformed_answer', 'malformed'],
  ['reference_mismatch', 'malformed'],
] as const)('a fault of the gateway counts by its kind: %s is %s', (code, kind) => {
  expect(classifyOutcome(failed('provider_fault', code))).toEqual({ outcome: 'provider_fault', kind });
});
