import { expect, test } from 'vitest';
import { columnsShown } from '#/components/list/list-columns.ts';
import { columnsInFile, PAYMENT_COLUMNS, paymentList } from './columns.ts';

test('the default columns name the merchant only where there may be several', () => {
  expect(columnsShown(paymentList({ merchantId: null }).columns, [])).toContain('merchant');
  expect(columnsShown(paymentList({ merchantId: 'one' }).columns, [])).not.toContain('merchant');
});

test('the requested columns keep their order, once each, always with the link to the payment, and without unknown columns', () => {
  const shown = (wanted: string[]) => columnsShown(paymentList({ merchantId: null }).columns, wanted);
  expect(shown(['rule', 'status', 'nonsense', 'rule'])).toEqual(['order', 'rule', 'status']);
  expect(shown(['created', 'order', 'amount'])).toEqual(['created', 'order', 'amount']);
  expect(shown(['nonsense'])).toEqual(shown([]));
});

test('a file has a column for everything that can be shown, in the order it is shown', () => {
  expect(columnsInFile(['created', 'status', 'order'])).toEqual(['created_at', 'status', 'review', 'merchant_order_id']);
  for (const { id } of PAYMENT_COLUMNS) expect(columnsInFile([id])).not.toEqual([]);
});
