import { createHash } from 'node:crypto';
import { Prisma } from '@switchyard/db/client';
import { addDecimals } from '@switchyard/db/decimals';
import { gatewayTitle } from '@switchyard/gateways';
import { addMonths, firstDay } from '@switchyard/runtime/calendar-days';
import type { AccountingContext } from '../context.ts';
import { BALANCE_KINDS, type EntryKind, ledgerEntries } from '../ledger/entries.ts';
import {
  type AccountBalance,
  type Balance,
  type BalanceKind,
  type Figure,
  type Figures,
  type MonthFigures,
  OPEN_ITEMS_MAX,
  type OpenItem,
  type OpenItems,
  readDocument,
  type Unexplained,
} from './document.ts';
import type { MonthKey, MonthSource, ZonedMonth } from './month.ts';

interface SumRow extends Figure {
  readonly accountId: string;
  readonly currency: string;
  readonly kind: EntryKind;
  readonly hash: string;
}

/**
 * The figures of a month from these amounts, and what they leave unexplained. All that it reads is read from `source`: in one snapshot they
 * agree with each other.
 */
export async function readFigures(
  { configuration }: Pick<AccountingContext['resources'], 'configuration'>,
  source: MonthSource,
  month: ZonedMonth,
  entries: Prisma.Sql,
): Promise<MonthFigures> {
  const { prisma } = source;
  const sums = await prisma.$queryRaw<SumRow[]>`
    SELECT entry.account_id AS "accountId", entry.currency::text AS currency, entry.kind, count(*)::int AS count,
      trim_scale(sum(entry.amount))::text AS amount,
      encode(sha256(convert_to(string_agg(concat_ws(' ', entry.subject, trim_scale(entry.amount)::text, entry.day::text), E'\n'
        ORDER BY entry.subject COLLATE "C"), 'UTF8')), 'hex') AS hash
    FROM (${entries}) AS entry WHERE entry.kind <> 'bank_difference' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;
  const before = ledgerEntries(month, { zone: month.zone, from: null, until: firstDay(month.month) });
  const openings = await prisma.$queryRaw<{ accountId: string; currency: string; amount: string }[]>`
    SELECT entry.account_id AS "accountId", entry.currency::text AS currency, trim_scale(sum(entry.amount))::text AS amount
    FROM (${before}) AS entry WHERE entry.kind = ANY (${[...BALANCE_KINDS]}::text[]) GROUP BY 1, 2 HAVING sum(entry.amount) <> 0`;
  const previous = await readPrevious(source, month);
  const keys = new Map(
    [...sums, ...openings, ...(previous ?? [])].map(({ accountId, currency }) => [
      `${accountId} ${currency}`,
      { accountId, currency },
    ]),
  );
  const accounts = [...keys.values()].map(({ accountId, currency }): AccountBalance => {
    const isOwn = (row: { readonly accountId: string; readonly currency: string }) =>
      row.accountId === accountId && row.currency === currency;
    const figures = figuresBy((kind) => addFigures(sums.filter((row) => isOwn(row) && row.kind === kind)));
    const opening = openings.find(isOwn)?.amount ?? '0';
    const account = configuration.account(accountId)?.account;
    const gateway = account?.gateway ?? '';
    return {
      accountId,
      accountLabel: account?.label ?? accountId,
      gateway,
      gatewayTitle: gatewayTitle(gateway),
      currency,
      opening,
      previousClosing: previous === null ? null : (previous.find(isOwn)?.closing ?? '0'),
      figures,
      closing: addDecimals(opening, ...Object.values(figures).map(({ amount }) => amount)),
      bank: addFigures(sums.filter((row) => isOwn(row) && row.kind === 'bank')),
    };
  });
  const sorted = accounts.toSorted((a, b) => compare(a.accountLabel, b.accountLabel) || compare(a.currency, b.currency));
  return {
    accounts: sorted,
    totals: totalsOf(sorted),
    unexplained: await readUnexplained({ configuration }, source, month),
    items: {
      count: sums.reduce((sum, { count }) => sum + count, 0),
      hash: createHash('sha256')
        .update(sums.map(({ accountId, currency, kind, hash }) => `${accountId} ${currency} ${kind} ${hash}\n`).join(''))
        .digest('hex'),
    },
  };
}

async function readPrevious(
  { prisma }: MonthSource,
  { merchantId, mode, month }: MonthKey,
): Promise<readonly AccountBalance[] | null> {
  const key = { merchantId, mode, month: addMonths(month, -1) };
  const row = await prisma.monthClose.findUnique({ where: { merchantId_mode_month: key }, select: { document: true } });
  return row === null ? null : readDocument(row.document).accounts;
}

/** Figures of every kind. */
function figuresBy(of: (kind: BalanceKind) => Figure): Figures {
  return {
    payment: of('payment'),
    duplicate: of('duplicate'),
    fee: of('fee'),
    stamp_duty: of('stamp_duty'),
    refund: of('refund'),
    dispute: of('dispute'),
    reversal: of('reversal'),
    adjustment: of('adjustment'),
    payout: of('payout'),
  };
}

function addFigures(all: readonly Figure[]): Figure {
  return { count: all.reduce((sum, { count }) => sum + count, 0), amount: addDecimals(...all.map(({ amount }) => amount)) };
}

/** The balances of all accounts together, by currency. */
function totalsOf(accounts: readonly AccountBalance[]): Balance[] {
  const currencies = Map.groupBy(accounts, ({ currency }) => currency);
  return [...currencies.keys()].sort(compare).map((currency): Balance => {
    const own = currencies.get(currency) ?? [];
    const previous = own.flatMap(({ previousClosing }) => previousClosing ?? []);
    return {
      currency,
      opening: addDecimals(...own.map(({ opening }) => opening)),
      previousClosing: previous.length === 0 ? null : addDecimals(...previous),
      figures: figuresBy((kind) => addFigures(own.map(({ figures }) => figures[kind]))),
      closing: addDecimals(...own.map(({ closing }) => closing)),
      bank: addFigures(own.map(({ bank }) => bank)),
    };
  });
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Items that a month leaves unexplained. Discrepancies and lines of earlier months count until they are closed. Each thing is named once: a late or
 * missing payment of the month as a payment that is not settled, an unmatched line as a line, a payout of which nothing came as a payout.
 */
async function readUnexplained(
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
