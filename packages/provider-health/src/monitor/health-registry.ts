import { PAYMENT_METHODS } from '@switchyard/routing';
import { accountHealthOf, assessHealth, type HealthMemory } from '../assess/assess-health.ts';
import type { FaultInRow } from '../assess/evidence.ts';
import { answeredSince, isByOthers } from '../assess/health-reasons.ts';
import { judgeProbes } from '../assess/judge-probes.ts';
import { type OutcomeBucket, sumSince, WINDOW_MS } from '../assess/outcome-counts.ts';
import type { GatewayTrouble } from '../assess/prior.ts';
import { learnUsualLatency, type UsualLatency } from '../assess/usual-latency.ts';
import { DEFAULT_HEALTH_THRESHOLDS } from '../thresholds/thresholds.ts';
import { findGatewayExperience, type GatewayExperience, type KnownAccount, NO_EXPERIENCE } from './gateway-experience.ts';
import {
  ANY_METHOD,
  createSeriesStore,
  type HealthDetail,
  type HealthSeries,
  methodOf,
  type SeriesStore,
  toStored,
} from './health-series.ts';
import type { HealthMove } from './queries.ts';

/** Dependencies of the registry on its process. */
export interface HealthRegistryOptions {
  account(accountId: string): KnownAccount | undefined;
  accountsOf(merchantId: string): readonly KnownAccount[];
  /** This process's latest consecutive failed openings. */
  run(accountId: string, method: string): readonly FaultInRow[];
  newId(): string;
}

/**
 * The health of all accounts in memory: takes the counts and stored states of all processes, and gives states to store and the
 * health that decisions use. No I/O, and time is an argument.
 */
export interface HealthRegistry extends Pick<SeriesStore, 'loadCounts' | 'addCounts' | 'loadStored' | 'loadConversions'> {
  /** Assesses every account and returns the changes to store. A change is returned again until `markStored` is called with it. */
  assessAll(at: number): readonly HealthMove[];
  markStored(move: HealthMove): void;
  /** Assesses one account between two `assessAll`, with what this process observed since. */
  reassess(accountId: string, method: string | null, at: number): void;
  /** Health of a merchant's accounts as of the last assessment. */
  details(merchantId: string): readonly HealthDetail[];
  /** Usual latency of an opening in milliseconds: the account's, or its gateway's while the account opened too few; null for unknown. */
  usualMs(accountId: string, method: string | null): number | null;
}

/** An empty registry: every account is healthy until counts or stored states are loaded. */
export function createHealthRegistry(options: HealthRegistryOptions): HealthRegistry {
  const store = createSeriesStore();
  const detailsByMerchant = new Map<string, readonly HealthDetail[]>();
  let gateways: GatewayExperience = NO_EXPERIENCE;
  let assessedAt = 0;

  function computeDetails(merchantId: string): readonly HealthDetail[] {
    if (!gateways.isCalm) for (const account of options.accountsOf(merchantId)) learnOfTrouble(account);
    return store.ofMerchant(merchantId).flatMap((series) => toDetail(series, options.account(series.accountId), assessedAt));
  }

  /** An account that was never used learns of its gateway's trouble too. */
  function learnOfTrouble(account: KnownAccount): void {
    for (const method of [ANY_METHOD, ...(account.methods ?? PAYMENT_METHODS)]) {
      if (store.find(account.accountId, method) !== undefined || gateways.troubleOfOthers(account, method) === null) continue;
      const { merchantId, accountId } = account;
      assessSeries(store.findOrCreate({ merchantId, accountId, method }), assessedAt);
    }
  }

  function troubleOfOthers({ accountId, method }: HealthSeries): GatewayTrouble | null {
    const account = gateways.isCalm ? undefined : options.account(accountId);
    return account === undefined ? null : gateways.troubleOfOthers(account, method);
  }

  /** True for an account that goes by others' health, or is to. */
  function concernsOthers(series: HealthSeries): boolean {
    if (series.memory !== null && isByOthers(series.memory)) return true;
    return series.assessment?.state === 'healthy' && troubleOfOthers(series) !== null;
  }

  function assessSeries(series: HealthSeries, at: number): void {
    assess(series, { whole: wholeOf(series), others: troubleOfOthers(series) }, options, at);
  }

  /** Counts of the account as a whole: look-ups and probes are counted there. */
  function wholeOf({ accountId, method, buckets }: HealthSeries): readonly OutcomeBucket[] {
    return method === ANY_METHOD ? buckets : (store.find(accountId, ANY_METHOD)?.buckets ?? []);
  }

  return {
    loadCounts: store.loadCounts,
    addCounts: store.addCounts,
    loadStored: store.loadStored,
    loadConversions: store.loadConversions,
    assessAll(at) {
      const all = store.all();
      // Accounts' own evidence first: others learn of it in the same turn.
      for (const series of all)
        if (series.memory === null || !isByOthers(series.memory))
          assess(series, { whole: wholeOf(series), others: null }, options, at);
      gateways = findGatewayExperience(all, options.account, at);
      for (const series of all) if (concernsOthers(series)) assessSeries(series, at);
      assessedAt = at;
      detailsByMerchant.clear();
      return all.flatMap((series) => moveOf(series, options, at));
    },
    markStored({ change, version }) {
      store.loadStored([{ ...change, version: version + 1 }]);
    },
    reassess(accountId, method, at) {
      for (const storedMethod of method === null ? [ANY_METHOD] : [ANY_METHOD, method]) {
        const series = store.find(accountId, storedMethod);
        if (series === undefined) continue;
        assessSeries(series, at);
        detailsByMerchant.delete(series.merchantId);
      }
    },
    details(merchantId) {
      const known = detailsByMerchant.get(merchantId) ?? computeDetails(merchantId);
      detailsByMerchant.set(merchantId, known);
      return known;
    },
    usualMs(accountId, method) {
      const own = method === null ? undefined : store.find(accountId, method)?.usual;
      const usual = own ?? store.find(accountId, ANY_METHOD)?.usual;
      return usual?.ms ?? gateways.usualMs(options.account(accountId));
    },
  };
}

/** Inputs of an assessment beside the series. */
interface Beside {
  /** Counts of the account as a whole. */
  readonly whole: readonly OutcomeBucket[];
  readonly others: GatewayTrouble | null;
}

function assess(series: HealthSeries, { whole, others }: Beside, { account, run }: HealthRegistryOptions, at: number): void {
  const { accountId, method, buckets, usual, memory } = series;
  const known = account(accountId);
  series.assessment = assessHealth({
    subject: { gateway: known?.title ?? '', method: methodOf(method) },
    buckets,
    wholeBuckets: whole,
    run: run(accountId, method),
    previous: memory,
    others,
    isDrained: known?.isDrained === true,
    usualMs: usual?.ms ?? null,
    now: at,
    ...(known && { thresholds: known.thresholds }),
  });
}

/** The change of a series that must be stored; otherwise keeps the assessment in memory only. */
function moveOf(series: HealthSeries, options: HealthRegistryOptions, at: number): HealthMove[] {
  const { assessment, memory, version, merchantId, accountId, method } = series;
  if (assessment === null) return [];
  const usual = learn(series, options.account(accountId), at);
  // Sentences change with every count; only the state that the next assessment builds on is stored.
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

/** The usual latency after this assessment: the same object where it did not change. */
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
    left.relapses === right.relapses &&
    left.demotion?.cause === right.demotion?.cause &&
    answeredSince(left.why) === answeredSince(right.why)
  );
}

/** The beginning of the latest bucket with a look-up, epoch milliseconds; null without one in the window. */
function lookedUpAt({ buckets }: HealthSeries): number | null {
  const known = buckets.filter(({ lookups }) => lookups !== undefined && lookups.answered + lookups.failed > 0);
  return known.length === 0 ? null : Math.max(...known.map(({ at }) => at));
}

/** The series' health for decisions; empty for a method with too little evidence, so that the whole account's health applies. */
function toDetail(series: HealthSeries, account: KnownAccount | undefined, at: number): HealthDetail[] {
  const { assessment, accountId, method, paid, unpaid } = series;
  if (assessment === null) return [];
  const { state, succeeded, faulted, probesLeft, countFrom, lookups } = assessment;
  const thresholds = account?.thresholds ?? DEFAULT_HEALTH_THRESHOLDS;
  const { minSamples, probeEveryMs } = thresholds;
  if (method !== ANY_METHOD && state === 'healthy' && succeeded + faulted < minSamples) return [];
  const isWanted = state === 'probing' && probesLeft > 0 && at >= countFrom;
  const health = accountHealthOf(assessment, { accountId, method: methodOf(method), paid, unpaid });
  const answered = answeredSince(assessment.why);
  return [
    {
      health,
      probesLeft,
      probeEveryMs: isWanted ? probeEveryMs : null,
      lookups,
      lookedUpAt: lookedUpAt(series),
      answersSince: answered === null ? null : new Date(answered),
      checksFail: lookups.failed > 0 && judgeProbes(series.buckets, at - WINDOW_MS, at, thresholds).kind === 'failing',
      fromOthers: isByOthers(assessment),
    },
  ];
}
