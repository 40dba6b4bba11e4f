import { enqueueJob } from '@switchyard/db';
import type { DisputeSource } from '@switchyard/db/client';
import { findGateway, type Gateway, type ListedDispute, readAllPages } from '@switchyard/gateways';
import { findCardOrigin } from '@switchyard/payments/attempts';
import type { PaymentsContext } from '@switchyard/payments/context';
import { settleReportedDispute } from '@switchyard/payments/reversals';
import type { OpenAccount } from '@switchyard/runtime';
import { readCalendar } from '@switchyard/settlements/calendar';
import { disputeDue } from '../deadlines/dispute-due.ts';
import { type AccountKey, confirmResponse, openGateway } from '../responses/send-response.ts';

const PAGE_TIMEOUT_MS = 20_000;
const DAY_MS = 86_400_000;
/** How far back the first reading goes, and any at most. */
const FIRST_MS = 60 * DAY_MS;
const BACK_MAX_MS = 180 * DAY_MS;
/** Read again each time: a gateway may list a dispute late. */
const OVERLAP_MS = 2 * DAY_MS;
/** Soon: a dispute may be due within hours. */
const RETRY_MS = 60_000;

/** Result of reading an account's disputes. */
export type ReadDisputesOutcome =
  | { readonly kind: 'read'; readonly disputes: number }
  /** The gateway has no list of disputes, or the account no credentials. */
  | { readonly kind: 'unavailable' }
  /** Recorded at the account; what was stored before stays. */
  | { readonly kind: 'failed'; readonly why: string };

/**
 * Reads an account's disputes from its gateway: those opened lately, and as far back as one is open, so that decisions are found whose
 * webhooks were lost. Until all could be read, the next reading begins where this one did. Repeating it writes the same.
 */
export async function readDisputes(context: PaymentsContext, key: AccountKey): Promise<ReadDisputesOutcome> {
  const account = await openGateway(context, key);
  const listDisputes = account?.gateway.listDisputes;
  if (account === null || listDisputes === undefined) return { kind: 'unavailable' };
  const { prisma } = context.resources.database;
  await prisma.disputeSource.createMany({ data: [{ ...key }], skipDuplicates: true });
  const source = await prisma.disputeSource.findUniqueOrThrow({ where: { merchantId_accountId: key } });
  const now = context.now();
  const listed = await listAll(account, listDisputes, { from: await firstMoment(context, source, now), to: now });
  if (listed.outcome !== 'yes') {
    const why = listed.failure.message;
    const nextPollAt = new Date(now.getTime() + RETRY_MS);
    await prisma.disputeSource.updateMany({ where: key, data: { failure: why, nextPollAt } });
    return { kind: 'failed', why };
  }
  for (const reported of listed.value) await applyListed(context, { ...key, gateway: account.gateway.name }, reported);
  await prisma.disputeSource.updateMany({ where: key, data: { readTo: now, failure: null } });
  return { kind: 'read', disputes: listed.value.length };
}

function listAll({ access }: OpenAccount, list: NonNullable<Gateway['listDisputes']>, span: { from: Date; to: Date }) {
  return readAllPages(
    (cursor) => list(access, { ...span, cursor }, { timeoutMs: PAGE_TIMEOUT_MS }),
    ({ gatewayDisputeId }) => gatewayDisputeId,
  );
}

async function applyListed(
  context: PaymentsContext,
  { merchantId, accountId, gateway }: AccountKey & { readonly gateway: string },
  reported: ListedDispute,
): Promise<void> {
  const calendar = await readCalendar(context.resources.database, { merchantId, accountId, gateway });
  const { reference } = reported;
  const cardOrigin = await findCardOrigin(context.resources.database, { merchantId, accountId, reference });
  const due = disputeDue(gateway, reported.createdAt, { ...calendar, cardOrigin });
  const settled = await settleReportedDispute(context, { merchantId, accountId, reported, cause: 'schedule', due });
  await confirmResponse(context, { merchantId, ...settled });
}

/** From where to read: what is known less the overlap, and what is open. */
async function firstMoment(context: PaymentsContext, { merchantId, accountId, readTo }: DisputeSource, now: Date): Promise<Date> {
  if (readTo === null) return new Date(now.getTime() - FIRST_MS);
  const open = await context.resources.database.prisma.dispute.findFirst({
    where: { merchantId, accountId, manual: false, state: { in: ['NEEDS_RESPONSE', 'UNDER_REVIEW'] } },
    orderBy: { openedAt: 'asc' },
    select: { openedAt: true },
  });
  const known = readTo.getTime() - OVERLAP_MS;
  // A list goes by when a dispute was created there, which may be a moment before.
  const opened = open === null ? known : open.openedAt.getTime() - DAY_MS;
  return new Date(Math.max(now.getTime() - BACK_MAX_MS, Math.min(known, opened)));
}

/** Often: Paystack gives sixteen hours to answer, and a webhook may be lost. */
const POLL_MS = 15 * 60_000;
const SOURCES_MAX = 100_000;

/** Requests reading of the accounts that are due and whose gateway lists disputes, a job `read-disputes` each. Returns how many. */
export async function scheduleDisputeReading(context: PaymentsContext): Promise<number> {
  const { database, configuration } = context.resources;
  await configuration.ready();
  const now = context.now();
  const rows = await database.prisma.disputeSource.findMany({ take: SOURCES_MAX });
  const nextPollAt = new Map(rows.map((row) => [row.accountId, row.nextPollAt]));
  let requestCount = 0;
  for (const { merchant, accounts } of configuration.merchants()) {
    for (const { id: accountId, gateway, credentials } of accounts) {
      if (credentials === null || findGateway(gateway)?.listDisputes === undefined) continue;
      if ((nextPollAt.get(accountId) ?? now) > now) continue;
      const key = { merchantId: merchant.id, accountId };
      await database.prisma.$transaction(async (transaction) => {
        await transaction.disputeSource.createMany({ data: [key], skipDuplicates: true });
        const next = new Date(now.getTime() + POLL_MS);
        await transaction.disputeSource.updateMany({ where: key, data: { nextPollAt: next } });
        await enqueueJob(transaction, 'read-disputes', key, { key: `read-disputes:${accountId}`, keepsJob: true });
      });
      requestCount += 1;
    }
  }
  return requestCount;
}
