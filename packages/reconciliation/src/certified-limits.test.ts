import { limitsMs } from '@switchyard/gateways/certification';
import { expect, it } from 'vitest';
import { PAGE_TIMEOUT_MS } from './ledger-queries.ts';

it('a certification holds lists of payments to the time that a comparison waits', () => {
  expect(limitsMs.listPayments).toBe(PAGE_TIMEOUT_MS);
});
