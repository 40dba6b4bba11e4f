import { dayText, momentText, momentValue } from '@switchyard/db/moments';
import { FAILURE_REASONS, LISTED_OUTCOMES } from '@switchyard/payments/lists';
import { DISPLAY_STATUSES } from '@switchyard/reporting/display-status';
import { SETTLEMENT_ABOUTS } from '@switchyard/settlements/lists';
import { z } from 'zod';

/*
 * The filters of lists, as staff and programs submit them: one for each list, for its page, its export and its figures. GraphQL
 * has the same names. What is left out, an empty list and null match any.
 */

const IDS_MAX = 1_000;
const AMOUNT_MAX = 1_000_000_000_000;

/** JSON has no dates: exports name them as text. */
const moment = z.union([momentValue, momentText]).nullable().default(null);
const id = z.uuid().toLowerCase().nullable().default(null);
const ids = z.array(z.uuid().toLowerCase()).max(IDS_MAX).default([]);
const day = dayText.nullable().default(null);
const text = plainText(320).nullable().default(null);
/** Whole main units. */
const amount = z.int().min(0).max(AMOUNT_MAX).transform(BigInt).nullable().default(null);
const flag = z.boolean().nullable().default(null);
const names = (max: number) => z.array(plainText(max)).max(200).default([]);
/** Names, with `NONE` for none; queries have empty text for it. */
const nameOrNone = (max: number) => plainText(max).transform((name) => (name === 'NONE' ? '' : name));
const namesOrNone = (max: number) => z.array(nameOrNone(max)).max(200).default([]);
const anyOf = <const State extends string>(states: readonly State[]) => z.array(z.enum(states)).max(states.length).default([]);

/** Merchants and mode, in every list's filter. */
export const scopeFilter = z.strictObject({
  /** Empty for every merchant the caller may see. */
  merchantIds: ids,
  mode: z.enum(['test', 'live']),
});

/** With the time in which rows were recorded: from the first moment, until before the second. */
const timed = scopeFilter.extend({ createdFrom: moment, createdTo: moment });

/** The zone of the days that a search names; `Africa/Lagos` is the workspace's. */
const zone = z
  .string()
  .refine((name) => name === 'UTC' || Intl.supportedValuesOf('timeZone').includes(name), 'must be a time zone')
  .default('Africa/Lagos');

/** Filter of payments, for every transport. */
export const paymentFilter = timed.extend({
  statuses: anyOf(['INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'REFUNDED']),
  /** Statuses as people read them, which tell an expired session from a failure. */
  displayStatuses: anyOf(DISPLAY_STATUSES),
  /** `NONE` for payments that no gateway could take. */
  gateways: namesOrNone(100),
  /** The accounts that were paid, else the ones whose checkout the customer had. */
  accountIds: ids,
  /** `NONE` for payments that named no method. */
  methods: namesOrNone(100),
  /** `NONE` for payments that no rule routed. */
  ruleIds: namesOrNone(200),
  /** ISO 4217 code of their amounts. */
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be three capital letters')
    .nullable()
    .default(null),
  /** Both inclusive. */
  amountFrom: amount,
  amountTo: amount,
  late: flag,
  underReview: flag,
  /** A gateway took money of it back. */
  reversed: flag,
  /** A dispute of it is open. */
  disputed: flag,
  /** The gateway that was paid, else the one that opened the checkout the customer had; `NONE` for neither. */
  openedAt: nameOrNone(50).nullable().default(null),
  /** Gateways that failed to open a checkout, so that another gateway was tried. */
  fellBackFrom: names(100),
  /** Incidents whose fault they met: an account of theirs failed to open a checkout in their time. */
  affectedByIncident: ids,
  /** Their outcomes in these incidents; without an incident none matches. */
  incidentOutcomes: anyOf(LISTED_OUTCOMES),
  failureReasons: anyOf(FAILURE_REASONS),
  customer: text,
  search: text,
  zone,
});

/** Filter of payments in a file, which may be by another date than their creation. */
export const paymentFileFilter = paymentFilter.extend({
  /** The date that `from` and `to` are of; of a file by settled date the last column is that day. */
  date: z.enum(['created', 'paid', 'settled']).default('created'),
  /** First and last day. */
  from: day,
  to: day,
});

/** Filter of refunds, for every transport. */
export const refundFilter = timed.extend({
  states: anyOf(['REQUESTED', 'PROCESSING', 'SUCCEEDED', 'FAILED', 'NEEDS_ATTENTION']),
  gateways: names(100),
  paymentId: id,
});

/** Filter of refunds that need a second person. */
export const refundApprovalFilter = timed.extend({
  states: anyOf(['WAITING', 'APPROVED', 'DECLINED', 'WITHDRAWN', 'EXPIRED']),
  gateways: names(100),
  paymentId: id,
});

/** Filter of duplicate charges, for every transport. */
export const duplicateChargeFilter = timed.extend({
  states: anyOf(['OPEN', 'REFUNDING', 'REFUNDED', 'DISMISSED']),
  gateways: names(100),
  paymentId: id,
});

/** Filter of reconciliation discrepancies, for every transport. */
export const discrepancyFilter = timed.extend({
  states: anyOf(['OPEN', 'EXPLAINED', 'RESOLVED']),
  kinds: anyOf(['MISSING_HERE', 'MISSING_THERE', 'STATUS', 'CURRENCY', 'AMOUNT']),
  accountIds: ids,
  ownerId: id,
  /** Without an owner. */
  unowned: flag,
  /** Bounds of the amount in question, both inclusive. */
  amountFrom: amount,
  amountTo: amount,
  /** Amounts that differ by no more than the merchant's tolerance. */
  withinTolerance: flag,
  /** First and last reconciled day. */
  dayFrom: day,
  dayTo: day,
});

/** First and last day of the payout: the date by which settlements and their lines are of a period. */
const paidOutWithin = { from: day, to: day };

/** Filter of settlements, for every transport. */
export const settlementFilter = scopeFilter.extend({
  accountIds: ids,
  statuses: anyOf(['PENDING', 'PAID', 'FAILED', 'WITHDRAWN']),
  ...paidOutWithin,
  /** Only those with lines that are not matched, or a residue. */
  unexplainedOnly: z.boolean().default(false),
});

/** The same with the time in which they became known, for files. */
export const settlementExportFilter = settlementFilter.extend({ createdFrom: moment, createdTo: moment });

/** States of disputes. */
export const disputeStates = ['NEEDS_RESPONSE', 'UNDER_REVIEW', 'WON', 'LOST', 'ACCEPTED', 'EXPIRED', 'CLOSED'] as const;

/** Filter of disputes by when they became known, for every transport. */
export const disputeFilter = timed.extend({ states: anyOf(disputeStates), gateways: names(100), paymentId: id });

/** Kinds of lines of settlements. */
export const lineKinds = ['PAYMENT', 'REFUND', 'FEE', 'CHARGEBACK', 'ADJUSTMENT', 'OTHER', 'RESIDUE'] as const;

/** Filter of the lines of settlements, for every transport. */
export const settlementLineFilter = timed.extend({
  ...paidOutWithin,
  settlementId: id,
  kinds: anyOf(lineKinds),
  /** Only those that no payment, refund or dispute explains. */
  unmatchedOnly: z.boolean().default(false),
});

/** Filter of audited fees, for every transport. */
export const feeFilter = scopeFilter.extend({
  accountIds: ids,
  /** The date that `from` and `to` are of. */
  date: z.enum(['created', 'paid', 'settled']).default('paid'),
  /** First and last day. */
  from: day,
  to: day,
  settlementId: id,
  /** Only those that were charged more than agreed. */
  overchargedOnly: z.boolean().default(false),
});

/** Kinds of discrepancies of settlements. */
export const settlementDiscrepancyKinds = ['LATE', 'MISSING', 'OVER', 'UNDER', 'UNMATCHED', 'OVERCHARGED'] as const;

/** Filter of discrepancies of settlements, for every transport. */
export const settlementDiscrepancyFilter = timed.extend({
  states: anyOf(['OPEN', 'EXPLAINED', 'RESOLVED']),
  kinds: anyOf(settlementDiscrepancyKinds),
  abouts: anyOf(SETTLEMENT_ABOUTS),
  accountIds: ids,
  settlementId: id,
  paymentId: id,
  ownerId: id,
  /** Without an owner. */
  unowned: flag,
  /** Bounds of the amount in question, both inclusive. */
  amountFrom: amount,
  amountTo: amount,
  /** Begins the reference, transaction id or order id, or is within the note. */
  text,
});

/** Filter of webhook deliveries, for every transport. */
export const deliveryFilter = timed.extend({
  states: anyOf(['PENDING', 'DELIVERED', 'FAILED']),
  endpointId: id,
  types: names(100),
  /** The id of a delivery, an event or a payment. */
  about: plainText(100).nullable().default(null),
});

/** Text that PostgreSQL can store: no NUL, no lone surrogate. */
export function plainText(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .refine((text) => !text.includes('\u0000') && text.isWellFormed(), 'must be plain text');
}
