import { type HealthSpan, toSpans } from '@switchyard/provider-health/health-spans';
import type { HealthState, StoredHealthReason } from '@switchyard/routing';
import { readHealthReason } from '@switchyard/routing/stored-inputs';
import { z } from 'zod';

const count = z.int().min(0);
const instant = z.iso.datetime().transform((text) => new Date(text));

/** A chart as it is stored. Lists of a series have the same length: one entry per step with checkouts. */
const storedChart = z.object({
  from: instant,
  to: instant,
  stepMs: z.int().min(1),
  series: z.array(
    z.object({
      method: z.string().nullable(),
      steps: z.array(count),
      succeeded: z.array(count),
      faulted: z.array(count),
      latencyMs: z.array(z.int().min(0).nullable()),
    }),
  ),
  states: z.array(z.object({ method: z.string().nullable(), state: z.string(), why: z.unknown(), at: instant })),
});

/** The health of an account in the time of an incident, by account and method: null is the account as a whole. */
export type IncidentChart = z.output<typeof storedChart>;

/** A state that an account or one of its methods entered. */
interface EnteredState {
  readonly state: HealthState;
  readonly why: StoredHealthReason;
  readonly at: Date;
}

/** A chart as it is shown: of each series the states as spans without gaps. The last one lasts until the end of the chart. */
export interface ShownChart extends Omit<IncidentChart, 'series' | 'states'> {
  /** The account as a whole first. */
  readonly series: readonly (IncidentChart['series'][number] & { readonly spans: readonly HealthSpan[] })[];
}

/** A chart as it was stored; null where there is none, or another version stored it. */
export function readChart(stored: unknown): ShownChart | null {
  const parsed = storedChart.safeParse(stored);
  if (!parsed.success) return null;
  const { from, to, stepMs, series, states } = parsed.data;
  const names = new Set([null, ...series.map(({ method }) => method), ...states.map(({ method }) => method)]);
  const spans = spansByMethod(states, from);
  const nothing = { steps: [], succeeded: [], faulted: [], latencyMs: [] };
  return {
    from,
    to,
    stepMs,
    series: [...names].map((method) => ({
      ...(series.find((one) => one.method === method) ?? nothing),
      method,
      spans: spans.get(method) ?? toSpans([], from),
    })),
  };
}

/** The states of an account and its methods since `from`, as spans without gaps, by method; null is the account as a whole. */
export function spansByMethod(states: IncidentChart['states'], from: Date): ReadonlyMap<string | null, readonly HealthSpan[]> {
  const byMethod = Map.groupBy(states, ({ method }) => method);
  return new Map(Array.from(byMethod, ([method, own]) => [method, toSpans(own.flatMap(toEntered), from)]));
}

const STATES = ['healthy', 'degraded', 'down', 'probing'] as const;

function toEntered({ state: name, why, at }: IncidentChart['states'][number]): EnteredState[] {
  const state = STATES.find((known) => known === name);
  return state === undefined ? [] : [{ state, why: readHealthReason(why), at }];
}
