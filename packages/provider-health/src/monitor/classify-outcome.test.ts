import type { Failure, FailureCode, Outcome } from '@switchyard/gateways';
import { expect, test } from 'vitest';
import { well } from '../testing/health-fixture.ts';
import { classifyOutcome } from './classify-outcome.ts';

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
