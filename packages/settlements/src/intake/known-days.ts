import { Prisma, type SettlementSource } from '@switchyard/db/client';
import { findGateway } from '@switchyard/gateways';
import { addDays, calendarDay } from '@switchyard/runtime/calendar-days';
import { earliestDay, SETTLEMENT_ZONE } from '../calendar.ts';
import type { SettlementContext } from '../context.ts';

/** Days of which all payouts of an account are known by one road, `YYYY-MM-DD`. */
export interface KnownDays {
  readonly from: string;
  /** The first of which they are not. */
  readonly until: string;
}

/** A gateway that announces its payouts has announced all that it ever made. */
const ALWAYS = '0001-01-01';

/**
 * The known days of these accounts, by account and until when they are known: of its list, all since the first reading, of webhooks, all until
 * the last time that what is in the announced ones could be read, of files, from the first payout in one to the last. One road says nothing of
 * the days of another: a file of an old payout does not make the list known since.
 */
export async function readKnownDays(
  context: SettlementContext,
  sources: readonly SettlementSource[],
): Promise<ReadonlyMap<string, readonly KnownDays[]>> {
  const files = await readFileDays(context, sources);
  return new Map(
    sources.map((source) => {
      const days = [ownDays(context, source), files.get(source.accountId)].filter((each) => each != null);
      return [source.accountId, days.toSorted((a, b) => (a.until < b.until ? -1 : 1))];
    }),
  );
}

/** The days by which money that is due on one is awaited: it is among them, or after all that are known. Null where it is not. */
export function daysOfDue(known: readonly KnownDays[], dueOn: string): KnownDays | null {
  const last = known.at(-1);
  return known.find((days) => days.from <= dueOn && (dueOn < days.until || days === last)) ?? null;
}

function ownDays({ resources }: SettlementContext, { accountId, readFrom, readTo }: SettlementSource): KnownDays | null {
  const road = findGateway(resources.configuration.account(accountId)?.account.gateway ?? '')?.settlementRoad ?? 'file';
  switch (road) {
    case 'polled': {
      if (readFrom === null || readTo === null) return null;
      return { from: addDays(calendarDay(readFrom, SETTLEMENT_ZONE), 1), until: calendarDay(readTo, SETTLEMENT_ZONE) };
    }
    case 'webhook':
      return readTo === null ? null : { from: ALWAYS, until: calendarDay(readTo, SETTLEMENT_ZONE) };
    case 'file':
      return null;
    default:
      return road satisfies never;
  }
}

async function readFileDays(
  context: SettlementContext,
  sources: readonly SettlementSource[],
): Promise<ReadonlyMap<string, KnownDays>> {
  const today = calendarDay(context.now(), SETTLEMENT_ZONE);
  const rows = await context.resources.database.prisma.$queryRaw<{ accountId: string; first: string; last: string }[]>`
    SELECT account_id AS "accountId", min(${PAYOUT_DAY})::text AS first, max(${PAYOUT_DAY})::text AS last FROM settlement
    WHERE merchant_id = ANY (${[...new Set(sources.map(({ merchantId }) => merchantId))]}::uuid[])
      AND account_id = ANY (${sources.map(({ accountId }) => accountId)}::uuid[]) AND road = 'FILE' AND status = 'PAID'
    GROUP BY account_id`;
  return new Map(
    rows.map(({ accountId, first, last }) => [accountId, { from: first, until: earliestDay(addDays(last, 1), today) }]),
  );
}

const PAYOUT_DAY = Prisma.sql`coalesce(settled_on, (created_at AT TIME ZONE ${SETTLEMENT_ZONE})::date)`;

/** The day of the first payout among those whose lines came since a moment, all of them where it is null; null where none did. */
export async function readFirstNewDay(
  { resources }: SettlementContext,
  { merchantId, accountId }: Pick<SettlementSource, 'merchantId' | 'accountId'>,
  since: Date | null,
): Promise<string | null> {
  const [row] = await resources.database.prisma.$queryRaw<{ first: string | null }[]>`
    SELECT min(${PAYOUT_DAY})::text AS first FROM settlement
    WHERE merchant_id = ${merchantId}::uuid AND account_id = ${accountId}::uuid AND lines_read_at >= coalesce(${since}::timestamptz, '-infinity')`;
  return row?.first ?? null;
}
