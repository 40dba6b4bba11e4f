import { z } from 'zod';

/** Fields that the columns of a settlement file can be. */
export const FILE_FIELDS = [
  'settlement',
  'settledOn',
  'reference',
  'transactionId',
  'kind',
  'amount',
  'fee',
  'net',
  'currency',
  'occurredAt',
  'description',
] as const;

/** One of them. */
export type FileField = (typeof FILE_FIELDS)[number];

/** Kinds of lines that the words of a column can mean. */
const FILE_LINE_KINDS = ['payment', 'refund', 'fee', 'chargeback', 'adjustment', 'other'] as const;

const column = z.string().min(1).max(200).nullable();
const zone = z.string().max(60).refine(isZone, 'is no time zone');

/** How the columns of an account's files are read. */
export const settlementMappingSchema = z.strictObject({
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
    /** The fee that was taken off, with or without a sign. */
    fee: column,
    /** Paid out for the row; what its amount and fee do not explain becomes the residue of the payout. */
    net: column,
    currency: column,
    occurredAt: column,
    description: column,
  }),
  /** Meaning of the words of the column `kind`, in lower case. */
  kinds: z.record(z.string().max(100), z.enum(FILE_LINE_KINDS)),
  /** Of all rows, where there is no column of currencies. */
  currency: z.string().regex(/^[A-Z]{3}$/),
  /** Naira, or kobo. */
  unit: z.enum(['main', 'minor']),
  /** Separates the decimals; the other one, blanks and apostrophes group thousands. */
  decimalMark: z.enum(['.', ',']),
  /** The order of day and month where the year is not first. */
  dates: z.enum(['day_first', 'month_first']),
  /** Of times that are written without one. */
  zone,
});

/** How the columns of an account's files are read; see {@link settlementMappingSchema}. */
export type SettlementMapping = z.output<typeof settlementMappingSchema>;

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
