import { describe, expect, test } from 'vitest';
import { BULK_ROWS_MAX, readBulkFile } from './read-bulk-file.ts';

const AMOUNT = 'must be a whole number above 0 without separators, or full for all that is left';

describe('a file of refunds', () => {
  test('has its columns in any order, and those that are not needed left out', async () => {
    expect(await readBulkFile('Amount, payment\n 2500 ,order-1\nFull,order-2\n')).toEqual({
      kind: 'read',
      rows: [
        { line: 2, payment: 'order-1', amount: 2_500n, reasonCode: null, reason: null },
        { line: 3, payment: 'order-2', amount: 'full', reasonCode: null, reason: null },
      ],
    });
    expect(await readBulkFile('payment,amount,reason_code,reason\no,1,cancelled,"Too small, red"')).toMatchObject({
      rows: [{ payment: 'o', amount: 1n, reasonCode: 'cancelled', reason: 'Too small, red' }],
    });
    expect(await readBulkFile('payment;amount;reason\no;1;"two\nlines, one reason"\n;;\n')).toMatchObject({
      rows: [{ payment: 'o', amount: 1n, reason: 'two lines, one reason' }],
    });
  });

  test.each([
    ['payment,amount\n,5', 2, 'payment', 'must not be empty'],
    ['payment,amount\na,5\nb,1.5', 3, 'amount', AMOUNT],
    ['payment,amount\nb,"1,000"', 2, 'amount', AMOUNT],
    ['payment,amount\nb,0', 2, 'amount', AMOUNT],
    ['payment,amount\nb,-5', 2, 'amount', AMOUNT],
    // Nothing is refunded whole because an amount is missing.
    ['payment,amount\nb,', 2, 'amount', AMOUNT],
    ['payment,amount\na,5\nb', 3, 'amount', 'is missing: the row has fewer cells than the first line'],
    ['payment,amount\nb,-', 2, 'amount', AMOUNT],
    ['payment,amount\nb,all', 2, 'amount', AMOUNT],
    ['amount,payment\n5,b,5', 2, 'column 3', 'has no name in the first line'],
    ['amount,payment\n5,"b\u0000"', 2, 'payment', 'holds control characters'],
    [`payment,amount,reason\nb,5,${'x'.repeat(201)}`, 2, 'reason', 'must have at most 200 characters'],
  ])('names the line and the column of what cannot be read: %j', async (text, line, column, message) => {
    const file = await readBulkFile(text);
    expect(file.kind === 'read' && file.rows.at(-1)).toEqual({ line, column, message });
  });

  test.each([
    ['', 'payment', 'is not among the columns that the first line names'],
    ['payment,reason\na,torn', 'amount', 'is not among the columns that the first line names'],
    ['order,amount\na,1', 'order', 'is none of payment, amount, reason_code, reason'],
    ['payment,amount,payment\na,1,b', 'a column', 'is there twice'],
    ['payment,amount', 'payment', 'has no rows'],
    [`payment,amount\n${'a,1\n'.repeat(BULK_ROWS_MAX + 1)}`, 'column 1', 'is beyond the 1,001 rows that a file may have'],
    ['payment\n"a', 'column 1', 'has a quote that does not end'],
  ])('is refused as a whole where it has another form: %#', async (text, column, message) => {
    expect(await readBulkFile(text)).toMatchObject({ kind: 'unreadable', problem: { column, message } });
  });
});
