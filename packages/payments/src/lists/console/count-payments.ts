import type { ListCount } from '@switchyard/db/lists';
import type { DisplayStatus } from '@switchyard/reporting/display-status';
import { readVolume, type VolumeQuery } from '@switchyard/reporting/figures';
import type { RuntimeContext } from '@switchyard/runtime';
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
