import { expect, test } from 'vitest';
import { columnsShown } from './columns.ts';

test('the usual columns name the merchant only where there may be several', () => {
  expect(columnsShown([], { merchantId: null })).toContain('merchant');
  expect(columnsShown([], { merchantId: 'one' })).not.toContain('merchant');
});

test('what is wanted stands in its fixed order, always with what leads to the payment, and without what does not exist', () => {
  expect(columnsShown(['rule', 'status', 'nonsense'], { merchantId: null })).toEqual(['status', 'order', 'rule']);
});
