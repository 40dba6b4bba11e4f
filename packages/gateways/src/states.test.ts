import { expect, it } from 'vitest';
import { observeUnrecognisedStates, publishedStates } from './published-states.ts';
import { createRedactor } from './redact.ts';
import {
  describeUnrecognised,
  evaluateState,
  readRefundState,
  readState,
  readWord,
  type StateTable,
  toListedStatus,
} from './states.ts';

const found = { title: 'Paystack', record: { id: 1, token: 'abc' }, redactor: createRedactor(['sk_test_1']) };

const table: StateTable<'paid' | 'declined'> = { success: 'paid', failed: 'declined' };

it.each(['', 'Success', 'success ', 'constructor', 'toString', '__proto__'])(
  'a table without the word %j decides nothing',
  (word) => {
    const state = readState(table, word);
    expect(state).toBe('unrecognised');
    expect(readWord(table, word)).toBeNull();
    expect(readRefundState({}, word, found).state).toBe('processing');
    expect(toListedStatus(state)).toBe('open');
    const never = () => expect.unreachable();
    expect(evaluateState({ title: 'Paystack', errorCodes: [] }, state, word, { received: never, unpaid: never })).toMatchObject({
      outcome: 'unknown',
      failure: { class: 'our_configuration', code: 'unrecognised_status' },
    });
  },
);

it('a word outside of a published table is reported with the gateway and the kind, whatever it is read for', () => {
  const seen: unknown[] = [];
  const stop = observeUnrecognisedStates((state) => seen.push(state));
  try {
    const words = publishedStates<'succeeded'>('paystack', 'refund', { processed: 'succeeded' });
    expect(readRefundState(words, 'processed', found)).toEqual({ state: 'succeeded' });
    expect(readRefundState(words, 'quarantined', found)).toEqual({
      state: 'processing',
      unrecognised: {
        message: 'Paystack reports a status that its documentation does not list: quarantined.',
        record: '{"id":1,"token":"[redacted]"}',
      },
    });
    expect(readState(table, 'quarantined')).toBe('unrecognised');
    expect(seen).toEqual([{ gateway: 'paystack', kind: 'refund' }]);
  } finally {
    stop();
  }
});

it('of a word with a secret and a long record nothing secret is kept, and no more than four KiB', () => {
  const long = { ...found, record: { key: 'sk_test_1', text: 'x'.repeat(10_000) } };
  const { message, record } = describeUnrecognised('sk_test_1', long);
  expect(message).toBe('Paystack reports a status that its documentation does not list.');
  expect([record.length, record.includes('sk_test_1')]).toEqual([4_096, false]);
});

it.each([
  ['paid', 'paid'],
  ['reversed', 'reversed'],
  ['declined', 'unpaid'],
  ['closed', 'unpaid'],
  ['unfinished', 'open'],
] as const)('a transaction that is %s is %s in a list', (state, listed) => {
  expect(toListedStatus(state)).toBe(listed);
});
