import type { RouterOutputs } from '../../../../../trpc/outputs.ts';

export type Thresholds = RouterOutputs['health']['thresholds']['inForce'];
export type Bounds = RouterOutputs['health']['thresholds']['bounds'];
type Name = keyof Thresholds;

/** How a threshold is written: a share in per cent, a time in seconds, a plain count, or steps in per cent. */
type Kind = 'share' | 'seconds' | 'count' | 'steps';

export interface ThresholdField {
  readonly name: Name;
  readonly kind: Kind;
  readonly label: string;
  readonly hint?: string;
}

export interface ThresholdGroup {
  readonly title: string;
  readonly lead: string;
  readonly fields: readonly ThresholdField[];
}

/** All thresholds, in the order in which trouble comes and goes. */
export const GROUPS: readonly ThresholdGroup[] = [
  {
    title: 'Going down',
    lead: 'A down account gets no payments. What counts is the share of calls that failed by the fault of the gateway, in five minutes or lately.',
    fields: [
      { name: 'downShare', kind: 'share', label: 'Down from this share of failures' },
      { name: 'minSamples', kind: 'count', label: 'Read no share from fewer calls than' },
      { name: 'hardFaults', kind: 'count', label: 'Failures without one success that mean down' },
    ],
  },
  {
    title: 'Degraded',
    lead: 'A degraded account is tried after healthy ones.',
    fields: [
      { name: 'degradedShare', kind: 'share', label: 'Degraded from this share of failures' },
      { name: 'healthyShare', kind: 'share', label: 'Healthy again at or under' },
      { name: 'slowMs', kind: 'seconds', label: 'Degraded from this mean latency' },
      { name: 'fastMs', kind: 'seconds', label: 'Fast again at or under' },
      { name: 'healthyHoldMs', kind: 'seconds', label: 'Healthy for at least' },
      { name: 'degradedHoldMs', kind: 'seconds', label: 'Degraded for at least' },
    ],
  },
  {
    title: 'Coming back',
    lead: 'After a rest, a rising share of payments is let through; failures send the account back to rest, twice as long each time.',
    fields: [
      { name: 'restMs', kind: 'seconds', label: 'First rest' },
      { name: 'restMaxMs', kind: 'seconds', label: 'Longest rest' },
      {
        name: 'probePercents',
        kind: 'steps',
        label: 'Shares let through, step by step',
        hint: 'In per cent, rising: 10, 30, 60',
      },
      { name: 'probeStepMs', kind: 'seconds', label: 'A step takes at least' },
      { name: 'probeSuccesses', kind: 'count', label: 'Successes a step needs' },
      { name: 'quietStepMs', kind: 'seconds', label: 'Without traffic, a step takes' },
      { name: 'probeFaults', kind: 'count', label: 'Failures in a step that end it' },
    ],
  },
];

const UNITS: Record<Kind, string> = { share: '%', seconds: 's', count: '', steps: '%' };

export function unitOf(kind: Kind): string {
  return UNITS[kind];
}

/** A threshold as people write it. */
export function writeThreshold(value: Thresholds[Name], kind: Kind): string {
  if (typeof value !== 'number') return value.join(', ');
  switch (kind) {
    case 'share':
      return String(Math.round(value * 10_000) / 100);
    case 'seconds':
      return String(value / 1_000);
    case 'count':
    case 'steps':
      return String(value);
    default:
      return kind satisfies never;
  }
}

/** What somebody wrote, or why it cannot be: a sentence without its subject. */
export type ReadThreshold = { readonly value: number | readonly number[] } | { readonly problem: string };

/** Reads what somebody wrote against what the threshold may be. */
export function readThreshold(text: string, { name, kind }: ThresholdField, bounds: Bounds): ReadThreshold {
  if (kind === 'steps' || name === 'probePercents') return readSteps(text);
  const number = Number(text.trim().replace(',', '.'));
  if (text.trim() === '' || !Number.isFinite(number)) return { problem: 'must be a number' };
  const value = kind === 'share' ? number / 100 : kind === 'seconds' ? Math.round(number * 1_000) : number;
  if (kind === 'count' && !Number.isInteger(value)) return { problem: 'must be a whole number' };
  const { min, max } = bounds[name];
  if (value < min || value > max) {
    return { problem: `must lie between ${writeThreshold(min, kind)} and ${writeThreshold(max, kind)}` };
  }
  return { value };
}

function readSteps(text: string): ReadThreshold {
  const steps = text.split(/[\s,;]+/).filter((part) => part !== '');
  const numbers = steps.map(Number);
  if (numbers.length === 0) return { problem: 'must have at least one step' };
  if (numbers.some((step) => !Number.isInteger(step) || step < 1 || step > 100)) {
    return { problem: 'must be whole numbers from 1 to 100' };
  }
  if (numbers.some((step, index) => step <= (numbers[index - 1] ?? 0))) return { problem: 'must rise from step to step' };
  return { value: numbers };
}

/** Everything as it is written in the form. */
export function writeAll(thresholds: Thresholds): Record<Name, string> {
  const fields = GROUPS.flatMap((group) => group.fields);
  return Object.fromEntries(fields.map(({ name, kind }) => [name, writeThreshold(thresholds[name], kind)])) as Record<
    Name,
    string
  >;
}
