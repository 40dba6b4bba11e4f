import type { AccountHealth } from '@switchyard/routing';
import { accountHealthOf, assessHealth, type HealthMemory } from '../assess/assess-health.ts';
import type { FaultInRow } from '../assess/evidence.ts';
import { sumSince, WINDOW_MS } from '../assess/outcome-counts.ts';
import { learnUsualLatency, type UsualLatency } from '../assess/usual-latency.ts';
import { DEFAULT_HEALTH_THRESHOLDS } from '../thresholds/thresholds.ts';
import { type GatewayExperience, type KnownAccount, NO_EXPERIENCE, surveyGateways } from './gateway-experience.ts';
import {
  ANY_METHOD,
  createSeriesStore,
  type HealthDetail,
  type HealthSeries,
  methodOf,
  type SeriesStore,
  toStored,
} from './health-series.ts';
import type { HealthChange } from './queries.ts';

export interface HealthRegistryOptions {
  account(accountId: string): KnownAccount | undefined;
  accountsOf(merchantId: string): readonly KnownAccount[];
  /** This process's latest openings, when all of them failed. */
  run(accountId: string, method: string): readonly FaultInRow[];
  newId(): string;
}

/** Something learned of an account that all processes are to know. */
export interface HealthMove {
  readonly change: HealthChange;
  /** The version it was judged on. */
  readonly version: number;
}

/**
 * The health of all accounts by what all processes together saw, in memory: counts and stored states go in, states to be stored and
 * what decisions are taken from come out. Asks nobody and knows no clock.
 */
export interface HealthRegistry extends Pick<SeriesStore, 'takeCounts' | 'addCounts' | 'takeStored' | 'takeEnds'> {
  /** Judges every account; gives what is to be stored. Until `settle` says that it was stored, it is judged anew. */
  judge(at: number): readonly HealthMove[];
  settle(move: HealthMove): void;
  /** Judges one account by what this process saw in the meantime, without waiting for the others. */
  judgeAgain(accountId: string, method: string | null, at: number): void;
  /** Health of a merchant's accounts as of the last judgement. */
  details(merchantId: string): readonly HealthDetail[];
  /** How long an opening usually takes at the account, or at its gateway where the account has not opened enough; null for unknown. */
  usualMs(accountId: string, method: string | null): number | null;
}

export function createHealthRegistry(options: HealthRegistryOptions): HealthRegistry {
  const store = createSeriesStore();
  const drawn = new Map<string, readonly HealthDetail[]>();
  let gateways: GatewayExperience = NO_EXPERIENCE;
  let judgedAt = 0;

  function draw(merchantId: string): readonly HealthDetail[] {
    const own = store.ofMerchant(merchantId);
    const inherited = options.accountsOf(merchantId).flatMap((account) => gateways.inherited(account, own));
    const isInherited = ({ accountId, method }: AccountHealth) =>
      inherited.some(({ health }) => health.accountId === accountId && health.method === method);
    const seen = own.flatMap((series) => toDetail(series, options.account(series.accountId), judgedAt));
    return [...seen.filter(({ health }) => !isInherited(health)), ...inherited];
  }

  return {
    takeCounts: store.takeCounts,
    addCounts: store.addCounts,
    takeStored: store.takeStored,
    takeEnds: store.takeEnds,
    judge(at) {
      const moves = store.all().flatMap((series) => judge(series, options, at));
      gateways = surveyGateways(store.all(), options.account, at);
      judgedAt = at;
      drawn.clear();
      return moves;
    },
    settle({ change, version }) {
      store.takeStored([{ ...change, version: version + 1 }]);
    },
    judgeAgain(accountId, method, at) {
      for (const word of method === null ? [ANY_METHOD] : [ANY_METHOD, method]) {
        const series = store.find(accountId, word);
        if (series === undefined) continue;
        assess(series, options, at);
        drawn.delete(series.merchantId);
      }
    },
    details(merchantId) {
      const known = drawn.get(merchantId) ?? draw(merchantId);
      drawn.set(merchantId, known);
      return known;
    },
    usualMs(accountId, method) {
      const own = method === null ? undefined : store.find(accountId, method)?.usual;
      const usual = own ?? store.find(accountId, ANY_METHOD)?.usual;
      return usual?.ms ?? gateways.usualMs(options.account(accountId));
    },
  };
}

function assess(series: HealthSeries, { account, run }: HealthRegistryOptions, at: number): void {
  const { accountId, method, memory, buckets, usual } = series;
  const known = account(accountId);
  series.assessment = assessHealth({
    subject: { gateway: known?.title ?? '', method: methodOf(method) },
    buckets,
    run: run(accountId, method),
    previous: memory,
    usualMs: usual?.ms ?? null,
    now: at,
    ...(known && { thresholds: known.thresholds }),
  });
}

/** Judges a series and keeps what need not be stored; gives what must. */
function judge(series: HealthSeries, options: HealthRegistryOptions, at: number): HealthMove[] {
  assess(series, options, at);
  const { assessment, memory, version, merchantId, accountId, method } = series;
  if (assessment === null) return [];
  const usual = learn(series, options.account(accountId), at);
  // Sentences change with every count; only what the next judgement builds on is worth storing.
  const isNew = memory === null ? assessment.state !== 'healthy' : !isSame(memory, assessment);
  if (!isNew && usual === series.usual) {
    series.memory = assessment;
    return [];
  }
  const { movedFrom, succeeded, faulted, demotion } = assessment;
  const detail = { succeeded, faulted, cause: demotion?.cause ?? null };
  const event = movedFrom === null ? null : { eventId: options.newId(), fromState: movedFrom, detail };
  return [{ change: { merchantId, accountId, method, ...toStored(assessment, usual), event }, version }];
}

/** The usual latency after this judgement: the same object where nothing was learned. */
function learn({ usual, assessment, buckets }: HealthSeries, account: KnownAccount | undefined, at: number): UsualLatency | null {
  if (account === undefined || assessment === null) return usual;
  const window = sumSince(buckets, Math.max(at - WINDOW_MS, assessment.countFrom));
  return learnUsualLatency(usual, window, assessment.state, at, account.thresholds);
}

function isSame(left: HealthMemory, right: HealthMemory): boolean {
  return (
    left.state === right.state &&
    left.since === right.since &&
    left.countFrom === right.countFrom &&
    left.relapses === right.relapses
  );
}

/** The series as decisions take it; nothing for one that says nothing of its own, so that the whole account's speaks. */
function toDetail(series: HealthSeries, account: KnownAccount | undefined, at: number): HealthDetail[] {
  const { assessment, accountId, method, paid, unpaid } = series;
  if (assessment === null) return [];
  const { state, succeeded, faulted, probesLeft, countFrom, lookups } = assessment;
  const { minSamples, probeEveryMs } = account?.thresholds ?? DEFAULT_HEALTH_THRESHOLDS;
  if (method !== ANY_METHOD && state === 'healthy' && succeeded + faulted < minSamples) return [];
  const isWanted = state === 'probing' && probesLeft > 0 && at >= countFrom;
  const health = accountHealthOf(assessment, { accountId, method: methodOf(method), paid, unpaid });
  return [{ health, probesLeft, probeEveryMs: isWanted ? probeEveryMs : null, lookups, fromOthers: false }];
}
