import { z } from 'zod';
import { SETTLEMENT_ZONE } from '../calendar.ts';
import { directionsSchema, isZone, placeSchema } from '../reading/mapping.ts';
import type { UnreadableCell } from '../reading/read-settlement-file.ts';
import type { SkippedRow } from '../reading/skipped-rows.ts';

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
    /** The zone of days that are given as moments. */
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

/** An amount on a bank account, as a statement has it. */
export interface StatementLine {
  readonly bankAccount: string;
  /** `YYYY-MM-DD`. */
  readonly bookedOn: string;
  /** Exact decimal of the main unit, negative where it left the account. */
  readonly amount: string;
  readonly currency: string;
  /** Everything that the bank says of it. */
  readonly text: string;
}

/** Lines of a statement, its rows that are not lines, and its cells that cannot be read. */
export interface ReadLines {
  readonly lines: readonly StatementLine[];
  readonly skipped: readonly SkippedRow[];
  readonly problems: readonly UnreadableCell[];
}
