import { createHash } from 'node:crypto';
import type { Prisma } from '@switchyard/db/client';
import { addDecimals } from '@switchyard/db/decimals';
import { gatewayTitle } from '@switchyard/gateways/names';
import { addMonths, firstDay } from '../calendar.ts';
import type { AccountingContext } from '../context.ts';
import { BALANCE_KINDS, type EntryKind, ledgerEntries } from '../ledger/entries.ts';
import {
  type AccountBalance,
  type Balance,
  type BalanceKind,
  type Figure,
  type Figures,
  type MonthFigures,
  readDocument,
} from './document.ts';
import type { MonthKey, MonthSource, ZonedMonth } from './month.ts';
import { readUnexplained } from './read-unexplained.ts';

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
