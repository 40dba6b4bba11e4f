import { Prisma } from '@switchyard/db/client';
import type { Books } from '../context.ts';

/**
 * Kinds of entries that change what a gateway account holds for the merchant, in the order in which a month is added up. A fee is what
 * settlements took off, and until then what the gateway reported. An adjustment is a line of a payout that no payment, refund or dispute
 * explains.
 */
export const BALANCE_KINDS = [
  'payment',
  'duplicate',
  'fee',
  'stamp_duty',
  'refund',
  'dispute',
  'reversal',
  'adjustment',
  'payout',
] as const;

/** Kinds of entries: those of a balance, what reached the bank, and what the bank had more or less of a payout. */
export const ENTRY_KINDS = [...BALANCE_KINDS, 'bank', 'bank_difference'] as const;

export type EntryKind = (typeof ENTRY_KINDS)[number];

/** Days by a time zone, `YYYY-MM-DD`. */
export interface LedgerPeriod {
  readonly zone: string;
  /** The first day; null from the beginning. */
  readonly from: string | null;
  /** The day after the last. */
  readonly until: string;
}

/**
 * SELECT of the entries of a period: `kind`, `subject` (which names the entry within its kind), `account_id`, `currency`, `amount` (an exact
 * decimal, positive where the account then holds more, or more is at the bank), `day`, `payment_id`, `settlement_id`. The one definition that
 * journals, months and their adjustments are made from.
 *
 * Moments are dated by the zone; payouts and lines of the bank by the days that the gateway and the bank give them. Money that went back by
 * disputes and reversals is the reversed amount of its payment, once: what disputes took back, and the rest of it.
 */
export function ledgerEntries({ merchantId, mode }: Books, { zone, from, until }: LedgerPeriod): Prisma.Sql {
  const merchant = Prisma.sql`${merchantId}::uuid`;
  const dayOf = (column: string) => Prisma.sql`(${Prisma.raw(column)} AT TIME ZONE ${zone}::text)::date`;
  const first = from ?? '-infinity';
  const momentIn = (column: string) => {
    const name = Prisma.raw(column);
    const begins = (day: string) => Prisma.sql`(${day}::date::timestamp AT TIME ZONE ${zone}::text)`;
    return Prisma.sql`${name} >= ${begins(first)} AND ${name} < ${begins(until)}`;
  };
  const dayIn = (column: string) => {
    const name = Prisma.raw(column);
    return Prisma.sql`${name} >= ${first}::date AND ${name} < ${until}::date`;
  };
  return Prisma.sql`
  WITH received AS MATERIALIZED (
    SELECT payment.id AS payment_id, attempt.account_id, coalesce(attempt.received_currency, payment.currency) AS currency,
      sum(coalesce(attempt.received_amount, payment.amount)) AS amount,
      min(${dayOf('coalesce(payment.paid_at, attempt.updated_at)')}) AS day,
      CASE WHEN payment.account_id = attempt.account_id THEN payment.fee_amount END AS reported
    FROM payment JOIN attempt ON attempt.merchant_id = payment.merchant_id AND attempt.payment_id = payment.id
    WHERE payment.merchant_id = ${merchant} AND payment.mode = ${mode}::mode AND attempt.merchant_id = ${merchant}
      AND attempt.state = 'PAID' AND NOT attempt.duplicate AND ${momentIn('coalesce(payment.paid_at, attempt.updated_at)')}
    GROUP BY 1, 2, 3, 6
  ), charged AS MATERIALIZED (
    SELECT line.payment_id, line.account_id, sum(line.amount) FILTER (WHERE line.kind = 'FEE') AS fee,
      sum(line.amount) FILTER (WHERE line.kind = 'OTHER') AS duty
    FROM received JOIN settlement_line AS line ON line.payment_id = received.payment_id AND line.account_id = received.account_id
    JOIN settlement ON settlement.merchant_id = line.merchant_id AND settlement.id = line.settlement_id
    WHERE line.merchant_id = ${merchant} AND settlement.merchant_id = ${merchant} AND settlement.status = 'PAID'
      AND line.kind IN ('FEE', 'OTHER') AND 'payment/' || line.payment_id = ANY (line.subjects)
    GROUP BY line.payment_id, line.account_id
  ), charged_back AS MATERIALIZED (
    SELECT dispute.payment_id, sum(dispute.taken_back) AS taken
    FROM dispute JOIN attempt ON attempt.merchant_id = dispute.merchant_id AND attempt.id = dispute.attempt_id
    WHERE dispute.merchant_id = ${merchant} AND attempt.merchant_id = ${merchant} AND dispute.mode = ${mode}::mode
      AND dispute.taken_back > 0 AND NOT attempt.duplicate
    GROUP BY dispute.payment_id
  ), paid_out AS MATERIALIZED (
    SELECT id, account_id, currency, net, settled_on FROM settlement
    WHERE merchant_id = ${merchant} AND mode = ${mode}::mode AND status = 'PAID' AND ${dayIn('settled_on')}
  ), arrived AS MATERIALIZED (
    SELECT bank_match.bank_line_id, bank_match.settlement_id, settlement.account_id, line.currency, line.booked_on, settlement.net,
      CASE WHEN row_number() OVER shared < count(*) OVER shared_all THEN settlement.net
        ELSE line.amount - coalesce(sum(settlement.net) OVER (shared ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) END AS share
    FROM bank_match
    JOIN bank_line AS line ON line.merchant_id = bank_match.merchant_id AND line.id = bank_match.bank_line_id
    JOIN settlement ON settlement.merchant_id = bank_match.merchant_id AND settlement.id = bank_match.settlement_id
    WHERE bank_match.merchant_id = ${merchant} AND line.merchant_id = ${merchant} AND settlement.merchant_id = ${merchant}
      AND settlement.mode = ${mode}::mode
    WINDOW shared_all AS (PARTITION BY bank_match.bank_line_id),
      shared AS (shared_all ORDER BY settlement.settled_on, settlement.id)
  )
  SELECT 'payment' AS kind, payment_id::text AS subject, account_id, currency::text AS currency, amount, day, payment_id,
    NULL::uuid AS settlement_id
  FROM received
  UNION ALL
  SELECT 'fee', received.payment_id::text, received.account_id, received.currency::text, coalesce(charged.fee, -received.reported),
    received.day, received.payment_id, NULL
  FROM received LEFT JOIN charged ON charged.payment_id = received.payment_id AND charged.account_id = received.account_id
  WHERE coalesce(charged.fee, -received.reported) <> 0
  UNION ALL
  SELECT 'stamp_duty', received.payment_id::text, received.account_id, received.currency::text, charged.duty, received.day,
    received.payment_id, NULL
  FROM received JOIN charged ON charged.payment_id = received.payment_id AND charged.account_id = received.account_id
  WHERE charged.duty <> 0
  UNION ALL
  SELECT 'duplicate', id::text, account_id, currency::text, amount, ${dayOf('created_at')}, payment_id, NULL
  FROM duplicate_charge WHERE merchant_id = ${merchant} AND mode = ${mode}::mode AND ${momentIn('created_at')}
  UNION ALL
  SELECT 'refund', id::text, account_id, currency::text, -amount, ${dayOf('updated_at')}, payment_id, NULL
  FROM refund
  WHERE merchant_id = ${merchant} AND mode = ${mode}::mode AND state = 'SUCCEEDED' AND ${momentIn('updated_at')}
  UNION ALL
  SELECT charge.kind, dispute.id::text, dispute.account_id, dispute.currency::text, -charge.amount,
    ${dayOf('coalesce(dispute.closed_at, dispute.updated_at)')}, dispute.payment_id, NULL
  FROM dispute CROSS JOIN LATERAL (VALUES ('dispute', dispute.taken_back), ('fee', coalesce(dispute.fee, 0))) AS charge(kind, amount)
  WHERE dispute.merchant_id = ${merchant} AND dispute.mode = ${mode}::mode AND dispute.state IN ('LOST', 'ACCEPTED', 'EXPIRED')
    AND dispute.payment_id IS NOT NULL AND charge.amount <> 0
    AND (charge.kind <> 'fee' OR NOT EXISTS (SELECT FROM settlement_line AS line
      JOIN settlement ON settlement.merchant_id = line.merchant_id AND settlement.id = line.settlement_id
      WHERE line.merchant_id = ${merchant} AND settlement.merchant_id = ${merchant} AND settlement.status = 'PAID'
        AND line.payment_id = dispute.payment_id AND line.dispute_id = dispute.id AND line.kind = 'FEE'))
    AND ${momentIn('coalesce(dispute.closed_at, dispute.updated_at)')}
  UNION ALL
  SELECT 'reversal', id::text, account_id, coalesce(received_currency, currency)::text, coalesce(taken, 0) - reversed_amount,
    ${dayOf('coalesce(reversed_at, paid_at, updated_at)')}, id, NULL
  FROM payment LEFT JOIN charged_back ON charged_back.payment_id = payment.id
  WHERE merchant_id = ${merchant} AND mode = ${mode}::mode AND reversed_amount > coalesce(taken, 0)
    AND account_id IS NOT NULL AND ${momentIn('coalesce(reversed_at, paid_at, updated_at)')}
  UNION ALL
  SELECT CASE WHEN line.kind = 'FEE' THEN 'fee'
      WHEN line.kind = 'OTHER' AND line.description = 'Stamp duty' THEN 'stamp_duty' ELSE 'adjustment' END,
    'line/' || line.id, line.account_id, line.currency::text, line.amount, paid_out.settled_on, line.payment_id, paid_out.id
  FROM settlement_line AS line JOIN paid_out ON paid_out.id = line.settlement_id
  WHERE line.merchant_id = ${merchant} AND line.amount <> 0
    AND (line.linked_by IS NULL OR (line.kind IN ('FEE', 'OTHER') AND NOT coalesce('payment/' || line.payment_id = ANY (line.subjects), false)))
  UNION ALL
  SELECT 'payout', id::text, account_id, currency::text, -net, settled_on, NULL, id FROM paid_out WHERE net <> 0
  UNION ALL
  SELECT 'bank', bank_line_id || '/' || settlement_id, account_id, currency::text, share, booked_on, NULL, settlement_id
  FROM arrived WHERE ${dayIn('booked_on')}
  UNION ALL
  SELECT 'bank_difference', settlement_id::text, account_id, currency::text, sum(share) - net, max(booked_on), NULL, settlement_id
  FROM arrived GROUP BY settlement_id, account_id, currency, net HAVING sum(share) <> net AND ${dayIn('max(booked_on)')}`;
}
