import { Prisma } from '@switchyard/db/client';
import { addMonths, firstDay } from '../calendar.ts';
import type { AccountingContext } from '../context.ts';
import { OPEN_ITEMS_MAX, type OpenItem, type OpenItems, type Unexplained } from './document.ts';
import type { MonthSource, ZonedMonth } from './month.ts';

/**
 * Items that a month leaves unexplained. Discrepancies and lines of earlier months count until they are closed. Each thing is named once: a late or
 * missing payment of the month as a payment that is not settled, an unmatched line as a line, a payout of which nothing came as a payout.
 */
export async function readUnexplained(
  { configuration }: Pick<AccountingContext['resources'], 'configuration'>,
  { prisma }: MonthSource,
  { merchantId, mode, month, zone }: ZonedMonth,
): Promise<Unexplained> {
  const merchant = Prisma.sql`${merchantId}::uuid`;
  const [first, until] = [firstDay(month), firstDay(addMonths(month, 1))];
  const dayOf = (column: string) => Prisma.sql`(${Prisma.raw(column)} AT TIME ZONE ${zone}::text)::date`;
  const begins = (day: string) => Prisma.sql`(${day}::date::timestamp AT TIME ZONE ${zone}::text)`;
  const read = async (found: Prisma.Sql): Promise<OpenItems> => {
    type Item = Omit<OpenItem, 'accountLabel'>;
    const [row] = await prisma.$queryRaw<{ count: number; amounts: OpenItems['amounts'] | null; items: Item[] | null }[]>`
      WITH found AS MATERIALIZED (${found}), largest AS (
        SELECT * FROM found ORDER BY abs(amount) DESC, day, subject LIMIT ${OPEN_ITEMS_MAX}
      )
      SELECT (SELECT count(*)::int FROM found) AS count,
        (SELECT json_agg(json_build_object('currency', currency, 'amount', total) ORDER BY currency)
          FROM (SELECT currency, trim_scale(sum(abs(amount)))::text AS total FROM found GROUP BY currency) AS sums) AS amounts,
        (SELECT json_agg(json_build_object('subject', subject, 'accountId', account_id, 'currency', currency,
          'amount', trim_scale(amount)::text, 'day', day, 'about', about, 'paymentId', payment_id, 'settlementId', settlement_id,
          'discrepancyId', discrepancy_id) ORDER BY abs(amount) DESC, day, subject) FROM largest) AS items`;
    const items = (row?.items ?? []).map((item) => {
      return { ...item, accountLabel: configuration.account(item.accountId)?.account.label ?? item.accountId };
    });
    return { count: row?.count ?? 0, amounts: row?.amounts ?? [], items };
  };
  return {
    discrepancies: await read(Prisma.sql`
      SELECT * FROM (
        SELECT discrepancy.subject, discrepancy.account_id, discrepancy.currency::text AS currency,
          coalesce(discrepancy.settled, 0) - coalesce(discrepancy.expected, 0) AS amount,
          coalesce(discrepancy.expected_on, settlement.settled_on, ${dayOf('payment.paid_at')}, ${dayOf('discrepancy.created_at')}) AS day,
          discrepancy.kind::text AS about, discrepancy.payment_id, discrepancy.settlement_id, discrepancy.id AS discrepancy_id
        FROM settlement_discrepancy AS discrepancy
        LEFT JOIN settlement ON settlement.merchant_id = discrepancy.merchant_id AND settlement.id = discrepancy.settlement_id
        LEFT JOIN payment ON payment.merchant_id = discrepancy.merchant_id AND payment.id = discrepancy.payment_id
        WHERE discrepancy.merchant_id = ${merchant} AND discrepancy.mode = ${mode}::mode AND discrepancy.state = 'OPEN'
          AND discrepancy.subject NOT LIKE 'line/%'
          AND NOT (discrepancy.subject LIKE 'payout/%' AND discrepancy.settled IS NULL AND settlement.settled_on >= ${first}::date)
          AND NOT (discrepancy.subject LIKE 'payment/%' AND discrepancy.kind IN ('LATE', 'MISSING') AND discrepancy.settled IS NULL
            AND payment.paid_at >= ${begins(first)})
      ) AS open WHERE day < ${until}::date`),
    unmatchedLines: await read(Prisma.sql`
      SELECT 'line/' || line.id AS subject, line.account_id, line.currency::text AS currency, line.amount, settlement.settled_on AS day,
        line.kind::text AS about, NULL::uuid AS payment_id, settlement.id AS settlement_id, NULL::uuid AS discrepancy_id
      FROM settlement_line AS line
      JOIN settlement ON settlement.merchant_id = line.merchant_id AND settlement.id = line.settlement_id
      WHERE line.merchant_id = ${merchant} AND settlement.merchant_id = ${merchant} AND settlement.mode = ${mode}::mode
        AND settlement.status = 'PAID' AND line.linked_by IS NULL AND settlement.settled_on < ${until}::date`),
    payoutsNotAtBank: await read(Prisma.sql`
      SELECT 'payout/' || id AS subject, account_id, currency::text AS currency, net AS amount, settled_on AS day, reference AS about,
        NULL::uuid AS payment_id, id AS settlement_id, NULL::uuid AS discrepancy_id
      FROM settlement
      WHERE merchant_id = ${merchant} AND mode = ${mode}::mode AND status = 'PAID' AND net <> 0 AND settled_on >= ${first}::date
        AND settled_on < ${until}::date
        AND NOT EXISTS (SELECT FROM bank_match
          WHERE bank_match.merchant_id = settlement.merchant_id AND bank_match.settlement_id = settlement.id)`),
    unsettledPayments: await read(Prisma.sql`
      SELECT 'payment/' || payment.id AS subject, attempt.account_id,
        coalesce(attempt.received_currency, payment.currency)::text AS currency, coalesce(attempt.received_amount, payment.amount) AS amount,
        ${dayOf('coalesce(payment.paid_at, attempt.updated_at)')} AS day, payment.merchant_order_id AS about, payment.id AS payment_id,
        NULL::uuid AS settlement_id, NULL::uuid AS discrepancy_id
      FROM payment JOIN attempt ON attempt.merchant_id = payment.merchant_id AND attempt.payment_id = payment.id
      WHERE payment.merchant_id = ${merchant} AND payment.mode = ${mode}::mode AND attempt.merchant_id = ${merchant}
        AND attempt.state = 'PAID' AND NOT attempt.duplicate
        AND coalesce(payment.paid_at, attempt.updated_at) >= ${begins(first)}
        AND coalesce(payment.paid_at, attempt.updated_at) < ${begins(until)}
        AND NOT EXISTS (SELECT FROM settlement_line AS line
          JOIN settlement ON settlement.merchant_id = line.merchant_id AND settlement.id = line.settlement_id AND settlement.status = 'PAID'
          WHERE line.merchant_id = ${merchant} AND line.payment_id = payment.id AND line.account_id = attempt.account_id
            AND line.kind = 'PAYMENT')`),
  };
}
