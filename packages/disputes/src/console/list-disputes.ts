import { type DisputeDueSource, type DisputeState, type Mode, Prisma } from '@switchyard/db/client';
import { type DisputeSupport, findGateway, gatewayTitle, type TransferPayer } from '@switchyard/gateways';
import { isListed } from '@switchyard/nouns';
import { readPayers } from '@switchyard/payments/attempts';
import type { PaymentsContext } from '@switchyard/payments/context';
import { inSnapshot } from '@switchyard/runtime/in-snapshot';
import { z } from 'zod';
import { type DisputeFilter, disputeNoun } from '../lists.ts';

const PAGE_MAX = 200;
const HISTORY_MAX = 500;
const STATUSES_MAX = 20;

/** A dispute. Amounts are exact decimals of the main unit. */
export interface DisputeItem {
  readonly disputeId: string;
  readonly merchantId: string;
  readonly merchantName: string;
  readonly mode: Mode;
  /** Null of a payment that is not in the ledger: another software took it at the account. */
  readonly paymentId: string | null;
  readonly accountId: string;
  readonly accountLabel: string;
  readonly gateway: string;
  readonly gatewayTitle: string;
  readonly gatewayDisputeId: string;
  /** The disputed payment's reference and transaction at the gateway. */
  readonly reference: string | null;
  readonly transactionId: string | null;
  readonly state: DisputeState;
  readonly category: string | null;
  readonly stage: string | null;
  readonly amount: string;
  /** The amount that it took back of its payment: no more than was left, 0 while it is not lost. */
  readonly takenBack: string;
  readonly fee: string | null;
  readonly currency: string;
  readonly dueAt: Date | null;
  readonly dueSource: DisputeDueSource | null;
  readonly manual: boolean;
  /** A sentence about the gateway's status, where its documentation does not list it; null where it does. */
  readonly unrecognised: string | null;
  readonly openedAt: Date;
  readonly closedAt: Date | null;
}

/** The last dispute of the previous page. */
export interface DisputeKey {
  readonly dueAt: Date | null;
  readonly disputeId: string;
}

const DUE = Prisma.raw(`coalesce(p.due_at, 'infinity'::timestamptz)`);

/** A page of disputes, those that are due first; those without a due date last. `next` is null on the last page. */
export function listDisputes(context: PaymentsContext, query: DisputeQuery): Promise<DisputePage> {
  return inSnapshot(context, (snapshot) => readPage(snapshot, query));
}

type DisputeQuery = DisputeFilter & { readonly after: DisputeKey | null; readonly limit: number };

interface DisputePage {
  readonly items: readonly DisputeItem[];
  readonly next: DisputeKey | null;
}

async function readPage(context: PaymentsContext, query: DisputeQuery): Promise<DisputePage> {
  const { after } = query;
  const limit = Math.min(Math.max(1, query.limit), PAGE_MAX);
  const isAfter =
    after === null
      ? []
      : [Prisma.sql`(${DUE}, p.id) > (coalesce(${after.dueAt}::timestamptz, 'infinity'), ${after.disputeId}::uuid)`];
  const ids = await context.resources.database.prisma.$queryRaw<{ id: string }[]>`
    SELECT p.id FROM dispute AS p WHERE ${Prisma.join([isListed(disputeNoun, query), ...isAfter], ' AND ')}
    ORDER BY ${DUE}, p.id LIMIT ${limit + 1}`;
  const items = await readItems(
    context,
    query.merchantIds,
    ids.slice(0, limit).map(({ id }) => id),
  );
  const last = items.at(-1);
  if (ids.length <= limit || last === undefined) return { items, next: null };
  return { items, next: { dueAt: last.dueAt, disputeId: last.disputeId } };
}

/** Disputes of one state and currency together. */
export interface DisputeCount {
  readonly state: DisputeState;
  readonly currency: string;
  readonly count: number;
  readonly amount: string;
}

/** The disputes of a filter, without its states, counted and added up by state and currency. */
export function countDisputes(
  { resources }: Pick<PaymentsContext, 'resources'>,
  filter: Omit<DisputeFilter, 'states'>,
): Promise<DisputeCount[]> {
  return resources.database.prisma.$queryRaw<DisputeCount[]>`
    SELECT p.state::text AS state, p.currency::text AS currency, count(*)::int AS count, trim_scale(sum(p.amount))::text AS amount
    FROM dispute AS p WHERE ${isListed(disputeNoun, { ...filter, states: [] })} GROUP BY p.state, p.currency
    ORDER BY p.state, p.currency`;
}

/** Everything about a dispute. */
export type DisputeDetail = NonNullable<Awaited<ReturnType<typeof findDispute>>>;

/** A dispute with its payment, history, evidence and answers; null when none of these merchants has it. */
export function findDispute(context: PaymentsContext, key: DisputeOf) {
  return inSnapshot(context, (snapshot) => readDispute(snapshot, key));
}

interface DisputeOf {
  readonly merchantIds: readonly string[];
  readonly disputeId: string;
}

async function readDispute(context: PaymentsContext, { merchantIds, disputeId }: DisputeOf) {
  const [item] = await readItems(context, merchantIds, [disputeId]);
  if (item === undefined) return null;
  const { merchantId, paymentId } = item;
  const { prisma } = context.resources.database;
  const where = { merchantId, disputeId };
  const [payment, payer, history, evidence, responses, statuses] = await Promise.all([
    paymentId === null ? null : readPayment(prisma, { merchantId, paymentId }),
    readPayer(context, { merchantId, disputeId }),
    prisma.disputeEvent.findMany({ where, orderBy: { id: 'asc' }, take: HISTORY_MAX }),
    prisma.disputeEvidence.findMany({
      where,
      orderBy: { id: 'asc' },
      select: { id: true, fileName: true, mediaType: true, sizeBytes: true, uploadedBy: true, createdAt: true },
    }),
    prisma.disputeResponse.findMany({ where, orderBy: { id: 'asc' } }),
    paymentId === null
      ? []
      : prisma.timelineEvent.findMany({
          where: { merchantId, paymentId, type: 'dispute.unrecognised_status' },
          orderBy: { id: 'desc' },
          take: STATUSES_MAX,
          select: { detail: true },
        }),
  ]);
  const support: DisputeSupport | null = findGateway(item.gateway)?.disputes ?? null;
  return {
    ...item,
    support,
    /** The body of the gateway's last unrecognised status, redacted; null without one, and once it was erased. */
    unrecognisedRecord: answerAbout(disputeId, statuses),
    /** Null of a payment that is not in the ledger. */
    payment,
    /** The payer of a transfer, as the gateway names them; null where it does not. */
    payer,
    history: history.map(({ id, type, actor, state, detail, createdAt }) => ({ id, type, actor, state, detail, createdAt })),
    evidence: evidence.map(({ id, ...file }) => ({ evidenceId: id, ...file })),
    responses: responses.map(({ id, amount, ...response }) => ({
      responseId: id,
      ...response,
      amount: amount?.toFixed() ?? null,
    })),
  };
}

async function readPayer(
  { resources: { database, vault } }: PaymentsContext,
  { merchantId, disputeId }: { readonly merchantId: string; readonly disputeId: string },
): Promise<TransferPayer | null> {
  const { attemptId } = await database.prisma.dispute.findUniqueOrThrow({
    where: { merchantId_id: { merchantId, id: disputeId } },
    select: { attemptId: true },
  });
  if (attemptId === null) return null;
  return (await readPayers(database, vault, merchantId, [attemptId])).get(attemptId) ?? null;
}

async function readPayment(
  prisma: PaymentsContext['resources']['database']['prisma'],
  { merchantId, paymentId }: { readonly merchantId: string; readonly paymentId: string },
) {
  const { amount, reversedAmount, ...payment } = await prisma.payment.findUniqueOrThrow({
    where: { merchantId_id: { merchantId, id: paymentId } },
    select: { merchantOrderId: true, amount: true, status: true, paidAt: true, customerEmail: true, reversedAmount: true },
  });
  return { ...payment, amount: amount.toString(), reversedAmount: reversedAmount.toFixed() };
}

const statusSchema = z.object({ disputeId: z.string(), answer: z.string().nullable() });

/** The answer of the first of these events that is about the dispute. */
function answerAbout(disputeId: string, events: readonly { readonly detail: unknown }[]): string | null {
  const about = events.map(({ detail }) => statusSchema.safeParse(detail).data).find((one) => one?.disputeId === disputeId);
  return about?.answer ?? null;
}

async function readItems(
  { resources }: PaymentsContext,
  merchantIds: readonly string[],
  ids: readonly string[],
): Promise<DisputeItem[]> {
  if (ids.length === 0) return [];
  await resources.configuration.ready();
  const where = { merchantId: { in: [...merchantIds] }, id: { in: [...ids] } };
  const rows = await resources.database.prisma.dispute.findMany({ where });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id): DisputeItem[] => {
    const row = byId.get(id);
    if (row === undefined) return [];
    const known = resources.configuration.account(row.accountId);
    const { attemptId: _, createdAt: _created, updatedAt: _updated, id: disputeId, amount, takenBack, fee, ...rest } = row;
    return [
      {
        disputeId,
        ...rest,
        amount: amount.toFixed(),
        takenBack: takenBack.toFixed(),
        fee: fee?.toFixed() ?? null,
        accountLabel: known?.account.label ?? row.accountId,
        merchantName: known?.merchant.merchant.name ?? '',
        gatewayTitle: gatewayTitle(row.gateway),
      },
    ];
  });
}
