import { isDeepStrictEqual } from 'node:util';
import { type Database, isWriteConflict } from '@switchyard/db';
import { type Mode, Prisma, type SettlementDiscrepancyKind } from '@switchyard/db/client';
import { addDecimals } from '@switchyard/db/decimals';
import type { Days } from '../bank/arrivals.ts';
import { matchAndJudgeBank } from '../bank/follow-bank.ts';
import { hasStatements } from '../bank/match-queries.ts';
import { earlierDay, laterDay, SETTLEMENT_ZONE } from '../calendar.ts';
import { type AccountKey, allowComputing, FILE_TRANSACTION, type SettlementContext } from '../context.ts';
import { amountInQuestion } from '../discrepancies/write-discrepancies.ts';
import { auditPayments, openFeeAudit } from '../fees/audit-fees.ts';
import { checkUnmatchedLines, judgeAccount, judgePayments } from '../intake/judge-account.ts';
import { type KnownDays, readKnownDays } from '../intake/known-days.ts';
import { linkAccount, openMatch } from '../intake/link-account.ts';
import type { AccountLease } from '../source-lease.ts';

/** The merchant and account whose money a change is of; the account is null where it is of the bank alone. */
export interface RehearsalScope {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly accountId: string | null;
}

/** Carries a change out in a transaction. */
export type Rehearsed = (context: SettlementContext, transaction: Prisma.TransactionClient) => Promise<Carried>;

/** The payments and days that a change touched. */
export interface Carried {
  /** The payments that lines were of which it removed. */
  readonly paymentIds: readonly string[];
  /** Days of payouts, before and after; `YYYY-MM-DD`. */
  readonly days: readonly string[];
}

/** Reads something of a database as it would be after a change, and as it is. */
export type Look<Seen> = (transaction: Prisma.TransactionClient, about: Looked) => Promise<Seen>;

/** The money that a change touches, and the first and last of its days; null where it touches none. */
export interface Looked extends RehearsalScope {
  readonly span: Days | null;
}

/** Discrepancies of one kind and currency together. */
export interface DiscrepancyEffect {
  readonly kind: SettlementDiscrepancyKind;
  readonly currency: string;
  readonly count: number;
  /** Sum of the amounts in question, an exact decimal of the main unit. */
  readonly amount: string;
}

/** The effect of a change: on discrepancies, and on what the caller reads before and after it. */
export interface Rehearsal<Seen> {
  /** Those that would be open and are not, or with other amounts. */
  readonly opened: readonly DiscrepancyEffect[];
  /** Those that are open and would not be, or with other amounts. */
  readonly closed: readonly DiscrepancyEffect[];
  /** As it is. */
  readonly before: Seen;
  /** As it would be. */
  readonly after: Seen;
}

/** Carries the result out of a transaction that must not be committed. */
class Undone<Result> extends Error {
  readonly result: Result;

  constructor(result: Result) {
    super('a rehearsal is never committed');
    this.result = result;
  }
}

const TRANSACTION = { ...FILE_TRANSACTION, isolationLevel: Prisma.TransactionIsolationLevel.RepeatableRead };
const TRIES_MAX = 5;

/**
 * Carries a change out, matches and judges what follows from it, looks, and undoes all of it: what is shown before a person confirms is what
 * happens then, and not a second computation of it.
 */
export async function rehearse<Seen>(
  context: SettlementContext,
  scope: RehearsalScope,
  apply: Rehearsed,
  look: Look<Seen>,
): Promise<Rehearsal<Seen>> {
  for (let tried = 1; ; tried += 1) {
    try {
      await context.resources.database.prisma.$transaction(async (transaction) => {
        await allowComputing(transaction);
        throw new Undone(await rehearseWithin(context, transaction, scope, apply, look));
      }, TRANSACTION);
    } catch (error) {
      if (error instanceof Undone) return error.result;
      // The account was matched meanwhile.
      if (tried === TRIES_MAX || !isWriteConflict(error)) throw error;
    }
  }
}

async function rehearseWithin<Seen>(
  outer: SettlementContext,
  transaction: Prisma.TransactionClient,
  scope: RehearsalScope,
  apply: Rehearsed,
  look: Look<Seen>,
): Promise<Rehearsal<Seen>> {
  const context = contextWithin(outer, transaction);
  const { merchantId, mode, accountId } = scope;
  const key = accountId === null ? null : { merchantId, accountId };
  const known = key === null ? [] : await readKnown(context, key);
  const match = async (touched: readonly string[]) => {
    const linked = key === null ? [] : await matchWithin(context, key, known, touched);
    if (await hasStatements(context.resources.database, { merchantId, mode }))
      await matchAndJudgeBank(context, { merchantId, mode });
    return linked;
  };
  // Matches that are due anyway are no effect of the change.
  await match([]);
  const openBefore = await readOpen(transaction, scope);
  const linksBefore = await readBankDays(transaction, merchantId);
  await transaction.$executeRaw`SAVEPOINT rehearsal`;
  const { paymentIds, days } = await apply(context, transaction);
  const linked = await match(paymentIds);
  const openAfter = await readOpen(transaction, scope);
  const linksAfter = await readBankDays(transaction, merchantId);
  const paid = await readPaidDays(transaction, merchantId, [...new Set([...paymentIds, ...linked])]);
  const span = spanOf([...days, ...paid, ...changedDays(linksBefore, linksAfter), ...changedDays(linksAfter, linksBefore)]);
  const about = { ...scope, span };
  const after = await look(transaction, about);
  await transaction.$executeRaw`ROLLBACK TO SAVEPOINT rehearsal`;
  return {
    opened: sumOf(notAmong(openBefore, openAfter)),
    closed: sumOf(notAmong(openAfter, openBefore)),
    before: await look(transaction, about),
    after,
  };
}

const LINKS_MAX = 500_000;

/** The links of the bank, each with the day of its line. */
async function readBankDays(transaction: Prisma.TransactionClient, merchantId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await transaction.$queryRaw<{ link: string; day: string }[]>`
    SELECT match.bank_line_id || ' ' || match.settlement_id AS link, line.booked_on::text AS day FROM bank_match AS match
    JOIN bank_line AS line ON line.merchant_id = match.merchant_id AND line.id = match.bank_line_id
    WHERE match.merchant_id = ${merchantId}::uuid LIMIT ${LINKS_MAX}`;
  return new Map(rows.map(({ link, day }) => [link, day]));
}

function changedDays(some: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>): string[] {
  return [...some].flatMap(([link, day]) => (others.has(link) ? [] : [day]));
}

/** First and last day on which payments were paid. */
async function readPaidDays(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<string[]> {
  const [days] = await transaction.$queryRaw<{ first: string | null; last: string | null }[]>`
    SELECT min(coalesce(paid_at, updated_at) AT TIME ZONE ${SETTLEMENT_ZONE})::date::text AS first,
      max(coalesce(paid_at, updated_at) AT TIME ZONE ${SETTLEMENT_ZONE})::date::text AS last
    FROM payment WHERE merchant_id = ${merchantId}::uuid AND id = ANY (${paymentIds}::uuid[])`;
  return [days?.first, days?.last].flatMap((day) => day ?? []);
}

function spanOf(days: readonly string[]): Days | null {
  const [first] = days;
  return first === undefined ? null : { from: days.reduce(earlierDay, first), to: days.reduce(laterDay, first) };
}

/**
 * Matches an account as the worker does after the change; all of its payments only where the days that are known change. Returns the payments that
 * lines were linked to.
 */
async function matchWithin(
  context: SettlementContext,
  key: AccountKey,
  known: readonly KnownDays[],
  paymentIds: readonly string[],
): Promise<readonly string[]> {
  const lease = withoutLease(context, key);
  const match = await openMatch(context, lease);
  if (match === null) return [];
  const { paymentIds: linked } = await linkAccount(match);
  const changed = new Set([...paymentIds, ...linked]);
  if (isDeepStrictEqual(known, match.expectation.known)) await judgePayments(match, [...changed]);
  else await judgeAccount(match, changed);
  await checkUnmatchedLines(match);
  const audit = (await lease.read()).feesAt === null ? null : await openFeeAudit(context, lease);
  if (audit !== null) await auditPayments(audit, [...changed]);
  return [...linked];
}

async function readKnown(context: SettlementContext, key: AccountKey): Promise<readonly KnownDays[]> {
  const { prisma } = context.resources.database;
  const source = await prisma.settlementSource.findUnique({ where: { merchantId_accountId: key } });
  return source === null ? [] : ((await readKnownDays(context, [source])).get(key.accountId) ?? []);
}

/** A transaction holds the locks of all that it changes: no lease has to keep others away from the account. */
function withoutLease({ resources }: SettlementContext, key: AccountKey): AccountLease {
  const { prisma } = resources.database;
  const nothing = () => Promise.resolve();
  return {
    key,
    read: () => prisma.settlementSource.findUniqueOrThrow({ where: { merchantId_accountId: key } }),
    renew: nothing,
    write: nothing,
    confirm: nothing,
    confirmQuiet: nothing,
  };
}

interface OpenDiscrepancy {
  readonly subject: string;
  readonly kind: SettlementDiscrepancyKind;
  readonly currency: string;
  readonly expected: string | null;
  readonly settled: string | null;
}

const OPEN_MAX = 300_000;

function readOpen(transaction: Prisma.TransactionClient, { merchantId, mode }: RehearsalScope): Promise<OpenDiscrepancy[]> {
  return transaction.$queryRaw<OpenDiscrepancy[]>`
    SELECT account_id || ' ' || subject AS subject, found.kind::text AS kind, currency::text AS currency, trim_scale(expected)::text AS expected,
      trim_scale(settled)::text AS settled
    FROM settlement_discrepancy AS found WHERE merchant_id = ${merchantId}::uuid AND mode = ${mode}::mode AND state = 'OPEN'
    ORDER BY found.id LIMIT ${OPEN_MAX}`;
}

/** Those of `some` that are not among the others with the same facts. */
function notAmong(others: readonly OpenDiscrepancy[], some: readonly OpenDiscrepancy[]): OpenDiscrepancy[] {
  const known = new Set(others.map(factsOf));
  return some.filter((each) => !known.has(factsOf(each)));
}

function factsOf({ subject, kind, currency, expected, settled }: OpenDiscrepancy): string {
  return JSON.stringify([subject, kind, currency, expected, settled]);
}

function sumOf(some: readonly OpenDiscrepancy[]): DiscrepancyEffect[] {
  const groups = Map.groupBy(some, ({ kind, currency }) => `${kind} ${currency}`);
  return [...groups.values()]
    .flatMap((own): DiscrepancyEffect[] => {
      const [first] = own;
      if (first === undefined) return [];
      const { kind, currency } = first;
      return [
        { kind, currency, count: own.length, amount: own.reduce((sum, each) => addDecimals(sum, amountInQuestion(each)), '0') },
      ];
    })
    .toSorted((a, b) => (a.kind + a.currency < b.kind + b.currency ? -1 : 1));
}

/** A query as features send it past Prisma. */
interface NamedQuery {
  readonly text: string;
  readonly values?: readonly unknown[];
}

/**
 * The context of a transaction: use cases that are given it read what the transaction wrote and write into it, whatever connection they would use
 * otherwise. Transactions of theirs are parts of it. It is a rehearsal: nothing of it is audited.
 */
function contextWithin(context: SettlementContext, transaction: Prisma.TransactionClient): SettlementContext {
  const { database } = context.resources;
  const prisma: Database['prisma'] = new Proxy(database.prisma, {
    get(target, name) {
      if (name === '$transaction') return <T>(work: (within: Prisma.TransactionClient) => Promise<T>) => work(transaction);
      return Reflect.get(name in transaction ? transaction : target, name);
    },
  });
  const pool: Database['pool'] = new Proxy(database.pool, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name);
      return async ({ text, values = [] }: NamedQuery) => {
        return { rows: await transaction.$queryRawUnsafe<unknown[]>(text, ...values) };
      };
    },
  });
  return { ...context, isRehearsal: true, resources: { ...context.resources, database: { ...database, prisma, pool } } };
}
