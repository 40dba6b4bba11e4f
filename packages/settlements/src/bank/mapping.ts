import { z } from 'zod';
import { SETTLEMENT_ZONE } from '../calendar.ts';
import { directionsSchema, isZone, placeSchema } from '../files/mapping.ts';

const column = z.string().min(1).max(200).nullable();

/**
 * How the columns of a bank account's CSV or XLSX files are read. Amounts are one column with signs or with a column of directions beside it, or one
 * for each direction.
 */
export const bankMappingSchema = z
  .strictObject({
    ...placeSchema,
    columns: z.strictObject({
      bookedOn: z.string().min(1).max(200),
      amount: column,
      /** Says of an amount without a sign which way it went: `CR`, `DR`. */
      direction: column.default(null),
      credit: column,
      debit: column,
      text: z.string().min(1).max(200),
      reference: column,
    }),
    /** Meaning of the words of the column `direction`, in lower case. */
    directions: directionsSchema,
    currency: z.string().regex(/^[A-Z]{3}$/),
    decimalMark: z.enum(['.', ',']),
    dates: z.enum(['day_first', 'month_first']),
    /** Of days that are given as moments. */
    zone: z.string().max(60).refine(isZone, 'is no time zone').default(SETTLEMENT_ZONE),
    /** A row with an amount and without a day: of the day of the row above, as some banks print, or it cannot be read. */
    emptyDays: z.enum(['unreadable', 'row_above']).default('unreadable'),
  })
  .refine(({ columns: { amount, credit } }) => (amount === null) !== (credit === null), {
    path: ['columns', 'amount'],
    error: 'must be a column, or the column of credits',
  })
  .refine(({ columns: { amount, direction } }) => direction === null || amount !== null, {
    path: ['columns', 'direction'],
    error: 'is of a column of amounts',
  });

/** How the columns of a bank account's files are read; see {@link bankMappingSchema}. */
export type BankMapping = z.output<typeof bankMappingSchema>;
