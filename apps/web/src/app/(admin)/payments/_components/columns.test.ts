import { expect, test } from 'vitest';
import { columnsInFile, columnsShown, PAYMENT_COLUMNS } from './columns.ts';

test('the usual columns name the merchant only where there may be several', () => {
  expect(columnsShown([], { merchantId: null })).toContain('merchant');
  expect(columnsShown([], { merchantId: 'one' })).not.toContain('merchant');
});

test('the requested columns keep their order, once each, always with the link to the payment, and without unknown columns', () => {
  expect(columnsShown(['rule', 'status', 'nonsense', 'rule'], { merchantId: null })).toEqual(['order', 'rule', 'status']);
  expect(columnsShown(['created', 'order', 'amount'], { merchantId: null })).toEqual(['created', 'order', 'amount']);
  expect(columnsShown(['nonsense'], { merchantId: 'one' })).toEqual(columnsShown([], { merchantId: 'one' }));
});

test('a file has a column for everything that can be shown, in the order it is shown', () => {
  expect(columnsInFile(['created', 'status', 'order'])).toEqual(['created_at', 'status', 'review', 'merchant_order_id']);
  for (const { id } of PAYMENT_COLUMNS) expect(columnsInFile([id])).not.toEqual([]);
});
