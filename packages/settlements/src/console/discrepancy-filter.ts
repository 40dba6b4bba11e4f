import { type DiscrepancyState, type Mode, Prisma, type SettlementDiscrepancyKind } from '@switchyard/db/client';
import { type CreatedWithin, compares, isCreatedWithin, isOneOf } from '@switchyard/db/lists';

/**
 * Kinds of things that discrepancies are about. `payout`: what reached the bank of it. `status`: a payout whose status is not recognised.
 * `bank`: a credit of a bank statement that is of no payout.
 */
export const SETTLEMENT_ABOUTS = [
  'payment',
  'duplicate',
  'refund',
  'reversal',
  'dispute',
  'fee',
  'payout',
  'status',
  'bank',
  'line',
] as const;

/** What a discrepancy is about. */
export type SettlementAbout = (typeof SETTLEMENT_ABOUTS)[number];

/** Which discrepancies of a list. Empty lists and null match any. */
export interface SettlementDiscrepancyFilter extends CreatedWithin {
  /** Those the caller may see. */
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  readonly states: readonly DiscrepancyState[];
  readonly kinds: readonly SettlementDiscrepancyKind[];
  readonly abouts: readonly SettlementAbout[];
  readonly accountIds: readonly string[];
  readonly settlementId: string | null;
  readonly paymentId: string | null;
  /** The staff user it is assigned to. */
  readonly ownerId: string | null;
  /** True if it has no owner. */
  readonly unowned: boolean | null;
  /** Bounds of the amount in question, in main units, both inclusive. */
  readonly amountFrom: bigint | null;
  readonly amountTo: bigint | null;
  /** Begins the reference, transaction id or order id, or is within the note. */
  readonly text: string | null;
}

/** The filter of any discrepancy, without merchants and mode. */
export const ANY_SETTLEMENT_DISCREPANCY: Omit<SettlementDiscrepancyFilter, 'merchantIds' | 'mode'> = {
  createdFrom: null,
  createdTo: null,
  states: [],
  kinds: [],
  abouts: [],
  accountIds: [],
  settlementId: null,
  paymentId: null,
  ownerId: null,
  unowned: null,
  amountFrom: null,
  amountTo: null,
  text: null,
};

const AMOUNT = 'abs(coalesce(p.settled, 0) - coalesce(p.expected, 0))';
/** The amount in question of `settlement_discrepancy AS p`: the difference where something was settled, else the whole. */
export const SETTLEMENT_AMOUNT = Prisma.raw(AMOUNT);

/** The conditions of a filter on `settlement_discrepancy AS p`. */
export function settlementDiscrepancyConditions(filter: SettlementDiscrepancyFilter): Prisma.Sql[] {
  return [Prisma.sql`p.merchant_id = ANY (${filter.merchantIds}::uuid[])`, ...otherDiscrepancyConditions(filter)];
}

/** The same without the merchants. */
export function otherDiscrepancyConditions(filter: SettlementDiscrepancyFilter): Prisma.Sql[] {
  return [
    Prisma.sql`p.mode = ${filter.mode}::mode`,
    ...isCreatedWithin(filter),
    ...isOneOf('p.state', filter.states, 'discrepancy_state'),
    ...isOneOf('p.kind', filter.kinds, 'settlement_discrepancy_kind'),
    ...isOneOf("split_part(p.subject, '/', 1)", filter.abouts, 'text'),
    ...isOneOf('p.account_id', filter.accountIds, 'uuid'),
    ...compares('p.settlement_id =', filter.settlementId, 'uuid'),
    ...compares('p.payment_id =', filter.paymentId, 'uuid'),
    ...compares('p.owner_id =', filter.ownerId, 'uuid'),
    ...compares('(p.owner_id IS NULL) =', filter.unowned, 'boolean'),
    ...compares(`${AMOUNT} >=`, filter.amountFrom, 'numeric'),
    ...compares(`${AMOUNT} <=`, filter.amountTo, 'numeric'),
    ...hasText(filter.text),
  ];
}

function hasText(text: string | null): Prisma.Sql[] {
  if (text === null || text === '') return [];
  return [
    Prisma.sql`(strpos(lower(p.note), lower(${text})) > 0
      OR EXISTS (SELECT FROM settlement_line AS line WHERE line.merchant_id = p.merchant_id AND line.id = p.line_id
        AND (starts_with(line.reference, ${text}) OR starts_with(line.transaction_id, ${text})))
      OR EXISTS (SELECT FROM payment WHERE payment.merchant_id = p.merchant_id AND payment.id = p.payment_id
        AND starts_with(payment.merchant_order_id, ${text}))
      OR EXISTS (SELECT FROM attempt WHERE attempt.merchant_id = p.merchant_id AND attempt.payment_id = p.payment_id
        AND (starts_with(attempt.reference, ${text}) OR starts_with(attempt.transaction_id, ${text}))))`,
  ];
}
