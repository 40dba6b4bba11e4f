import { createHash } from 'node:crypto';
import { canonicalJson } from '@switchyard/db';
import { Prisma } from '@switchyard/db/client';
import { z } from 'zod';
import type { Books } from '../context.ts';

/** Amounts of one kind added up. Amounts are exact decimals of the main unit with the sign that they have in the balance. */
const figure = z.object({ count: z.int(), amount: z.string() });

/** Amounts added up. */
export type Figure = z.output<typeof figure>;

const figures = z.object({
  payment: figure,
  duplicate: figure,
  fee: figure,
  stamp_duty: figure,
  refund: figure,
  dispute: figure,
  reversal: figure,
  adjustment: figure,
  payout: figure,
});

/** The figures of a balance by kind. */
export type Figures = z.output<typeof figures>;

const balance = z.object({
  currency: z.string(),
  /** Held when the month began, of all that is known of before it. */
  opening: z.string(),
  /** Held at the end of the month before as that was frozen; null where it was not. Where it differs, earlier months have adjustments. */
  previousClosing: z.string().nullable(),
  figures,
  /** `opening` with all figures. */
  closing: z.string(),
  /** Money that reached the bank in the month; in no balance, as its payouts are. */
  bank: figure,
});

const accountBalance = balance.extend({
  accountId: z.string(),
  accountLabel: z.string(),
  gateway: z.string(),
  gatewayTitle: z.string(),
});

/** Balances of a gateway account and what changed them, in one currency. */
export type AccountBalance = z.output<typeof accountBalance>;

/** The same of all accounts together. */
export type Balance = z.output<typeof balance>;

const openItem = z.object({
  /** Object that a link leads to. */
  subject: z.string(),
  accountId: z.string(),
  accountLabel: z.string(),
  currency: z.string(),
  amount: z.string(),
  /** `YYYY-MM-DD`. */
  day: z.string(),
  /** In words, such as the kind of a discrepancy or line. */
  about: z.string(),
  paymentId: z.string().nullable(),
  settlementId: z.string().nullable(),
  discrepancyId: z.string().nullable(),
});

/** Something that is not explained. */
export type OpenItem = z.output<typeof openItem>;

const openItems = z.object({
  count: z.int(),
  /** Sums of amounts without their signs. */
  amounts: z.array(z.object({ currency: z.string(), amount: z.string() })),
  /** The largest, at most {@link OPEN_ITEMS_MAX}. */
  items: z.array(openItem),
});

/** Items that are not explained, of one sort. */
export type OpenItems = z.output<typeof openItems>;

/** The number of things that are named of each sort. */
export const OPEN_ITEMS_MAX = 200;

const unexplained = z.object({
  /** Open discrepancies of settlements up to the end of the month. */
  discrepancies: openItems,
  /** Lines of payouts up to the end of the month that are of no payment, refund or dispute. */
  unmatchedLines: openItems,
  /** Payouts of the month of which nothing is on a bank statement. */
  payoutsNotAtBank: openItems,
  /** Payments of the month that are in no payout. */
  unsettledPayments: openItems,
});

/** Items that a month leaves unexplained, by sort. */
export type Unexplained = z.output<typeof unexplained>;

/** The figures of a month as of a moment. */
export interface MonthFigures {
  readonly accounts: readonly AccountBalance[];
  readonly totals: readonly Balance[];
  readonly unexplained: Unexplained;
  /** The amounts that the figures add up: how many, and a SHA-256 of all of them. */
  readonly items: { readonly count: number; readonly hash: string };
}

const documentSchema = z.object({
  version: z.literal(1),
  merchantId: z.string(),
  merchantName: z.string(),
  merchantNumber: z.string(),
  mode: z.enum(['test', 'live']),
  /** `YYYY-MM`. */
  month: z.string(),
  timeZone: z.string(),
  /** First moment of the month, and the first after it; ISO 8601 in UTC. */
  from: z.string(),
  until: z.string(),
  closedAt: z.string(),
  closedBy: z.object({ actor: z.string(), name: z.string().nullable() }),
  accounts: z.array(accountBalance),
  totals: z.array(balance),
  unexplained,
  items: z.object({ count: z.int(), hash: z.string() }),
});

/** A month as it was frozen. */
export type MonthDocument = z.output<typeof documentSchema>;

/** The text of a document, whose UTF-8 bytes are the document, and their SHA-256. */
export function writeDocument(document: MonthDocument): { readonly text: string; readonly hash: string } {
  const text = `${canonicalJson(document)}\n`;
  return { text, hash: createHash('sha256').update(text, 'utf8').digest('hex') };
}

/** Reads a stored document. */
export function readDocument(text: string): MonthDocument {
  return documentSchema.parse(JSON.parse(text));
}

/** A kind of figure that changes a balance. */
export type BalanceKind = keyof Figures;

export interface ClosedMonth {
  readonly merchantId: string;
  /** `YYYY-MM`. */
  readonly month: string;
  readonly closedAt: Date;
}

const MONTHS_MAX = 200;

/** The closed months that have days of a period, both inclusive, `YYYY-MM-DD`; the newest first, 200 at most. */
export function listClosedMonths(
  { prisma }: { readonly prisma: Pick<Prisma.TransactionClient, '$queryRaw'> },
  {
    merchantIds,
    mode,
    from,
    to,
  }: { readonly merchantIds: readonly string[]; readonly mode: Books['mode']; readonly from: string; readonly to: string },
): Promise<ClosedMonth[]> {
  return prisma.$queryRaw<ClosedMonth[]>`
    SELECT merchant_id AS "merchantId", month, closed_at AS "closedAt" FROM month_close
    WHERE merchant_id = ANY (${merchantIds}::uuid[]) AND mode = ${mode}::mode AND month BETWEEN ${from.slice(0, 7)} AND ${to.slice(0, 7)}
    ORDER BY month DESC, merchant_id LIMIT ${Prisma.raw(String(MONTHS_MAX))}`;
}
