import { expect, test } from 'vitest';
import { canTransitionRefund, isFinalRefund } from './refund-transitions.ts';

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
