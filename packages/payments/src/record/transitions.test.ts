import { describe, expect, test } from 'vitest';
import { canTransition, eventType, executionStatus, TRANSITIONS } from './transitions.ts';

const statuses = ['INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'REFUNDED'] as const;

describe('transitions of a payment', () => {
  test('exactly the published ones exist', () => {
    const moves = statuses.flatMap((from) => statuses.filter((to) => canTransition(from, to)).map((to) => `${from} → ${to}`));
    expect(moves).toEqual([
      'INITIATED → PENDING',
      'INITIATED → FAILED',
      'PENDING → SUCCESS',
      'PENDING → FAILED',
      'SUCCESS → REFUNDED',
      'FAILED → SUCCESS',
    ]);
  });

  test('every status can be reached from INITIATED', () => {
    const reached = new Set<string>(['INITIATED']);
    for (let round = 0; round < statuses.length; round++) {
      for (const from of statuses) if (reached.has(from)) for (const to of TRANSITIONS[from]) reached.add(to);
    }
    expect([...reached].sort()).toEqual([...statuses].sort());
  });

  test('a payment that succeeded is never pending or failed again', () => {
    expect(canTransition('SUCCESS', 'PENDING')).toBe(false);
    expect(canTransition('SUCCESS', 'FAILED')).toBe(false);
    expect(TRANSITIONS.REFUNDED).toEqual([]);
  });
});

test.each([
  ['INITIATED', 'processing', 'payment.pending'],
  ['PENDING', 'processing', 'payment.pending'],
  ['SUCCESS', 'succeeded', 'payment.succeeded'],
  ['FAILED', 'failed', 'payment.failed'],
  ['REFUNDED', 'refunded', 'payment.refunded'],
] as const)('%s is executed as %s and spoken of as %s', (status, execution, type) => {
  expect([executionStatus(status), eventType(status)]).toEqual([execution, type]);
});
