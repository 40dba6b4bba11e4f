import type { Mode } from '@switchyard/db/client';
import type { MerchantConfiguration } from '@switchyard/runtime';
import { z } from 'zod';

/** Thresholds of health states. Shares are 0 to 1 of provider faults among openings of checkouts; times are milliseconds. */
export interface HealthThresholds {
  /** Fewest openings from which a share or a mean is computed. */
  readonly minSamples: number;
  readonly downShare: number;
  readonly degradedShare: number;
  /** Probe payments prove an account healthy at or under this share of faults. */
  readonly healthyShare: number;
  /** Fewest faults that count; this many without a success in between mean down, even below the minimum sample. */
  readonly hardFaults: number;
  /** Slow from this many times the usual latency, but never under `fastMs` and always from `slowMs`. */
  readonly slowTimes: number;
  readonly fastMs: number;
  readonly slowMs: number;
  /** Least time healthy before an account is degraded. Down is never delayed. */
  readonly healthyHoldMs: number;
  /** Rest before probing; doubled with each relapse up to the maximum. */
  readonly restMs: number;
  readonly restMaxMs: number;
  /** Fewest probe payments that have to be answered in a row. */
  readonly probePayments: number;
  /** Least time probing before an account is healthy. */
  readonly probeForMs: number;
  /** Least time between the probe payments of one process. */
  readonly probeEveryMs: number;
  /** An opening is given twice the usual latency before the next account is tried, within these bounds. */
  readonly openingTimeoutMinMs: number;
  readonly openingTimeoutMaxMs: number;
  /** True if other merchants' faults at the same gateway count until an account has successes of its own. */
  readonly learnFromOthers: boolean;
  /** The share of openings that should succeed in 30 days. It is reported as an error budget; routing does not read it. */
  readonly openingTarget: number;
}

/** The thresholds of merchants that changed none. */
export const DEFAULT_HEALTH_THRESHOLDS: HealthThresholds = {
  minSamples: 10,
  downShare: 0.5,
  degradedShare: 0.2,
  healthyShare: 0.1,
  hardFaults: 5,
  slowTimes: 4,
  fastMs: 1_500,
  slowMs: 2_500,
  healthyHoldMs: 30_000,
  restMs: 30_000,
  restMaxMs: 480_000,
  probePayments: 3,
  probeForMs: 30_000,
  probeEveryMs: 2_000,
  openingTimeoutMinMs: 2_000,
  openingTimeoutMaxMs: 8_000,
  learnFromOthers: true,
  openingTarget: 0.995,
};

/** A problem of thresholds: which one, and the rule it breaks. `${field} ${message}` reads as a sentence. */
export interface ThresholdProblem {
  readonly field: keyof HealthThresholds;
  readonly message: string;
}

/** Parsed thresholds, or their problems. */
export type CheckedThresholds =
  /** All thresholds, and those among them that differ from the defaults. */
  | { readonly ok: true; readonly thresholds: HealthThresholds; readonly changes: Partial<HealthThresholds> }
  | { readonly ok: false; readonly problems: readonly ThresholdProblem[] };

type Scalar = Exclude<keyof HealthThresholds, 'learnFromOthers'>;

/** The least and the most each threshold may be. Shares are 0 to 1, times milliseconds. */
export const HEALTH_THRESHOLD_BOUNDS: Readonly<Record<Scalar, { readonly min: number; readonly max: number }>> = {
  minSamples: { min: 2, max: 1_000 },
  downShare: { min: 0.05, max: 1 },
  degradedShare: { min: 0.02, max: 1 },
  healthyShare: { min: 0, max: 0.9 },
  hardFaults: { min: 2, max: 100 },
  slowTimes: { min: 1.5, max: 100 },
  fastMs: { min: 100, max: 60_000 },
  slowMs: { min: 200, max: 60_000 },
  healthyHoldMs: { min: 5_000, max: 600_000 },
  restMs: { min: 5_000, max: 600_000 },
  restMaxMs: { min: 5_000, max: 3_600_000 },
  probePayments: { min: 1, max: 20 },
  probeForMs: { min: 1_000, max: 600_000 },
  probeEveryMs: { min: 100, max: 60_000 },
  openingTimeoutMinMs: { min: 500, max: 8_000 },
  openingTimeoutMaxMs: { min: 500, max: 8_000 },
  openingTarget: { min: 0.9, max: 0.9999 },
};

const FRACTIONS: ReadonlySet<Scalar> = new Set(['downShare', 'degradedShare', 'healthyShare', 'slowTimes', 'openingTarget']);

function scalar(name: Scalar) {
  const { min, max } = HEALTH_THRESHOLD_BOUNDS[name];
  const message = `must lie between ${min} and ${max}`;
  const number = FRACTIONS.has(name) ? z.number('must be a number') : z.int('must be a whole number');
  return number.min(min, message).max(max, message);
}

const schema = z.strictObject({
  minSamples: scalar('minSamples'),
  downShare: scalar('downShare'),
  degradedShare: scalar('degradedShare'),
  healthyShare: scalar('healthyShare'),
  hardFaults: scalar('hardFaults'),
  slowTimes: scalar('slowTimes'),
  fastMs: scalar('fastMs'),
  slowMs: scalar('slowMs'),
  healthyHoldMs: scalar('healthyHoldMs'),
  restMs: scalar('restMs'),
  restMaxMs: scalar('restMaxMs'),
  probePayments: scalar('probePayments'),
  probeForMs: scalar('probeForMs'),
  probeEveryMs: scalar('probeEveryMs'),
  openingTimeoutMinMs: scalar('openingTimeoutMinMs'),
  openingTimeoutMaxMs: scalar('openingTimeoutMaxMs'),
  learnFromOthers: z.boolean('must be yes or no'),
  openingTarget: scalar('openingTarget'),
}) satisfies z.ZodType<HealthThresholds>;
const changesSchema = schema.partial();

/** Checks changes of the defaults, each by itself and all together. Omitted thresholds keep their default. */
export function checkHealthThresholds(changes: unknown): CheckedThresholds {
  const parsed = changesSchema.safeParse(changes);
  if (!parsed.success) return { ok: false, problems: parsed.error.issues.flatMap(toProblem) };
  const given = Object.entries(parsed.data).filter(([, value]) => value !== undefined);
  const thresholds: HealthThresholds = { ...DEFAULT_HEALTH_THRESHOLDS, ...Object.fromEntries(given) };
  const problems = problemsTogether(thresholds);
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, thresholds, changes: Object.fromEntries(given.filter(([name, value]) => !isDefault(name, value))) };
}

/** The thresholds of stored changes. Changes that are no longer valid are ignored: health must never stop because of them. */
export function readHealthThresholds(changes: unknown): HealthThresholds {
  const checked = checkHealthThresholds(changes ?? {});
  return checked.ok ? checked.thresholds : DEFAULT_HEALTH_THRESHOLDS;
}

function isDefault(name: string, value: unknown): boolean {
  return Object.entries(DEFAULT_HEALTH_THRESHOLDS).some(([known, standard]) => known === name && standard === value);
}

function toProblem(issue: z.core.$ZodIssue): ThresholdProblem[] {
  const field = schema.keyof().safeParse(issue.path[0] ?? ('keys' in issue ? issue.keys[0] : undefined));
  return field.success ? [{ field: field.data, message: issue.message }] : [{ field: 'minSamples', message: issue.message }];
}

/** Rules across thresholds: an account must be able to recover, and must not recover at once. */
function problemsTogether(thresholds: HealthThresholds): ThresholdProblem[] {
  const rules: readonly [boolean, ThresholdProblem][] = [
    [
      thresholds.degradedShare <= thresholds.downShare,
      { field: 'degradedShare', message: 'must not be above the share for down' },
    ],
    [
      thresholds.healthyShare < thresholds.degradedShare,
      { field: 'healthyShare', message: 'must be below the share for degraded' },
    ],
    [thresholds.fastMs <= thresholds.slowMs, { field: 'fastMs', message: 'must not be above the latency for degraded' }],
    [thresholds.restMs <= thresholds.restMaxMs, { field: 'restMaxMs', message: 'must not be below the first rest' }],
    [
      thresholds.openingTimeoutMinMs <= thresholds.openingTimeoutMaxMs,
      { field: 'openingTimeoutMaxMs', message: 'must not be below the shortest time-out' },
    ],
  ];
  return rules.flatMap(([holds, problem]) => (holds ? [] : [problem]));
}

const read = new WeakMap<MerchantConfiguration, Partial<Record<Mode, HealthThresholds>>>();

/** A merchant's health thresholds in one mode, parsed once per loaded configuration. */
export function thresholdsOf(configuration: MerchantConfiguration | undefined, mode: Mode): HealthThresholds {
  if (configuration === undefined) return DEFAULT_HEALTH_THRESHOLDS;
  const known = read.get(configuration) ?? {};
  const thresholds = known[mode] ?? readHealthThresholds(configuration.healthThresholds[mode]?.changes ?? {});
  read.set(configuration, { ...known, [mode]: thresholds });
  return thresholds;
}
