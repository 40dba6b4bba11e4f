import type { ReportsSource } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import { type ErrorCode, type ErrorMeaning, errorCodesFile, gateways, isKnownErrorCode } from '@switchyard/gateways';
import type { RuntimeContext } from '@switchyard/runtime';

/** How often a code came at one account by one operation. */
interface CodeCount {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly accountId: string;
  readonly accountLabel: string;
  readonly operation: string;
  readonly count: number;
  /** The first time that is counted. */
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** An error code of a gateway, and how often it came. */
export interface ErrorCodeItem {
  readonly gateway: string;
  readonly code: string;
  readonly words: string;
  readonly meaning: ErrorMeaning;
  /** Null of a code that is in no table. */
  readonly section: ErrorCode['section'] | null;
  /** The file to change for another meaning. */
  readonly file: string;
  readonly total: number;
  /** The first time that is counted; null of a code that did not come. */
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
  readonly counts: readonly CodeCount[];
  /** The latest payments that a code came for which is in no table. */
  readonly paymentIds: readonly string[];
}

/** Days that are counted. */
const DAYS = 30;
const ROWS_MAX = 10_000;
const DAY_MS = 86_400_000;

interface StoredCode {
  readonly merchantId: string;
  readonly accountId: string;
  readonly operation: string;
  readonly code: string;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly paymentIds: readonly string[];
}

/** The context of what reads error codes. */
type Context = RuntimeContext<'configuration' | 'database'>;

async function readCodes(
  { prisma }: Pick<ReportsSource, 'prisma'>,
  now: Date,
  merchantIds: readonly string[] | null,
): Promise<readonly StoredCode[]> {
  const rows = await prisma.gatewayCode.findMany({
    where: {
      ...(merchantIds && { merchantId: { in: [...merchantIds] } }),
      day: { gte: new Date(now.getTime() - DAYS * DAY_MS) },
    },
    orderBy: { lastAt: 'desc' },
    take: ROWS_MAX,
  });
  const byKey = Map.groupBy(rows, ({ accountId, operation, code }) => `${accountId} ${operation} ${code}`);
  return [...byKey.values()].flatMap((days) => {
    const [latest] = days;
    if (latest === undefined) return [];
    const { merchantId, accountId, operation, code, lastAt } = latest;
    const count = days.reduce((sum, day) => sum + day.count, 0);
    const paymentIds = [...new Set(days.flatMap((day) => day.paymentIds))];
    return [
      { merchantId, accountId, operation, code, count, firstAt: earliestOf(days.map((day) => day.firstAt)), lastAt, paymentIds },
    ];
  });
}

/** The earliest of some moments, of which there is one at least. */
function earliestOf(moments: readonly Date[]): Date {
  return new Date(Math.min(...moments.map((moment) => moment.getTime())));
}

/**
 * The error codes of every gateway with what is made of each, those that no table has first, then by how often they came in 30 days. The
 * counts are read from `source`.
 */
export async function listErrorCodes(
  { resources, now }: RuntimeContext<'configuration'>,
  source: Pick<ReportsSource, 'prisma'>,
  { merchantIds, mode }: { readonly merchantIds: readonly string[]; readonly mode: Mode },
): Promise<ErrorCodeItem[]> {
  const { configuration } = resources;
  await configuration.ready();
  const stored = (await readCodes(source, now(), merchantIds)).flatMap((row) => {
    const known = configuration.account(row.accountId);
    if (known === undefined || known.account.mode !== mode) return [];
    const { account, merchant } = known;
    return [{ ...row, gateway: account.gateway, accountLabel: account.label, merchantName: merchant.merchant.name }];
  });
  const came = Map.groupBy(stored, ({ gateway, code }) => `${gateway} ${code}`);
  const listed = gateways.flatMap(({ name: gateway, errorCodes: codes }) => {
    const unlisted = new Set(stored.filter((row) => row.gateway === gateway).map(({ code }) => code));
    for (const { code } of codes) unlisted.delete(code);
    const rows = [
      ...[...unlisted].map((code) => ({ code, words: '', meaning: 'unknown' as const, section: null })),
      ...codes.map(({ code, words, meaning, section }) => ({ code, words, meaning, section })),
    ];
    return rows.map((row): ErrorCodeItem => {
      const counts = came.get(`${gateway} ${row.code}`) ?? [];
      return {
        gateway,
        ...row,
        file: errorCodesFile(gateway),
        total: counts.reduce((sum, { count }) => sum + count, 0),
        firstAt: counts.length === 0 ? null : earliestOf(counts.map(({ firstAt }) => firstAt)),
        lastAt: counts.reduce<Date | null>((last, { lastAt }) => (last === null || lastAt > last ? lastAt : last), null),
        counts: counts.map(({ merchantId, merchantName, accountId, accountLabel, operation, count, firstAt, lastAt }) => ({
          merchantId,
          merchantName,
          accountId,
          accountLabel,
          operation,
          count,
          firstAt,
          lastAt,
        })),
        paymentIds: row.section === null ? [...new Set(counts.flatMap(({ paymentIds }) => paymentIds))] : [],
      };
    });
  });
  return listed.sort((one, other) => Number(one.section !== null) - Number(other.section !== null) || other.total - one.total);
}

/** A code that is in no table, at one account. */
export interface UnknownErrorCode extends Omit<StoredCode, 'operation' | 'paymentIds'> {
  readonly mode: Mode;
  readonly gateway: string;
  readonly accountLabel: string;
  readonly payments: number;
}

/** Codes of the last 30 days that no table has, by account; of all merchants where null is given. */
export async function findUnknownErrorCodes(
  context: Context,
  merchantIds: readonly string[] | null,
): Promise<UnknownErrorCode[]> {
  const { configuration } = context.resources;
  await configuration.ready();
  const rows = await readCodes(context.resources.database, context.now(), merchantIds);
  const byCode = Map.groupBy(rows, ({ accountId, code }) => `${accountId} ${code}`);
  return [...byCode.values()].flatMap((operations) => {
    const [first] = operations;
    const account = first === undefined ? undefined : configuration.account(first.accountId)?.account;
    if (first === undefined || account === undefined || isKnownErrorCode(account.gateway, first.code)) return [];
    const { merchantId, accountId, code, lastAt } = first;
    return [
      {
        merchantId,
        accountId,
        code,
        lastAt,
        mode: account.mode,
        gateway: account.gateway,
        accountLabel: account.label,
        count: operations.reduce((sum, one) => sum + one.count, 0),
        firstAt: earliestOf(operations.map((one) => one.firstAt)),
        payments: new Set(operations.flatMap((one) => one.paymentIds)).size,
      },
    ];
  });
}
