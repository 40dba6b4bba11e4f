import { z } from 'zod';

/** Fields that the columns of a settlement file can be. */
export const FILE_FIELDS = [
  'settlement',
  'settledOn',
  'reference',
  'transactionId',
  'kind',
  'amount',
  'direction',
  'fee',
  'net',
  'currency',
  'occurredAt',
  'description',
] as const;

/** One of them. */
export type FileField = (typeof FILE_FIELDS)[number];

/** Meanings that the words of a column of kinds can have. */
export const WORD_MEANINGS = [
  'payment',
  'refund',
  'refund_returned',
  'fee',
  'fee_returned',
  'chargeback',
  'chargeback_returned',
  'adjustment',
  'other',
  /** The row is no line, such as a balance. */
  'skip',
] as const;

/** One of them. */
export type WordMeaning = (typeof WORD_MEANINGS)[number];

const column = z.string().min(1).max(200).nullable();
/** A column that files rarely have. */
const rareColumn = column.default(null);
const zone = z.string().max(60).refine(isZone, 'is no time zone');

/** Where a file has its columns: which sheet of a workbook, and which line of titles. Null is found out from the titles. */
export const placeSchema = {
  sheet: z.string().max(200).nullable().default(null),
  titlesLine: z.int().min(1).max(1_048_576).nullable().default(null),
};

/** The words of a column that says which way an amount goes, in lower case. */
export const directionsSchema = z.record(z.string().max(100), z.enum(['credit', 'debit'])).default({});

/** How the columns of an account's files are read. */
export const settlementMappingSchema = z.strictObject({
  ...placeSchema,
  /** Titles of columns, as the file has them; null where it has none. */
  columns: z.strictObject({
    /** The payout's reference. Without it a file is one payout, or one for each day of payout. */
    settlement: column,
    /** Day of the payout. */
    settledOn: column,
    /** The reference of the payment, ours. */
    reference: column,
    /** The gateway's own id of the payment. */
    transactionId: column,
    /** The kind of the line. Without it what adds to the payout is a payment, and what takes off is a refund. */
    kind: column,
    amount: z.string().min(1).max(200),
    /** Says of an amount without a sign whether it adds to the payout, or takes off: `CR`, `DR`. */
    direction: rareColumn,
    /** The fee that was taken off. One of the other sign than those of payments was given back. */
    fee: column,
    /** Paid out for the row; what its amount and fee do not explain becomes the residue of the payout. */
    net: column,
    currency: column,
    occurredAt: column,
    description: column,
  }),
  /** Meaning of the words of the column `kind`, in lower case. */
  kinds: z.record(z.string().max(100), z.enum(WORD_MEANINGS)),
  /** Meaning of the words of the column `direction`. */
  directions: directionsSchema,
  /**
   * `as_written`: an amount adds to the payout, and with a minus takes off. `by_kind`: refunds, fees and chargebacks have no sign and take off, and
   * one with a minus, or of a kind that is given back, adds.
   */
  signs: z.enum(['as_written', 'by_kind']).default('as_written'),
  /** Currency of all rows, where no column has it. */
  currency: z.string().regex(/^[A-Z]{3}$/),
  /** Naira, or kobo. */
  unit: z.enum(['main', 'minor']),
  /** Separates the decimals; the other one, blanks and apostrophes group thousands. */
  decimalMark: z.enum(['.', ',']),
  /** The order of day and month where the year is not first. */
  dates: z.enum(['day_first', 'month_first']),
  /** Zone of times that are written without one, and of all days. */
  zone,
});

/** How the columns of an account's files are read; see {@link settlementMappingSchema}. */
export type SettlementMapping = z.output<typeof settlementMappingSchema>;

/** A zone by its name. */
export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
