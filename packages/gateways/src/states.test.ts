import { expect, it } from 'vitest';
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
