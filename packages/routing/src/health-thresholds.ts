import { z } from 'zod';
import { DEFAULT_HEALTH_THRESHOLDS, type HealthThresholds } from './health.ts';

/** What is wrong with thresholds: which one, and the rule it breaks. `${field} ${message}` reads as a sentence. */
export interface ThresholdProblem {
  readonly field: keyof HealthThresholds;
  readonly message: string;
}

export type CheckedThresholds =
  /** All thresholds, and those among them that differ from the defaults. */
  | { readonly ok: true; readonly thresholds: HealthThresholds; readonly changes: Partial<HealthThresholds> }
  | { readonly ok: false; readonly problems: readonly ThresholdProblem[] };

type Scalar = Exclude<keyof HealthThresholds, 'probePercents'>;

/** The least and the most each threshold may be. Shares are 0 to 1, times milliseconds. */
export const HEALTH_THRESHOLD_BOUNDS: Readonly<Record<Scalar, { readonly min: number; readonly max: number }>> = {
  minSamples: { min: 2, max: 1_000 },
  downShare: { min: 0.05, max: 1 },
  degradedShare: { min: 0.02, max: 1 },
  healthyShare: { min: 0, max: 0.9 },
  hardFaults: { min: 2, max: 100 },
  slowMs: { min: 200, max: 60_000 },
  fastMs: { min: 100, max: 60_000 },
  restMs: { min: 5_000, max: 600_000 },
  restMaxMs: { min: 5_000, max: 3_600_000 },
  probeStepMs: { min: 1_000, max: 300_000 },
  probeSuccesses: { min: 1, max: 100 },
  quietStepMs: { min: 10_000, max: 600_000 },
  probeFaults: { min: 1, max: 50 },
  healthyHoldMs: { min: 5_000, max: 600_000 },
  degradedHoldMs: { min: 10_000, max: 600_000 },
};

const SHARES: ReadonlySet<Scalar> = new Set(['downShare', 'degradedShare', 'healthyShare']);

function scalar(name: Scalar) {
  const { min, max } = HEALTH_THRESHOLD_BOUNDS[name];
  const message = `must lie between ${min} and ${max}`;
  const number = SHARES.has(name) ? z.number('must be a number') : z.int('must be a whole number');
  return number.min(min, message).max(max, message);
}

const schema = z.strictObject({
  minSamples: scalar('minSamples'),
  downShare: scalar('downShare'),
  degradedShare: scalar('degradedShare'),
  healthyShare: scalar('healthyShare'),
  hardFaults: scalar('hardFaults'),
  slowMs: scalar('slowMs'),
  fastMs: scalar('fastMs'),
  restMs: scalar('restMs'),
  restMaxMs: scalar('restMaxMs'),
  probePercents: z
    .array(z.int('must be whole numbers').min(1, 'must be at least 1').max(100, 'must be at most 100'))
    .min(1, 'must have at least one step')
    .max(10, 'must have at most ten steps')
    .refine((steps) => steps.every((step, index) => step > (steps[index - 1] ?? 0)), 'must rise from step to step'),
  probeStepMs: scalar('probeStepMs'),
  probeSuccesses: scalar('probeSuccesses'),
  quietStepMs: scalar('quietStepMs'),
  probeFaults: scalar('probeFaults'),
  healthyHoldMs: scalar('healthyHoldMs'),
  degradedHoldMs: scalar('degradedHoldMs'),
}) satisfies z.ZodType<HealthThresholds>;

/** Checks what differs from the defaults, each by itself and all of them together. What is left out is the default. */
export function checkHealthThresholds(changes: unknown): CheckedThresholds {
  const parsed = schema.partial().safeParse(changes);
  if (!parsed.success) return { ok: false, problems: parsed.error.issues.flatMap(toProblem) };
  const given = Object.entries(parsed.data).filter(([, value]) => value !== undefined);
  const thresholds: HealthThresholds = { ...DEFAULT_HEALTH_THRESHOLDS, ...Object.fromEntries(given) };
  const problems = problemsTogether(thresholds);
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, thresholds, changes: Object.fromEntries(given.filter(([name, value]) => !isDefault(name, value))) };
}

/** The thresholds of stored changes. Changes that are no longer in order are left aside: health must never stop for them. */
export function readHealthThresholds(changes: unknown): HealthThresholds {
  const checked = checkHealthThresholds(changes ?? {});
  return checked.ok ? checked.thresholds : DEFAULT_HEALTH_THRESHOLDS;
}

function isDefault(name: string, value: unknown): boolean {
  const found = Object.entries(DEFAULT_HEALTH_THRESHOLDS).find(([known]) => known === name);
  return JSON.stringify(found?.[1]) === JSON.stringify(value);
}

function toProblem(issue: z.core.$ZodIssue): ThresholdProblem[] {
  const field = schema.keyof().safeParse(issue.path[0] ?? ('keys' in issue ? issue.keys[0] : undefined));
  return field.success ? [{ field: field.data, message: issue.message }] : [{ field: 'minSamples', message: issue.message }];
}

/** An account must be able to come back from where it went, and not straight away again. */
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
      thresholds.probeStepMs <= thresholds.quietStepMs,
      { field: 'quietStepMs', message: 'must not be below the length of a step' },
    ],
  ];
  return rules.flatMap(([holds, problem]) => (holds ? [] : [problem]));
}
