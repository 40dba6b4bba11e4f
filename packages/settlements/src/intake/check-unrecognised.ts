import type { Settlement } from '@switchyard/db/client';
import { calendarDay, dayText } from '@switchyard/runtime/calendar-days';
import { SETTLEMENT_ZONE } from '../calendar.ts';
import type { AccountMatch } from './account-match.ts';
import type { FoundDiscrepancy } from './found.ts';
import { type WrittenCounts, writeDiscrepancies } from './write-discrepancies.ts';

/** How long a payout may have a status that is not recognised before people have to look, as of payments. */
const OPEN_MAX_MS = 7 * 24 * 3_600_000;
const PAYOUTS_MAX = 500;
const SUBJECT = 'status/';
const TRANSACTION_LIMITS = { timeout: 30_000, maxWait: 10_000 };

/** Writes a discrepancy for each payout whose status the gateway's documentation does not list, and resolves those of others. */
export async function checkUnrecognised({
  context,
  lease,
  account,
  rules,
  now,
  lastIntakeAt,
}: AccountMatch): Promise<WrittenCounts> {
  const { merchantId, accountId } = account;
  const { prisma } = context.resources.database;
  const before = new Date(now.getTime() - OPEN_MAX_MS);
  const payouts = await prisma.settlement.findMany({
    where: { merchantId, accountId, status: 'PENDING', unrecognised: { not: null }, createdAt: { lte: before } },
    orderBy: { createdAt: 'asc' },
    take: PAYOUTS_MAX,
  });
  const open = await prisma.settlementDiscrepancy.findMany({
    where: { merchantId, accountId, subject: { startsWith: SUBJECT }, state: 'OPEN' },
    select: { subject: true },
    take: PAYOUTS_MAX,
  });
  const found = payouts.map(payoutDiscrepancy);
  const subjects = [...new Set([...open, ...found].map(({ subject }) => subject))];
  if (subjects.length === 0) return { found: 0, resolved: 0 };
  await lease.renew();
  return prisma.$transaction(async (transaction) => {
    await lease.confirmQuiet(transaction, lastIntakeAt);
    return writeDiscrepancies(context, transaction, account, { subjects, found, rules });
  }, TRANSACTION_LIMITS);
}

/** A payout that may have been paid, or not: its whole amount is in question. */
function payoutDiscrepancy({ id, currency, net, settledOn, createdAt }: Settlement): FoundDiscrepancy {
  return {
    subject: `${SUBJECT}${id}`,
    kind: 'MISSING',
    currency,
    expected: net.toFixed(),
    settled: null,
    expectedOn: settledOn === null ? calendarDay(createdAt, SETTLEMENT_ZONE) : dayText(settledOn),
    settlementId: id,
    lineId: null,
    lineKind: null,
    paymentId: null,
    refundId: null,
    disputeId: null,
  };
}
