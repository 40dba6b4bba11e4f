import type { Database } from '@switchyard/db';
import type { Mode, RuleCanary } from '@switchyard/db/client';
import { readHealthStates, toOutages, toSpans } from '@switchyard/provider-health/console';
import {
  type ArmCount,
  type Difference,
  differenceOf,
  FALSE_PROMOTION_MAX,
  FALSE_ROLLBACK_MAX,
  unitsOf,
} from '@switchyard/routing/canary';
import { readHealthReason } from '@switchyard/routing/stored-inputs';
import { inSnapshot } from '@switchyard/runtime/in-snapshot';
import type { RuleSetsContext } from '../context.ts';
import { readRoutableAccounts } from '../document/named-accounts.ts';
import { listOverridesWithin } from '../overrides/queries.ts';
import {
  findCanaryById,
  GRACE_MINUTES,
  listCanariesEndedSince,
  listCanaryRows,
  readCanaryPoints,
  readCanaryState,
} from '../rows/canaries.ts';

export interface CanaryInList {
  readonly canaryId: string;
  readonly merchantId: string;
  readonly mode: Mode;
  /** The version that is tried, and the one it is compared with; 0 where that is the order of the accounts. */
  readonly version: number;
  readonly liveVersion: number;
  /** Share of customers that it routes. */
  readonly percent: number;
  /** In hundredths of a percentage point. */
  readonly toleratedLoss: number;
  readonly horizonMinutes: number;
  /** Minutes after the payment was initiated. */
  readonly countsAfterMinutes: number;
  readonly reason: string | null;
  readonly startedBy: string;
  readonly startedAt: Date;
  readonly endsAt: Date;
  /** Null while it runs. */
  readonly endedAt: Date | null;
  readonly endedBy: string | null;
  readonly ended: RuleCanary['ended'];
  /** Why it could not be published, where it was to be promoted. */
  readonly refusal: string | null;
  /** Customers whose horizon has passed, by arm. */
  readonly draft: ArmCount;
  readonly live: ArmCount;
  /** Success rate under the tried version minus that under the other; null without customers. */
  readonly difference: Difference | null;
  /** The evidence for either verdict: 1 is enough, and it may be below 0. */
  readonly promote: number;
  readonly rollBack: number;
}

/** The evidence after so many customers. */
export interface CanaryLinePoint {
  readonly customers: number;
  /** When the last of them paid or did not. */
  readonly at: Date;
  readonly promote: number;
  readonly rollBack: number;
}

/** Something that happened to accounts while a canary ran. It does not stop it: both arms met it. */
export interface CanaryMark {
  readonly kind: 'outage' | 'drain' | 'disable' | 'force';
  readonly accountLabel: string;
  /** Null for all methods. */
  readonly method: string | null;
  readonly from: Date;
  /** Null while it lasts. */
  readonly to: Date | null;
}

/** A canary with its line. */
export interface DescribedCanary extends CanaryInList {
  readonly line: readonly CanaryLinePoint[];
  /** In order of time. */
  readonly marks: readonly CanaryMark[];
}

const LISTED_MAX = 50;
const POINTS_MAX = 240;
const CHANGES_MAX = 2_000;
const MARKS_MAX = 100;

/** A merchant's canaries of one mode, the last started first; at most 50. */
export async function listCanaries(
  { resources: { database } }: RuleSetsContext,
  query: { readonly merchantId: string; readonly mode: Mode },
): Promise<CanaryInList[]> {
  return (await listCanaryRows(database.prisma, query, LISTED_MAX)).map(toList);
}

const ENDINGS_MAX = 1_000;

/** Canaries of these merchants, of all for null, that ended by themselves since a time, the last first; at most 1,000. */
export async function listCanaryEndings(
  database: Database,
  query: { readonly merchantIds: readonly string[] | null; readonly since: Date },
): Promise<CanaryInList[]> {
  return (await listCanariesEndedSince(database.prisma, { ...query, limit: ENDINGS_MAX })).map(toList);
}

/** A canary with its line and what happened meanwhile; null when the merchant has none of that id. */
export function describeCanary(
  context: RuleSetsContext,
  key: { readonly merchantId: string; readonly canaryId: string },
): Promise<DescribedCanary | null> {
  return inSnapshot(context, async (snapshot) => {
    const { database } = snapshot.resources;
    const row = await findCanaryById(database.prisma, key.merchantId, key.canaryId);
    if (row === null) return null;
    const listed = toList(row);
    const points = await readCanaryPoints(database, row, listed.draft.customers + listed.live.customers, POINTS_MAX);
    const line = points.map(({ position, createdAt, ...logs }) => ({ customers: position, at: createdAt, ...evidence(logs) }));
    return { ...listed, line, marks: await readMarks(snapshot, row) };
  });
}

function toList(row: RuleCanary): CanaryInList {
  const { id: canaryId, merchantId, mode, version, liveVersion, percent, toleratedLoss, horizonMinutes } = row;
  const { reason, startedBy, startedAt, endsAt, endedAt, endedBy, ended, refusal } = row;
  const sums = readCanaryState(row.sums);
  return {
    canaryId,
    merchantId,
    mode,
    version,
    liveVersion,
    percent,
    toleratedLoss,
    horizonMinutes,
    countsAfterMinutes: horizonMinutes + GRACE_MINUTES,
    reason,
    startedBy,
    startedAt,
    endsAt,
    endedAt,
    endedBy,
    ended,
    refusal,
    draft: sums.draft,
    live: sums.live,
    difference: unitsOf(sums) === 0 ? null : differenceOf(sums),
    ...evidence(sums),
  };
}

/** Capitals as parts of what a verdict takes, on a scale on which equal evidence is an equal step. */
function evidence({ promote, rollBack }: { readonly promote: number; readonly rollBack: number }) {
  return { promote: promote / Math.log(1 / FALSE_PROMOTION_MAX), rollBack: rollBack / Math.log(1 / FALSE_ROLLBACK_MAX) };
}

async function readMarks(
  { resources: { database } }: Pick<RuleSetsContext, 'resources'>,
  { merchantId, mode, startedAt, endedAt, scannedTo }: RuleCanary,
): Promise<CanaryMark[]> {
  const accounts = await readRoutableAccounts(database.prisma, { merchantId, mode });
  const labels = new Map(accounts.map(({ accountId, label }) => [accountId, label]));
  const accountIds = [...labels.keys()];
  const gateways = [...new Set(accounts.map(({ gateway }) => gateway))];
  const period = { from: startedAt, to: endedAt ?? scannedTo };
  const [overrides, changes] = await Promise.all([
    listOverridesWithin(database, { merchantIds: [merchantId], accountIds, gateways, mode }, period),
    readHealthStates(database, { merchantIds: [merchantId], accountIds }, period, CHANGES_MAX),
  ]);
  const set = overrides.map(({ accountId, gateway, action, method, startsAt, createdAt, ...override }) => ({
    kind: action,
    accountLabel: (accountId === null ? gateway : labels.get(accountId)) ?? '',
    method,
    from: startsAt ?? createdAt,
    to: override.endedAt ?? override.expiresAt,
  }));
  const down = [...Map.groupBy(changes, ({ accountId, method }) => `${accountId}|${method ?? ''}`).values()].flatMap((own) => {
    const spans = toSpans(
      own.map(({ state, why, at }) => ({ state: asState(state), why: readHealthReason(why), at })),
      startedAt,
    );
    return toOutages(spans).flatMap(({ worst, from, to }) =>
      worst === 'down'
        ? [
            {
              kind: 'outage' as const,
              accountLabel: labels.get(own[0]?.accountId ?? '') ?? '',
              method: own[0]?.method ?? null,
              from,
              to,
            },
          ]
        : [],
    );
  });
  return [...set, ...down].toSorted((left, right) => left.from.getTime() - right.from.getTime()).slice(0, MARKS_MAX);
}

function asState(text: string) {
  return (['healthy', 'degraded', 'down', 'probing'] as const).find((state) => state === text) ?? 'healthy';
}

/** The mode of a canary; null when the merchant has no such canary. */
export async function canaryMode(
  { resources }: RuleSetsContext,
  { merchantId, canaryId }: { readonly merchantId: string; readonly canaryId: string },
): Promise<Mode | null> {
  const canary = await findCanaryById(resources.database.prisma, merchantId, canaryId);
  return canary?.mode ?? null;
}
