import { type Database, firstIdAt } from '@switchyard/db';
import { type Mode, Prisma } from '@switchyard/db/client';
import type { ListCount } from '@switchyard/db/lists';
import { type DisplayStatus, hasDisplayStatus } from '@switchyard/reporting/display-status';
import { readVolume, type VolumeQuery } from '@switchyard/reporting/figures';
import type { RuntimeContext } from '@switchyard/runtime';
import { startOfDay } from '@switchyard/runtime/calendar-days';
import type { PaymentsContext } from '../../record/context.ts';
import { namedPayment } from '../../record/plan.ts';
import { paymentList } from '../payment-filter.ts';
import type { PaymentFilter } from '../payment-noun.ts';
import { countListedPayments, type StatusCounts } from './list-payments.ts';
import { countPaymentsShownAs } from './payment-queries.ts';

const TIMEOUT_MS = 1_000;
const DAY_MS = 86_400_000;
/** Before any payment. */
const EVER = new Date(0);

/** The numbers of payments that a filter has in each status as people read it. */
export interface PaymentCounts {
  /** The count of all statuses together, whatever statuses the filter names. */
  readonly all: ListCount;
  readonly byStatus: Readonly<Record<DisplayStatus, ListCount>>;
}

/**
 * The numbers of payments that a filter has in each status, whatever statuses it names. Exact to 10,000, and beyond where the roll-ups
 * have everything that the filter asks for. Null where counting took too long to wait for.
 */
export async function countPayments(
  context: RuntimeContext<'database' | 'reports'>,
  filter: PaymentFilter,
): Promise<PaymentCounts | null> {
  if (filter.merchantIds.length === 0) return splitCounts({ all: NONE, byStatus: NO_PAYMENTS }, NONE, NONE, NONE);
  const any = { ...filter, statuses: [], displayStatuses: [] };
  const { database } = context.resources;
  const [counts, partlyRefunded, reversed, expired] = await Promise.all([
    countByStatus(context, any),
    countPaymentsShownAs(database, any, 'PARTLY_REFUNDED', context.now()),
    countPaymentsShownAs(database, any, 'REVERSED', context.now()),
    countPaymentsShownAs(database, any, 'EXPIRED', context.now()),
  ]);
  if (counts === null || partlyRefunded === null || reversed === null || expired === null) return null;
  return splitCounts(counts, partlyRefunded, reversed, expired);
}

const NONE: ListCount = { count: 0, more: false };
const NO_PAYMENTS: StatusCounts['byStatus'] = { INITIATED: NONE, PENDING: NONE, SUCCESS: NONE, FAILED: NONE, REFUNDED: NONE };

function splitCounts(
  { all, byStatus }: StatusCounts,
  partlyRefunded: ListCount,
  reversed: ListCount,
  expired: ListCount,
): PaymentCounts {
  return {
    all,
    byStatus: {
      ...byStatus,
      SUCCESS: without(byStatus.SUCCESS, partlyRefunded, reversed),
      PARTLY_REFUNDED: partlyRefunded,
      REVERSED: reversed,
      EXPIRED: expired,
      FAILED: without(byStatus.FAILED, expired),
    },
  };
}

/** Number of payments without some of them. */
function without(total: ListCount, ...parts: readonly ListCount[]): ListCount {
  const count = parts.reduce((left, part) => left - part.count, total.count);
  return { count: Math.max(0, count), more: total.more || parts.some(({ more }) => more) };
}

/** The same by the statuses of the REST API. */
async function countByStatus(
  context: RuntimeContext<'database' | 'reports'>,
  filter: PaymentFilter,
): Promise<StatusCounts | null> {
  const counts = await countListedPayments(context, filter);
  if (counts === null || !counts.all.more || !isInRollups(filter)) return counts;
  const byStatus = await countInRollups(context, filter).catch(() => null);
  if (byStatus === null) return counts;
  const all = [...byStatus.values()].reduce((sum, count) => sum + count, counts.byStatus.INITIATED.count);
  const exactly = (count: number): ListCount => ({ count, more: false });
  return {
    all: { count: all, more: counts.byStatus.INITIATED.more },
    byStatus: {
      // Roll-ups begin when a payment leaves it.
      INITIATED: counts.byStatus.INITIATED,
      PENDING: exactly(byStatus.get('PENDING') ?? 0),
      SUCCESS: exactly(byStatus.get('SUCCESS') ?? 0),
      FAILED: exactly(byStatus.get('FAILED') ?? 0),
      REFUNDED: exactly(byStatus.get('REFUNDED') ?? 0),
    },
  };
}

/** True if roll-ups are kept by all that a filter names. */
function isInRollups(filter: PaymentFilter): boolean {
  const {
    fellBackFrom,
    affectedByIncident,
    incidentOutcomes,
    gateways,
    amountFrom,
    amountTo,
    late,
    underReview,
    reversed,
    disputed,
    failureReasons,
    customer,
    search,
    from,
    to,
  } = filter;
  // The roll-ups have the gateway that was paid or opened the checkout, not the one that was recommended.
  const lists = [gateways, failureReasons, fellBackFrom, affectedByIncident, incidentOutcomes];
  if (lists.some((list = []) => list.length > 0)) return false;
  const values = [amountFrom, amountTo, late, underReview, reversed, disputed, customer, search, from, to];
  return values.every((value = null) => value === null);
}

/** Payments by status from the roll-ups, those that are only INITIATED not among them. Rejects after a second. */
async function countInRollups(
  { now, resources }: RuntimeContext<'reports'>,
  {
    merchantIds,
    mode,
    createdFrom,
    createdTo,
    currency = null,
    openedAt = null,
    accountIds = [],
    methods = [],
    ruleIds = [],
  }: PaymentFilter,
): Promise<ReadonlyMap<string, number>> {
  const query: VolumeQuery = {
    merchantIds,
    mode,
    currency,
    from: createdFrom ?? EVER,
    to: createdTo ?? new Date(now().getTime() + DAY_MS),
    asOf: null,
    zone: 'UTC',
    groupBy: ['status'],
    gateways: openedAt === null ? [] : [openedAt],
    accountIds,
    methods,
    statuses: [],
    ruleIds,
  };
  const rows = await resources.reports.read((client) => readVolume(client, query), { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return new Map(rows.map(({ keys, payments: count }) => [keys.status ?? '', count]));
}

/** References that one account's gateway reported and no attempt has: payments that did not come through here. */
interface DirectPayments {
  readonly merchantId: string;
  readonly accountId: string;
  readonly references: number;
  readonly lastAt: Date;
}

// Attempts are committed before their gateway is called: a genuine webhook of one of ours always finds its attempt. Ids follow the time at
// which webhooks were received.
const COUNT = `
SELECT webhook.merchant_id AS "merchantId", webhook.account_id AS "accountId", count(DISTINCT webhook.reference)::int AS "references",
  max(webhook.received_at) AS "lastAt"
FROM gateway_webhook AS webhook JOIN gateway_account AS account
  ON account.merchant_id = webhook.merchant_id AND account.id = webhook.account_id AND account.mode = $2::mode
WHERE webhook.merchant_id = ANY ($1::uuid[]) AND webhook.received_at >= $3 AND webhook.id >= $4 AND webhook.reference IS NOT NULL
  AND NOT EXISTS (SELECT FROM attempt WHERE attempt.merchant_id = webhook.merchant_id
    AND attempt.payment_id = ${namedPayment('webhook.reference')} AND attempt.account_id = webhook.account_id
    AND attempt.reference = webhook.reference)
GROUP BY webhook.merchant_id, webhook.account_id`;

/** Payments that reached merchants' gateway accounts without us since a time, as their webhooks say; accounts without any are left out. */
export async function countDirectPayments(
  { resources }: RuntimeContext<'database'>,
  { merchantIds, mode, since }: { readonly merchantIds: readonly string[]; readonly mode: Mode; readonly since: Date },
): Promise<DirectPayments[]> {
  const values = [merchantIds, mode, since, firstIdAt(since.getTime())];
  const { rows } = await resources.database.pool.query<DirectPayments>({ name: 'count-direct-payments', text: COUNT, values });
  return rows;
}

/** The payments of one currency that were created in one hour. */
interface HourSum {
  /** Hours since midnight. */
  readonly hour: number;
  readonly currency: string;
  readonly payments: number;
  /** Paid, whether or not they were refunded later. */
  readonly paid: number;
  readonly failed: number;
  /** Not paid in time: no gateway failed. */
  readonly expired: number;
  /** Received by payments that were paid, in whole main units. */
  readonly received: bigint;
}

/** Today so far by hour, and the whole day a week ago. */
interface HourComparison {
  readonly asOf: Date;
  /** Midnight in the requested zone. */
  readonly dayStart: Date;
  /** Hours with payments alone, the earliest first. */
  readonly today: readonly HourSum[];
  readonly weekAgo: readonly HourSum[];
}

const WEEK_MS = 7 * DAY_MS;

/** Payments by hour of today and of the same day a week ago, by the calendar of `zone` (IANA). */
export async function compareHours(
  context: PaymentsContext,
  query: { readonly merchantIds: readonly string[]; readonly mode: Mode; readonly zone: string },
): Promise<HourComparison> {
  const { database } = context.resources;
  const asOf = context.now();
  const dayStart = startOfDay(asOf, query.zone);
  const weekAgoStart = new Date(dayStart.getTime() - WEEK_MS);
  const [today, weekAgo] = await Promise.all([
    sumByHour(database, query, dayStart, new Date(dayStart.getTime() + DAY_MS)),
    sumByHour(database, query, weekAgoStart, new Date(weekAgoStart.getTime() + DAY_MS)),
  ]);
  return { asOf, dayStart, today, weekAgo };
}

async function sumByHour(
  database: Database,
  { merchantIds, mode }: { readonly merchantIds: readonly string[]; readonly mode: Mode },
  from: Date,
  to: Date,
): Promise<HourSum[]> {
  const filter = { merchantIds, mode, createdFrom: from, createdTo: to };
  const { conditions } = await paymentList(database, filter);
  return database.prisma.$queryRaw<HourSum[]>`
    SELECT floor(extract(epoch FROM p.created_at - ${from}::timestamptz) / 3600)::int AS hour, p.currency::text AS currency,
      count(*)::int AS payments, count(*) FILTER (WHERE p.status IN ('SUCCESS', 'REFUNDED'))::int AS paid,
      count(*) FILTER (WHERE ${hasDisplayStatus('FAILED')})::int AS failed,
      count(*) FILTER (WHERE ${hasDisplayStatus('EXPIRED')})::int AS expired,
      coalesce(sum(p.amount) FILTER (WHERE p.status IN ('SUCCESS', 'REFUNDED')), 0)::int8 AS received
    FROM payment AS p
    WHERE p.merchant_id = ANY (${merchantIds}::uuid[]) AND ${Prisma.join(conditions, ' AND ')}
    GROUP BY 1, 2 ORDER BY 1, 2`;
}
