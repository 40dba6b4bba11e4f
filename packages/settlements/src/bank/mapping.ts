import { z } from 'zod';

const column = z.string().min(1).max(200).nullable();

/** How the columns of a bank account's CSV files are read. Amounts are one column with signs, or one for each direction. */
export const bankMappingSchema = z
  .strictObject({
    columns: z.strictObject({
      bookedOn: z.string().min(1).max(200),
      amount: column,
      credit: column,
      debit: column,
      text: z.string().min(1).max(200),
      reference: column,
    }),
    currency: z.string().regex(/^[A-Z]{3}$/),
    decimalMark: z.enum(['.', ',']),
    dates: z.enum(['day_first', 'month_first']),
  })
  .refine(({ columns: { amount, credit } }) => (amount === null) !== (credit === null), {
    path: ['columns', 'amount'],
    error: 'must be a column, or the column of credits',
  });

/** How the columns of a bank account's CSV files are read; see {@link bankMappingSchema}. */
export type BankMapping = z.output<typeof bankMappingSchema>;
