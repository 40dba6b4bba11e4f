import { expect, test } from 'vitest';
import { addUp } from './add-up.ts';

test('refunded payments count as paid, and every payment is paid, failed or waiting', () => {
  const figures = addUp([
    { status: 'SUCCESS', currency: 'NGN', count: 7, amount: 70_000n },
    { status: 'REFUNDED', currency: 'NGN', count: 1, amount: 500n },
    { status: 'FAILED', currency: 'NGN', count: 2, amount: 9_000n },
    { status: 'PENDING', currency: 'NGN', count: 3, amount: 1n },
  ]);
  expect(figures).toEqual({ currency: 'NGN', received: 70_500n, count: 13, paid: 8, failed: 2, waiting: 3 });
});

test('money of two currencies is never added together', () => {
  const figures = addUp([
    { status: 'SUCCESS', currency: 'NGN', count: 7, amount: 70_000n },
    { status: 'SUCCESS', currency: 'GHS', count: 2, amount: 900n },
  ]);
  expect(figures).toMatchObject({ currency: 'NGN', received: 70_000n, paid: 9 });
});

test('a day without payments is all zeros', () => {
  expect(addUp([])).toEqual({ currency: 'NGN', received: 0n, count: 0, paid: 0, failed: 0, waiting: 0 });
});
