import { type Mode, Prisma } from '@switchyard/db/client';
import { addDecimals } from '@switchyard/db/decimals';
import { compares, isOneOf } from '@switchyard/db/lists';
import { addDays } from '@switchyard/runtime/calendar-days';
import { addWorkingDays, type Calendar, publishedCalendar, SETTLEMENT_ZONE, toCalendar } from '../calendar.ts';
import type { SettlementContext } from '../context.ts';
import { readKnownDays } from '../intake/known-days.ts';

/** How much of the settled money is matched, and what has not come yet. Exact decimals of the main unit. */
export interface ExplainedMoney {
  readonly currency: string;
  /** Net amount paid out. */
  readonly settled: string;
  /** Sum of matched lines, each without its sign. */
  readonly explained: string;
  /** The same of lines that are not matched, and of residues. */
  readonly unexplained: string;
  /** Sum of lines that are not matched with their signs: what the settlements have more, or less, than is known of. */
  readonly unmatched: string;
  /** `explained` of both, from `0` to `1`, rounded down to four digits; null without lines. */
  readonly share: string | null;
  /** Net amount of payments that are not due yet. */
  readonly onTheWay: string;
  /** The same of payments with an open discrepancy of this kind. */
  readonly late: string;
  readonly missing: string;
}

/** The merchants whose money it is, and its days. */
interface ExplainedQuery {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  /** Empty for all. */
  readonly accountIds: readonly string[];
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * Settled money by currency: of settlements paid out from `from` to `to` (`YYYY-MM-DD`, null for any). What is on the way, late or
 * missing is as of now, whatever the days.
 */
export async function readExplained(context: SettlementContext, query: ExplainedQuery): Promise<ExplainedMoney[]> {
  const [settled, open, onTheWay] = await Promise.all([
    readSettled(context, query),
    readOpen(context, query),
    readOnTheWay(context, query),
  ]);
  const currencies = new Set([...settled, ...open, ...onTheWay].map(({ currency }) => currency));
  return [...currencies].toSorted().map((currency): ExplainedMoney => {
    const sums = settled.find((each) => each.currency === currency);
    const { net = '0', explained = '0', unexplained = '0', unmatched = '0', share = null } = sums ?? {};
    const openOf = (kind: string) => open.find((each) => each.currency === currency && each.kind === kind)?.amount ?? '0';
    return {
      currency,
      settled: net,
      explained,
      unexplained,
      unmatched,
      share,
      onTheWay: addDecimals(...onTheWay.filter((each) => each.currency === currency).map(({ amount }) => amount)),
      late: openOf('LATE'),
      missing: openOf('MISSING'),
    };
  });
}

type Sums = Pick<ExplainedMoney, 'currency' | 'explained' | 'unexplained' | 'unmatched' | 'share'> & { readonly net: string };

function readSettled(context: SettlementContext, { merchantIds, mode, accountIds, from, to }: ExplainedQuery): Promise<Sums[]> {
  const where = [
    Prisma.sql`p.merchant_id = ANY (${merchantIds}::uuid[]) AND p.mode = ${mode}::mode AND p.status = 'PAID'`,
    ...isOneOf('p.account_id', accountIds, 'uuid'),
    ...compares('p.settled_on >=', from, 'date'),
    ...compares('p.settled_on <=', to, 'date'),
  ];
  return context.resources.database.prisma.$queryRaw<Sums[]>`
    SELECT p.currency::text AS currency, trim_scale(sum(p.net))::text AS net, trim_scale(sum(p.explained))::text AS explained,
      trim_scale(sum(p.unexplained))::text AS unexplained, trim_scale(coalesce(sum(open.amount), 0))::text AS unmatched,
      trim_scale(trunc(sum(p.explained) / nullif(sum(p.explained) + sum(p.unexplained), 0), 4))::text AS share
    FROM settlement AS p LEFT JOIN LATERAL (SELECT sum(line.amount) AS amount FROM settlement_line AS line
      WHERE p.unexplained > 0 AND line.merchant_id = p.merchant_id AND line.settlement_id = p.id AND line.linked_by IS NULL) AS open ON true
    WHERE ${Prisma.join(where, ' AND ')} GROUP BY p.currency`;
}

interface CurrencyAmount {
  readonly currency: string;
  readonly amount: string;
}

/** Amounts that payments lack by open discrepancies; deductions that did not come are no money to wait for. */
function readOpen(
  context: SettlementContext,
  { merchantIds, mode, accountIds }: ExplainedQuery,
): Promise<(CurrencyAmount & { readonly kind: string })[]> {
  const where = [
    Prisma.sql`p.merchant_id = ANY (${merchantIds}::uuid[]) AND p.mode = ${mode}::mode AND p.state = 'OPEN'`,
    Prisma.sql`p.kind IN ('LATE', 'MISSING') AND p.expected > 0 AND p.payment_id IS NOT NULL`,
    ...isOneOf('p.account_id', accountIds, 'uuid'),
  ];
  return context.resources.database.prisma.$queryRaw`
    SELECT p.currency::text AS currency, p.kind::text AS kind, trim_scale(sum(p.expected - coalesce(p.settled, 0)))::text AS amount
    FROM settlement_discrepancy AS p WHERE ${Prisma.join(where, ' AND ')} GROUP BY p.currency, p.kind`;
}

/** Payments that are not due yet and of which nothing was settled, by account and currency. */
async function readOnTheWay(
  context: SettlementContext,
  { merchantIds, mode, accountIds }: ExplainedQuery,
): Promise<CurrencyAmount[]> {
  const { database, configuration } = context.resources;
  const where = { merchantId: { in: [...merchantIds] } };
  const [sources, calendars] = await Promise.all([
    database.prisma.settlementSource.findMany({ where }),
    database.prisma.settlementCalendar.findMany({ where: { merchantId: where.merchantId } }),
  ]);
  const calendarOf = new Map(calendars.map((row) => [row.accountId, toCalendar(row)]));
  const knownDays = await readKnownDays(context, sources);
  const accounts = sources.flatMap(({ accountId }) => {
    const account = configuration.account(accountId)?.account;
    const until = knownDays.get(accountId)?.at(-1)?.until;
    const isWanted = accountIds.length === 0 || accountIds.includes(accountId);
    if (account === undefined || account.mode !== mode || until === undefined || !isWanted) return [];
    const calendar = calendarOf.get(accountId) ?? publishedCalendar(account.gateway);
    return [{ accountId, since: firstDayNotDue(until, calendar) }];
  });
  if (accounts.length === 0) return [];
  return database.prisma.$queryRaw<CurrencyAmount[]>`
    SELECT payment.currency::text AS currency, trim_scale(sum(coalesce(attempt.received_amount, payment.amount)
      - coalesce(payment.fee_amount, 0)))::text AS amount
    FROM unnest(${accounts.map(({ accountId }) => accountId)}::uuid[], ${accounts.map(({ since }) => since)}::date[])
      AS expected(account_id, since)
    JOIN attempt ON attempt.account_id = expected.account_id
      AND attempt.created_at >= expected.since - interval '3 days' AND attempt.state = 'PAID' AND NOT attempt.duplicate
    JOIN payment ON payment.merchant_id = attempt.merchant_id AND payment.id = attempt.payment_id
      AND payment.paid_at >= (expected.since::timestamp AT TIME ZONE ${SETTLEMENT_ZONE})
      AND payment.reversal_cause IS DISTINCT FROM 'gateway'
    WHERE attempt.merchant_id = ANY (${merchantIds}::uuid[])
      AND NOT EXISTS (SELECT FROM settlement_line AS line WHERE line.merchant_id = payment.merchant_id AND line.payment_id = payment.id
        AND line.account_id = attempt.account_id)
    GROUP BY payment.currency`;
}

const DAYS_MAX = 90;

/** The first day whose payments are not due on a day, or are due on it. */
function firstDayNotDue(day: string, { workingDays, holidays }: Calendar): string {
  let first = addDays(day, 1);
  for (let back = 0; back < DAYS_MAX && addWorkingDays(addDays(first, -1), workingDays, holidays) >= day; back += 1) {
    first = addDays(first, -1);
  }
  return first;
}
