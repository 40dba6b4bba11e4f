import { enqueueJob } from '@switchyard/db';
import type { SettlementSource } from '@switchyard/db/client';
import { type AnnouncedSettlement, findGateway, type Gateway } from '@switchyard/gateways';
import type { AccountKey, SettlementContext } from '../context.ts';
import { createSource, noteIntake } from '../source-lease.ts';
import { isMatchDue } from './match-account.ts';
import { type StoreOutcome, storeWithin } from './store-settlement.ts';

export { type AuditFeesOutcome, auditFees } from '../fees/audit-fees.ts';
export { type MatchOutcome, matchAccount } from './match-account.ts';
export { type ReadSettlementsOutcome, readSettlements } from './read-settlements.ts';
export { type ReceivedSettlement, type StoreOutcome, storeSettlement } from './store-settlement.ts';

const POLL_MS = 3_600_000;
const SOURCES_MAX = 100_000;

/**
 * True if an account may have settlements to read, listed or announced. One that has heard of none is read too: then it is known that all that
 * was due is not announced.
 */
function isReadDue(road: Gateway['settlementRoad'] | undefined, source: SettlementSource | undefined, now: Date): boolean {
  switch (road) {
    case 'polled':
    case 'webhook':
      return (source?.nextPollAt ?? now) <= now;
    case 'file':
    case undefined:
      return false;
    default:
      return road satisfies never;
  }
}

/**
 * Requests reading or matching of the accounts that are due, a job `read-settlements` each: reading every hour where the gateway lists
 * settlements or announces them, matching when lines came and once a day, and every hour an audit of fees where there is a contract. Returns
 * how many.
 */
export async function scheduleSettlementReading(context: SettlementContext): Promise<number> {
  const { database, configuration } = context.resources;
  await configuration.ready();
  const now = context.now();
  const rows = await database.prisma.settlementSource.findMany({ take: SOURCES_MAX });
  const sources = new Map(rows.map((row) => [row.accountId, row]));
  let requestCount = 0;
  for (const { merchant, accounts, feeContracts } of configuration.merchants()) {
    for (const { id: accountId, gateway, credentials } of accounts) {
      if (credentials === null) continue;
      const source = sources.get(accountId);
      const isPollDue = isReadDue(findGateway(gateway)?.settlementRoad, source, now);
      const isAuditDue = feeContracts.some((contract) => contract.accountId === accountId) && isFeeAuditDue(source, now);
      const isDue = isPollDue || isAuditDue || (source !== undefined && isMatchDue(source, now));
      if (!isDue) continue;
      const key = { merchantId: merchant.id, accountId };
      await createSource(database, key);
      await database.prisma.$transaction(async (transaction) => {
        const nextPollAt = new Date(now.getTime() + POLL_MS);
        if (isPollDue) await transaction.settlementSource.updateMany({ where: key, data: { nextPollAt } });
        await enqueueJob(transaction, 'read-settlements', key, { key: `read-settlements:${accountId}`, keepsJob: true });
      });
      requestCount += 1;
    }
  }
  return requestCount;
}

const AUDIT_MS = 3_600_000;

function isFeeAuditDue(source: SettlementSource | undefined, now: Date): boolean {
  const auditedAt = source?.feesAt ?? null;
  return auditedAt === null || now.getTime() - auditedAt.getTime() >= AUDIT_MS;
}

/**
 * Stores a settlement that a webhook announced, pending until what is in it could be read, and requests the reading. Repeating it writes
 * nothing. Its gross amount is known with its lines.
 */
export async function storeAnnouncedSettlement(
  context: SettlementContext,
  { settlement, ...key }: AccountKey & { readonly settlement: AnnouncedSettlement },
): Promise<StoreOutcome> {
  const { configuration, database } = context.resources;
  await configuration.ready();
  if (configuration.account(key.accountId)?.merchant.merchant.id !== key.merchantId) return { kind: 'not_found' };
  await createSource(database, key);
  return database.prisma.$transaction(async (transaction): Promise<StoreOutcome> => {
    const known = await transaction.settlement.findUnique({
      where: { merchantId_accountId_reference: { ...key, reference: settlement.settlementId } },
      select: { id: true, linesReadAt: true },
    });
    if (known !== null && known.linesReadAt !== null) return { kind: 'unchanged', settlementId: known.id };
    const pending = { ...settlement, status: 'pending' as const, gross: settlement.net, fees: '0', deductions: '0' };
    const outcome = await storeWithin(context, transaction, { ...key, road: 'WEBHOOK', settlement: pending, lines: null });
    // Where another reading is under way, the schedule finds it due.
    await transaction.settlementSource.updateMany({ where: key, data: { nextPollAt: context.now() } });
    await noteIntake(transaction, key, context.now());
    return outcome;
  });
}
