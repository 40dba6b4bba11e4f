import type { Settlement, SettlementSource } from '@switchyard/db/client';
import { addDecimals, subtractDecimals } from '@switchyard/db/decimals';
import {
  type Gateway,
  type ListedSettlement,
  type ListedSettlementLine,
  type ListPage,
  type Outcome,
  readAllPages,
} from '@switchyard/gateways';
import type { OpenAccount } from '@switchyard/runtime';
import { calendarDay, dayText } from '@switchyard/runtime/calendar-days';
import { SETTLEMENT_ZONE } from '../calendar.ts';
import type { AccountKey, SettlementContext } from '../context.ts';
import { LostLease, SourceLease } from '../source-lease.ts';
import { isMatchDue, matchLeased } from './match-account.ts';
import { storeSettlement } from './store-settlement.ts';

const PAGE_TIMEOUT_MS = 20_000;
const DAY_MS = 24 * 3_600_000;
/** How far back the first reading goes. */
const FIRST_MS = 30 * DAY_MS;
/** Read again each time: a gateway may list a settlement late, or take back that it is paid. */
const OVERLAP_MS = 7 * DAY_MS;
/** The same once a day. */
const DAILY_OVERLAP_MS = 60 * DAY_MS;
/** Announced settlements that are read at once; the rest wait for the next time. */
const ANNOUNCED_MAX = 500;
/** Settlements that stay pending for longer are not asked for any more. */
const PENDING_MAX_MS = 60 * DAY_MS;
/** Soon: a short outage must not leave what was paid out unseen for long, and a list is one call. */
const RETRY_MS = 60_000;

/** Result of reading an account's settlements. */
export type ReadSettlementsOutcome =
  | { readonly kind: 'read'; readonly settlements: number; readonly lines: number }
  /** Another process reads or matches the account. */
  | { readonly kind: 'busy' }
  /** The gateway reports no settlements, or the account has no credentials. */
  | { readonly kind: 'unavailable' }
  /** Recorded at the account; what was stored before stays. */
  | { readonly kind: 'failed'; readonly why: string };

/** A page could not be read. */
class SettlementsUnreadable extends Error {}

/**
 * Reads an account's settlements from its gateway, or what is in those that it announced, stores what is new and matches it. Each settlement is stored as a whole or not at all;
 * until all could be read, the next reading begins where this one did. Repeating it writes the same.
 */
export async function readSettlements(context: SettlementContext, key: AccountKey): Promise<ReadSettlementsOutcome> {
  const list = await openList(context, key);
  if (list === null) return { kind: 'unavailable' };
  const lease = await SourceLease.take(context, key);
  if (lease === null) return { kind: 'busy' };
  try {
    const counts = await readAll(context, lease, list);
    if (isMatchDue(await lease.read(), context.now())) await matchLeased(context, lease);
    return { kind: 'read', ...counts };
  } catch (error) {
    if (error instanceof LostLease) return { kind: 'busy' };
    const isUnreadable = error instanceof SettlementsUnreadable;
    const why = isUnreadable ? error.message : 'Something went wrong on our side. It is tried again.';
    await recordFailure(context, lease, why);
    if (!isUnreadable) throw error;
    return { kind: 'failed', why };
  } finally {
    await lease.release();
  }
}

/** The account, and the lists of its gateway. */
interface SettlementList {
  readonly account: OpenAccount;
  /** Absent where the gateway announces its settlements: those that were announced are read. */
  readonly listSettlements: Gateway['listSettlements'];
  readonly listSettlementLines: NonNullable<Gateway['listSettlementLines']>;
}

async function openList({ resources }: SettlementContext, { merchantId, accountId }: AccountKey): Promise<SettlementList | null> {
  await resources.configuration.ready();
  const known = resources.configuration.account(accountId);
  if (known === undefined || known.merchant.merchant.id !== merchantId) return null;
  const account = resources.openAccount(known.account);
  if (account === null) return null;
  const { listSettlements, listSettlementLines } = account.gateway;
  if (listSettlementLines === undefined) return null;
  return { account, listSettlements, listSettlementLines };
}

async function readAll(
  context: SettlementContext,
  lease: SourceLease,
  list: SettlementList,
): Promise<{ readonly settlements: number; readonly lines: number }> {
  const { listSettlements } = list;
  if (listSettlements === undefined) return readAnnounced(context, lease, list);
  const source = await lease.read();
  const now = context.now();
  const isNewDay = source.readTo === null || dayOf(source.readTo) < dayOf(now);
  const from = await firstMoment(context, source, now, isNewDay);
  const listed = await readHeads(lease, { ...list, listSettlements }, { from, to: now });
  const read = await readReferences(context, lease.key, listed);
  let lineCount = 0;
  for (const settlement of listed) {
    const isNew = settlement.status === 'paid' && !read.has(settlement.settlementId);
    const lines = isNew ? await readLines(lease, list, settlement) : null;
    await storeSettlement(context, { ...lease.key, road: 'POLLED', settlement, lines });
    lineCount += lines?.length ?? 0;
  }
  await lease.write(context.resources.database.prisma, {
    readFrom: source.readFrom ?? from,
    readTo: now,
    heardAt: now,
    failure: null,
    ...(isNewDay && { matchedAt: null }),
  });
  return { settlements: listed.length, lines: lineCount };
}

/** Reads what is in the settlements that webhooks announced. Each is stored as a whole, or stays pending and is read next time. */
async function readAnnounced(
  context: SettlementContext,
  lease: SourceLease,
  list: SettlementList,
): Promise<{ readonly settlements: number; readonly lines: number }> {
  const { merchantId, accountId } = lease.key;
  const { prisma } = context.resources.database;
  const since = new Date(context.now().getTime() - PENDING_MAX_MS);
  const rows = await prisma.settlement.findMany({
    where: { merchantId, accountId, road: 'WEBHOOK', status: 'PENDING', linesReadAt: null, createdAt: { gte: since } },
    orderBy: { createdAt: 'asc' },
    take: ANNOUNCED_MAX,
  });
  let lineCount = 0;
  for (const row of rows) {
    const announced = announcedOf(row);
    const lines = await readLines(lease, list, announced);
    await storeSettlement(context, { ...lease.key, road: 'WEBHOOK', settlement: paidOf(announced, lines), lines });
    lineCount += lines.length;
  }
  const { readTo } = await lease.read();
  const now = context.now();
  const isNewDay = readTo === null || dayOf(readTo) < dayOf(now);
  await lease.write(prisma, { readTo: now, failure: null, ...(isNewDay && { matchedAt: null }) });
  return { settlements: rows.length, lines: lineCount };
}

function announcedOf({ reference, currency, net, settledOn, createdAt }: Settlement): ListedSettlement {
  const amount = net.toFixed();
  const day = settledOn === null ? null : dayText(settledOn);
  const head = { settlementId: reference, currency, net: amount, settledOn: day, createdAt };
  return { ...head, status: 'paid', gross: amount, fees: '0', deductions: '0' };
}

/** The announcement has the net amount alone: the others are what its lines add up to. */
function paidOf(announced: ListedSettlement, lines: readonly ListedSettlementLine[]): ListedSettlement {
  const sumOf = (kind: ListedSettlementLine['kind']) =>
    addDecimals(...lines.filter((line) => line.kind === kind).map(({ amount }) => amount));
  const [gross, fees] = [sumOf('payment'), subtractDecimals('0', sumOf('fee'))];
  return { ...announced, gross, fees, deductions: subtractDecimals(subtractDecimals(gross, fees), announced.net) };
}

function dayOf(moment: Date): string {
  return calendarDay(moment, SETTLEMENT_ZONE);
}

/** From where to read: what is known less the overlap, and what was pending. Once a day further back, as a paid settlement may fail late. */
async function firstMoment(context: SettlementContext, source: SettlementSource, now: Date, isNewDay: boolean): Promise<Date> {
  if (source.readTo === null) return new Date(now.getTime() - FIRST_MS);
  const { merchantId, accountId } = source;
  const since = new Date(now.getTime() - PENDING_MAX_MS);
  const pending = await context.resources.database.prisma.settlement.findFirst({
    where: { merchantId, accountId, status: 'PENDING', createdAt: { gte: since } },
    orderBy: { createdAt: 'asc' },
    select: { createdAt: true },
  });
  const known = source.readTo.getTime() - (isNewDay ? DAILY_OVERLAP_MS : OVERLAP_MS);
  return new Date(Math.min(known, pending?.createdAt.getTime() ?? known));
}

async function readHeads(
  lease: SourceLease,
  {
    account: { access },
    listSettlements,
  }: SettlementList & { readonly listSettlements: NonNullable<Gateway['listSettlements']> },
  span: { readonly from: Date; readonly to: Date },
): Promise<readonly ListedSettlement[]> {
  const read = (cursor: string | null) => listSettlements(access, { ...span, cursor }, { timeoutMs: PAGE_TIMEOUT_MS });
  return readable(await readAllPages(renewing(lease, read), ({ settlementId }) => settlementId));
}

async function readLines(
  lease: SourceLease,
  { account: { access }, listSettlementLines }: SettlementList,
  settlement: ListedSettlement,
): Promise<readonly ListedSettlementLine[]> {
  const read = (cursor: string | null) => listSettlementLines(access, { settlement, cursor }, { timeoutMs: PAGE_TIMEOUT_MS });
  return readable(await readAllPages(renewing(lease, read), ({ key }) => key));
}

function renewing<T>(lease: SourceLease, read: (cursor: string | null) => Promise<Outcome<ListPage<T>>>): typeof read {
  return async (cursor) => {
    const page = await read(cursor);
    await lease.renew();
    return page;
  };
}

function readable<T>(outcome: Outcome<T>): T {
  if (outcome.outcome === 'yes') return outcome.value;
  throw new SettlementsUnreadable(outcome.failure.message);
}

/** The references of these settlements whose lines are stored. */
async function readReferences(
  context: SettlementContext,
  key: AccountKey,
  listed: readonly ListedSettlement[],
): Promise<ReadonlySet<string>> {
  const references = listed.map(({ settlementId }) => settlementId);
  const rows = await context.resources.database.prisma.settlement.findMany({
    where: { ...key, reference: { in: references }, linesReadAt: { not: null } },
    select: { reference: true },
  });
  return new Set(rows.map(({ reference }) => reference));
}

async function recordFailure(context: SettlementContext, lease: SourceLease, why: string): Promise<void> {
  const now = context.now();
  const data = { failure: why, nextPollAt: new Date(now.getTime() + RETRY_MS) };
  await context.resources.database.prisma.settlementSource.updateMany({ where: lease.key, data });
}
