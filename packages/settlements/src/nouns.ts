import { Prisma, type SettlementDiscrepancyKind, type SettlementLineKind, type SettlementStatus } from '@switchyard/db/client';
import { defineNoun, type NounFilter } from '@switchyard/nouns';
import { code, day, decimal, moment, number, oneOf, text } from '@switchyard/nouns/fields';
import * as by from '@switchyard/nouns/filters';
import { discrepancyParts } from '@switchyard/reconciliation/discrepancy-noun';

/** Day of the payout of a settlement; the last of all while it is not known. */
const payoutDayOf = (settlement: string) => `coalesce(${settlement}.settled_on, 'infinity'::date)`;

/** Day of the payout of `settlement AS p`. */
export const PAYOUT_DAY = payoutDayOf('p');

export const SETTLEMENT_STATUSES = ['PENDING', 'PAID', 'FAILED', 'WITHDRAWN'] as const satisfies readonly SettlementStatus[];

/** Settlements. One that is paid out on a day that is not known yet is in any period. */
export const settlementNoun = defineNoun({
  title: 'Settlements',
  permission: 'report:read',
  table: 'settlement',
  order: 'id',
  period: 'days',
  fields: {
    merchant_id: code('The merchant.'),
    created_at: moment('When it became known, in UTC.'),
    settlement_id: code('Its id.', 'p.id'),
    mode: code('test or live.'),
    gateway: code('The gateway that pays out.'),
    account_id: code('The gateway account.'),
    reference: text("The gateway's own id of the settlement."),
    status: oneOf('Its status', SETTLEMENT_STATUSES),
    settled_on: day('Day of the payout; empty while it is not known.'),
    gross: decimal('The payments in it, as an exact decimal.'),
    fees: decimal('The fees taken off.'),
    deductions: decimal('What was taken off beside fees: refunds, chargebacks, stamp duty.'),
    net: decimal('What is paid out.'),
    currency: text('ISO 4217 code of all amounts.'),
    line_count: number('The number of its lines.'),
    explained: decimal('The sum of its matched lines, each without its sign.'),
    unexplained: decimal('The same of lines that are not matched, and of the residue.'),
    period_from: moment('When the first payment in it was paid, in UTC.'),
    period_to: moment('When the last payment in it was paid, in UTC.'),
    road: code('How it became known.'),
  },
  filter: {
    ...by.timed(),
    accountIds: by.ids('Gateway accounts.', 'p.account_id'),
    statuses: by.anyOf('States.', SETTLEMENT_STATUSES, ['p.status', 'settlement_status']),
    from: by.sinceDay('Paid out on this day or later, YYYY-MM-DD, or not yet.', PAYOUT_DAY),
    to: by.untilDay('Paid out on this day or earlier, YYYY-MM-DD, or not yet.', (day) => [isPaidOutUntil('p', day)]),
    unexplainedOnly: by.only('Only those with lines that are not matched, or a residue.', 'p.unexplained > 0'),
    search: by.search('Its id or reference, or the reference or transaction id of one of its lines.', {
      ids: ['p.id'],
      references: ['p.reference'],
      or: (text) => [
        Prisma.sql`EXISTS (SELECT FROM settlement_line AS line WHERE line.merchant_id = p.merchant_id AND line.settlement_id = p.id
          AND (line.reference = ${text} OR line.transaction_id = ${text}))`,
      ],
    }),
  },
});

export type SettlementFilter = NounFilter<typeof settlementNoun>;

function isPaidOutUntil(settlement: string, day: string): Prisma.Sql {
  const settledOn = Prisma.raw(`${settlement}.settled_on`);
  return Prisma.sql`(${settledOn} IS NULL OR ${settledOn} <= ${day}::date)`;
}

/** Kinds of lines of settlements. */
export const LINE_KINDS = [
  'PAYMENT',
  'REFUND',
  'FEE',
  'CHARGEBACK',
  'ADJUSTMENT',
  'OTHER',
  'RESIDUE',
] as const satisfies readonly SettlementLineKind[];

/** Lines of settlements. They have mode and day of their settlement. */
export const settlementLineNoun = defineNoun({
  title: 'Settlement lines',
  permission: 'report:read',
  table: 'settlement_line',
  // Lines are stored in the order of their settlements and positions.
  order: 'id',
  period: 'days',
  rows: () => Prisma.sql`(SELECT line.*, settlement.mode, settlement.gateway, settlement.settled_on,
    settlement.reference AS settlement_reference, payment.merchant_order_id
  FROM settlement_line AS line
  JOIN settlement ON settlement.merchant_id = line.merchant_id AND settlement.id = line.settlement_id
  LEFT JOIN payment ON payment.merchant_id = line.merchant_id AND payment.id = line.payment_id)`,
  fields: {
    merchant_id: code('The merchant.'),
    created_at: moment('When it was read, in UTC.'),
    line_id: code('Its id.', 'p.id'),
    mode: code('test or live.'),
    settlement_id: code('The settlement it is in.'),
    settlement_reference: text("The gateway's own id of the settlement."),
    settled_on: day('Day of the payout.'),
    gateway: code('The gateway that paid out.'),
    account_id: code('The gateway account.'),
    position: number('Its place in the settlement, from 0.'),
    kind: oneOf('What it is of', LINE_KINDS),
    amount: decimal('The amount as an exact decimal; negative where it takes off the net amount.'),
    currency: text('ISO 4217.'),
    reference: text('The reference that the gateway names.'),
    transaction_id: text("The gateway's own id of the transaction."),
    description: text("The gateway's own words."),
    occurred_at: moment('When it was paid or refunded, in UTC, as the gateway reports it.'),
    payment_id: code('The payment it is matched with.'),
    merchant_order_id: text("The merchant's own order reference of that payment."),
    refund_id: code('The refund it is matched with.'),
    dispute_id: code('The dispute it is matched with.'),
    linked_by: code('REFERENCE, TRANSACTION, AMOUNT_AND_TIME or STAFF; empty while it is not matched.'),
  },
  filter: {
    ...by.timed(() => []),
    from: by.sinceDay('Paid out on this day or later, YYYY-MM-DD, or not yet.'),
    to: by.untilDay('Paid out on this day or earlier, YYYY-MM-DD, or not yet.'),
    settlementId: by.id('Their settlement.', 'p.settlement_id'),
    kinds: by.anyOf('Kinds.', LINE_KINDS, ['p.kind', 'settlement_line_kind']),
    unmatchedOnly: by.only('Only those that are not matched with a payment, refund or dispute.', 'p.linked_by IS NULL'),
  },
  where: ({ mode = 'live', from = null, to = null }) => {
    const isOfSettlement = [
      Prisma.sql`settlement.mode = ${mode}::mode`,
      ...(from === null ? [] : [Prisma.sql`${Prisma.raw(payoutDayOf('settlement'))} >= ${from}::date`]),
      ...(to === null ? [] : [isPaidOutUntil('settlement', to)]),
    ];
    return [
      Prisma.sql`EXISTS (SELECT FROM settlement WHERE settlement.merchant_id = p.merchant_id AND settlement.id = p.settlement_id
        AND ${Prisma.join(isOfSettlement, ' AND ')})`,
    ];
  },
});

export type SettlementLineFilter = NounFilter<typeof settlementLineNoun>;

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

/** Kind of what a discrepancy of settlements or the bank is about. */
export type SettlementAbout = (typeof SETTLEMENT_ABOUTS)[number];

/** How what was settled differs from what was expected. */
export const SETTLEMENT_DISCREPANCY_KINDS = [
  'LATE',
  'MISSING',
  'OVER',
  'UNDER',
  'UNMATCHED',
  'OVERCHARGED',
] as const satisfies readonly SettlementDiscrepancyKind[];

/** The amount in question of `settlement_discrepancy AS p`: the difference where something was settled, else the whole. */
export const SETTLEMENT_AMOUNT = 'abs(coalesce(p.settled, 0) - coalesce(p.expected, 0))';

const parts = discrepancyParts({
  source: `CASE WHEN p.about IN ('payout', 'bank') THEN 'bank' ELSE 'payout' END`,
  kinds: SETTLEMENT_DISCREPANCY_KINDS,
  kindType: 'settlement_discrepancy_kind',
  amount: SETTLEMENT_AMOUNT,
});

/** Discrepancies between what was expected of gateways and what they settled, or reached the bank. */
export const settlementDiscrepancyNoun = defineNoun({
  title: 'Settlement and bank discrepancies',
  permission: 'report:read',
  table: 'settlement_discrepancy',
  order: 'id',
  rows: (
    merchant,
  ) => Prisma.sql`(SELECT found.*, split_part(found.subject, '/', 1) AS about, settlement.reference AS settlement_reference,
    settlement.settled_on, line.kind AS line_kind, coalesce(line.reference, attempt.reference) AS reference,
    coalesce(line.transaction_id, attempt.transaction_id) AS transaction_id, payment.merchant_order_id, bank.booked_on, bank.bank_account,
    bank.text AS bank_text
  FROM settlement_discrepancy AS found
  LEFT JOIN settlement ON settlement.merchant_id = found.merchant_id AND settlement.id = found.settlement_id
  LEFT JOIN settlement_line AS line ON line.merchant_id = found.merchant_id AND line.id = found.line_id
  LEFT JOIN payment ON payment.merchant_id = found.merchant_id AND payment.id = found.payment_id
  LEFT JOIN LATERAL (SELECT paid.reference, paid.transaction_id FROM attempt AS paid
    WHERE paid.merchant_id = ${merchant} AND paid.payment_id = found.payment_id AND paid.account_id = found.account_id
      AND paid.state = 'PAID' ORDER BY paid.duplicate, paid.position LIMIT 1) AS attempt ON found.line_id IS NULL
  LEFT JOIN bank_line AS bank ON bank.merchant_id = found.merchant_id
    AND bank.id = CASE WHEN starts_with(found.subject, 'bank/') THEN split_part(found.subject, '/', 2)::uuid END)`,
  fields: {
    ...parts.found,
    about: code(
      'payment, duplicate, refund, reversal, dispute, fee or line of a payout; payout or bank of a bank statement; status.',
    ),
    expected: decimal('The net amount expected, or the fee by contract, as an exact decimal; empty of what was not expected.'),
    settled: decimal('The net amount settled or at the bank, or the fee charged; empty where nothing was.'),
    currency: text('ISO 4217 code of all amounts.'),
    expected_on: day('The day on which it was expected; empty of what was not expected.'),
    settlement_id: code('The settlement that it was found in.'),
    settlement_reference: text("The gateway's own id of the settlement."),
    settled_on: day('Day of its payout.'),
    line_id: code('The line of the settlement.'),
    line_kind: oneOf('What that line is of', LINE_KINDS),
    reference: text('The reference that the gateway names, or was sent.'),
    transaction_id: text("The gateway's own id of the transaction."),
    payment_id: code('The payment it is about.'),
    merchant_order_id: text("The merchant's own order reference of that payment."),
    refund_id: code('The refund it is about.'),
    dispute_id: code('The dispute it is about.'),
    booked_on: day('Of a credit at the bank: the day on which the bank booked it.'),
    bank_account: text('The account that it was booked to, as the bank names it.'),
    bank_text: text("The bank's own words."),
    ...parts.closed,
  },
  filter: {
    ...parts.filter,
    abouts: by.anyOf('What they are about.', SETTLEMENT_ABOUTS, ["split_part(p.subject, '/', 1)", 'text']),
    settlementId: by.id('The settlement that they were found in.', 'p.settlement_id'),
    paymentId: by.id('The payment that they are about.', 'p.payment_id'),
    text: by.words('Begins the reference, transaction id or order id, or is within the note.', hasText),
  },
});

export type SettlementDiscrepancyFilter = NounFilter<typeof settlementDiscrepancyNoun>;

function hasText(text: string): Prisma.Sql[] {
  if (text === '') return [];
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
