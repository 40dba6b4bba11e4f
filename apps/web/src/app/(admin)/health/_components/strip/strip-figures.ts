import { isSeenByOthersOnly, SHARE_FROM, type StoredHealthReason } from '@switchyard/routing';
import { type HealthState, SEVERITY } from '#/copy/health.ts';

/** One account and method over time, as the server returns it: an entry for each step with observations. */
export interface Strip {
  readonly steps: readonly number[];
  readonly succeeded: readonly number[];
  readonly faulted: readonly number[];
  readonly latencyMs: readonly (number | null)[];
  readonly lookupsAnswered: readonly number[];
  readonly lookupsFailed: readonly number[];
}

/** One step of time. */
export interface StepFigures {
  readonly at: Date;
  readonly succeeded: number;
  readonly faulted: number;
  /** Null where nothing was answered. */
  readonly latencyMs: number | null;
}

/** A time in one state. */
export interface StateSpan {
  readonly state: HealthState;
  readonly from: Date;
  readonly to: Date | null;
  /** Why it began; left out where it does not matter. */
  readonly why?: StoredHealthReason;
}

interface StateNow {
  readonly state: HealthState;
  readonly why: StoredHealthReason;
  /** Null where it was never observed. */
  readonly since: Date | null;
}

/**
 * The recorded states of a period, with the present one at the end: what was read at another moment, or is not recorded, cannot
 * contradict what is said of the account now. Null while they are loading.
 */
export function spansUntilNow(recorded: readonly StateSpan[] | null, now: StateNow, from: Date): readonly StateSpan[] {
  const spans = recorded ?? [{ state: 'healthy', from, to: null }];
  const last = spans.at(-1);
  const isSame = last?.state === now.state && isSeenByOthersOnly(last.why ?? null) === isSeenByOthersOnly(now.why);
  if (last === undefined || isSame) return spans;
  const begun = new Date(Math.max(from.getTime(), now.since?.getTime() ?? last.from.getTime()));
  const before = spans
    .filter((span) => span.from < begun)
    .map((span) => ({ ...span, to: span.to === null || span.to > begun ? begun : span.to }));
  return [...before, { state: now.state, why: now.why, from: begun, to: null }];
}

/** Every step from `from` to `to`, including those without observations. */
export function fillSteps(strip: Strip | undefined, from: Date, to: Date, stepMs: number): StepFigures[] {
  const count = Math.max(0, Math.round((to.getTime() - from.getTime()) / stepMs));
  const at = new Map(strip?.steps.map((step, index) => [step, index]));
  return Array.from({ length: count }, (_, step) => {
    const index = at.get(step) ?? -1;
    return {
      at: new Date(from.getTime() + step * stepMs),
      succeeded: strip?.succeeded[index] ?? 0,
      faulted: strip?.faulted[index] ?? 0,
      latencyMs: strip?.latencyMs[index] ?? null,
    };
  });
}

/** Look-ups of all steps, added up. */
export function sumLookups(strip: Pick<Strip, 'lookupsAnswered' | 'lookupsFailed'> | undefined) {
  const sum = (counts: readonly number[] = []) => counts.reduce((all, count) => all + count, 0);
  return { answered: sum(strip?.lookupsAnswered), failed: sum(strip?.lookupsFailed) };
}

/** Answered and failed of all steps together. */
export function sumSteps(steps: readonly StepFigures[]): { readonly succeeded: number; readonly faulted: number } {
  return {
    succeeded: steps.reduce((sum, step) => sum + step.succeeded, 0),
    faulted: steps.reduce((sum, step) => sum + step.faulted, 0),
  };
}

/** Now, as far as counts are concerned. */
interface CountsNow {
  readonly state: HealthState;
  readonly succeeded: number;
  readonly faulted: number;
}

/**
 * Checkouts of a period up to now. Steps are read every few seconds and the counts of a healthy account follow each checkout, so
 * that these can be ahead: the period is never shown with fewer checkouts than its last five minutes.
 */
export function countedSoFar(steps: readonly StepFigures[], now: CountsNow): number {
  const { succeeded, faulted } = sumSteps(steps);
  return Math.max(succeeded + faulted, now.state === 'healthy' ? now.succeeded + now.faulted : 0);
}

/** Mean latency of what was answered; null when nothing was. */
export function meanLatency(steps: readonly StepFigures[]): number | null {
  const { succeeded } = sumSteps(steps);
  if (succeeded === 0) return null;
  return steps.reduce((sum, step) => sum + (step.latencyMs ?? 0) * step.succeeded, 0) / succeeded;
}

/** Share answered, 0 to 1, of a step; null when there were no calls. */
export function shareOf({ succeeded, faulted }: Pick<StepFigures, 'succeeded' | 'faulted'>): number | null {
  return succeeded + faulted === 0 ? null : succeeded / (succeeded + faulted);
}

/** The longest stretch of steps that one point of {@link rollingShares} looks back over. */
const ROLLING_STEPS_MAX = 10;

/** A share answered, 0 to 1, and the number of steps that it is of, up to its own. */
export interface RollingShare {
  readonly share: number;
  readonly steps: number;
}

/**
 * The share answered at each step: of the step itself or, where it had fewer than twenty checkouts, of the latest ten steps that
 * together had, none of which was in an outage. Null in an outage, where nothing was opened in a step, and where too little was.
 */
export function rollingShares(
  steps: readonly StepFigures[],
  isOutage: (step: number) => boolean = () => false,
): (RollingShare | null)[] {
  return steps.map(({ succeeded, faulted }, index) => {
    let sums = { succeeded, faulted };
    let taken = 1;
    if (succeeded + faulted === 0 || isOutage(index)) return null;
    for (; sums.succeeded + sums.faulted < SHARE_FROM && taken < ROLLING_STEPS_MAX; taken++) {
      const step = steps[index - taken];
      if (step === undefined || isOutage(index - taken)) break;
      sums = { succeeded: sums.succeeded + step.succeeded, faulted: sums.faulted + step.faulted };
    }
    const share = sums.succeeded + sums.faulted < SHARE_FROM ? null : shareOf(sums);
    return share === null ? null : { share, steps: taken };
  });
}

/** A time down, in steps from the beginning. */
export interface Outage {
  readonly from: number;
  readonly to: number;
}

/** Times down within some steps, clipped to them. */
export function outagesIn(spans: readonly StateSpan[], from: Date, count: number, stepMs: number): Outage[] {
  const place = (at: Date | null) => Math.min(count, Math.max(0, at === null ? count : (at.getTime() - from.getTime()) / stepMs));
  return spans
    .filter(({ state }) => state === 'down')
    .map((span) => ({ from: place(span.from), to: place(span.to) }))
    .filter((outage) => outage.from < outage.to);
}

/** True for the steps whose middle is in an outage. */
export function stepsIn(outages: readonly Outage[]): (step: number) => boolean {
  return (step) => outages.some(({ from, to }) => from <= step + 0.5 && step + 0.5 < to);
}

/** A share as a percentage, or as counts where there were fewer than twenty: `98.2%`, `3 of 4`; a dash for none. */
export function shareOrCounts(of: Pick<StepFigures, 'succeeded' | 'faulted'>): string {
  const all = of.succeeded + of.faulted;
  if (all === 0) return '–';
  return all < SHARE_FROM ? `${of.succeeded} of ${all}` : shareText(shareOf(of));
}

/** The worst state within a period; healthy where no span covers it. */
export function worstWithin(spans: readonly StateSpan[], from: number, to: number): HealthState {
  return spans
    .filter((span) => span.from.getTime() < to && (span.to === null || span.to.getTime() > from))
    .reduce<HealthState>((worst, { state }) => (SEVERITY[state] > SEVERITY[worst] ? state : worst), 'healthy');
}

/** Milliseconds in any trouble within a time. */
export function unhealthyMs(spans: readonly StateSpan[], from: number, to: number): number {
  return spans
    .filter(({ state }) => state !== 'healthy')
    .reduce((sum, span) => {
      const begin = Math.max(span.from.getTime(), from);
      const end = Math.min(span.to?.getTime() ?? to, to);
      return sum + Math.max(0, end - begin);
    }, 0);
}

/** Milliseconds in trouble within a time for which only other merchants' checkouts were the reason. */
export function othersMs(spans: readonly StateSpan[], from: number, to: number): number {
  return unhealthyMs(
    spans.filter(({ why = null }) => isSeenByOthersOnly(why)),
    from,
    to,
  );
}

/** A latency for display: `240 ms`, `2.4 s`. */
export function latencyText(ms: number | null): string {
  if (ms === null) return '–';
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** A share for display: whole at both ends, one digit between; never 100% while anything failed. */
export function shareText(share: number | null): string {
  if (share === null) return '–';
  const percent = share * 100;
  if (percent === 100 || percent === 0) return `${percent}%`;
  return `${Math.min(99.9, Math.max(0.1, percent)).toFixed(1)}%`;
}
