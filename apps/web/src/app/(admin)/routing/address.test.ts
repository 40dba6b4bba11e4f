import { expect, test } from 'vitest';
import { formatCellParam, readCellParam } from './address.ts';

test.each([
  { method: 'CARD', from: 5_001, to: 20_000 },
  { method: 'TRANSFER', from: 0, to: null },
])('a cell of the map survives the address: %j', (cell) => {
  expect(readCellParam(formatCellParam(cell, 'NGN'))).toEqual({ ...cell, currency: 'NGN' });
});

test.each(['', 'CARD', 'CARD:x:20:NGN', 'CARD:1:2x:NGN', ':1:2:NGN', 'CARD:1:2:', 'CARD:-1:2:NGN'])(
  'other text creates no rule: %j',
  (text) => {
    expect(readCellParam(text)).toBeNull();
  },
);
