import { expect, test } from 'vitest';
import { columnsShown } from '#/components/data-table/use-table-columns.ts';
import { columnsInFile, PAYMENT_COLUMNS, paymentColumns } from './payments-table.tsx';

test('the default columns name the merchant only where there may be several', () => {
  expect(columnsShown(paymentColumns({ merchantId: null }), [])).toContain('merchant');
  expect(columnsShown(paymentColumns({ merchantId: 'one' }), [])).not.toContain('merchant');
});

test('a file has a column for everything that can be shown, in the order it is shown', () => {
  const [status, amount] = PAYMENT_COLUMNS;
  expect(status && amount && columnsInFile([amount, status])).toEqual([
    'amount',
    'currency',
    'status',
    'display_status',
    'review',
  ]);
  for (const column of PAYMENT_COLUMNS) expect(columnsInFile([column])).not.toEqual([]);
});
