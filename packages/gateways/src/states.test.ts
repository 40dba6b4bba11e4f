import { expect, it } from 'vitest';
import { observeUnrecognisedStates, publishedStates } from './published-states.ts';
import { evaluateState, readRefundState, readState, readWord, type StateTable, toListedStatus } from './states.ts';

const table: StateTable<'paid' | 'failed'> = { success: 'paid', failed: 'failed' };

it.each(['', 'Success', 'success ', 'constructor', 'toString', '__proto__'])(
  'a table without the word %j decides nothing',
  (word) => {
    const state = readState(table, word);
    expect(state).toBe('unrecognised');
    expect(readWord(table, word)).toBeNull();
    expect(readRefundState({}, word)).toBe('processing');
    expect(toListedStatus(state)).toBe('open');
    const never = () => expect.unreachable();
    expect(evaluateState('Paystack', state, word, { received: never, failed: never })).toMatchObject({
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
    expect(readRefundState(words, 'processed')).toBe('succeeded');
    expect(readRefundState(words, 'quarantined')).toBe('processing');
    expect(readState(table, 'quarantined')).toBe('unrecognised');
    expect(seen).toEqual([{ gateway: 'paystack', kind: 'refund' }]);
  } finally {
    stop();
  }
});
