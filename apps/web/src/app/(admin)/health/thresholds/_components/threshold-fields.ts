import type { RouterOutputs } from '../../../../../trpc/outputs.ts';

/** All health thresholds of a merchant in one mode. */
export type Thresholds = RouterOutputs['health']['thresholds']['inForce'];

/** The allowed range of each threshold. */
export type Bounds = RouterOutputs['health']['thresholds']['bounds'];
type Name = keyof Thresholds;
type Scalar = keyof Bounds;

/** How a number is written: a share in per cent, a time in seconds, a plain count, or how many times as much. */
type Kind = 'share' | 'seconds' | 'count' | 'times';

/** A threshold in the form. */
export type ThresholdField = ScalarField | SwitchField;

interface ScalarField {
  readonly name: Scalar;
  readonly kind: Kind;
  readonly label: string;
}

/** On or off, written `yes` or `no`. */
interface SwitchField {
  readonly name: Exclude<Name, Scalar>;
  readonly kind: 'switch';
  readonly label: string;
}

/** Thresholds under one heading of the form. */
export interface ThresholdGroup {
  readonly title: string;
  readonly lead: string;
  readonly fields: readonly ThresholdField[];
}

/** All thresholds, from degradation to recovery. */
export const GROUPS: readonly ThresholdGroup[] = [
  {
    title: 'Going down',
    lead: 'Payments go to an account that is down only when no better one opens a checkout. What counts is the share of checkouts that failed by the fault of the gateway, over five minutes or any shorter time.',
    fields: [
      { name: 'downShare', kind: 'share', label: 'Down from this share of failures' },
      { name: 'minSamples', kind: 'count', label: 'Read no share from fewer checkouts than' },
      { name: 'hardFaults', kind: 'count', label: 'Failures in a row that mean down' },
    ],
  },
  {
    title: 'Degraded',
    lead: 'A degraded account is tried after healthy ones. It is slow when checkouts take much longer than they usually do there, or longer than customers wait.',
    fields: [
      { name: 'degradedShare', kind: 'share', label: 'Degraded from this share of failures' },
      { name: 'slowTimes', kind: 'times', label: 'Slow from this many times the usual latency' },
      { name: 'fastMs', kind: 'seconds', label: 'But never slow under' },
      { name: 'slowMs', kind: 'seconds', label: 'And always slow from' },
      { name: 'healthyHoldMs', kind: 'seconds', label: 'Healthy for at least' },
    ],
  },
  {
    title: 'Coming back',
    lead: 'After a rest, single payments are sent there first, each with another account behind it. A failure sends the account back to rest, twice as long each time; without payments it stays where it is.',
    fields: [
      { name: 'restMs', kind: 'seconds', label: 'First rest' },
      { name: 'restMaxMs', kind: 'seconds', label: 'Longest rest' },
      { name: 'probePayments', kind: 'count', label: 'Probe payments that must be answered in a row' },
      { name: 'probeEveryMs', kind: 'seconds', label: 'At least this long between two of them' },
      { name: 'probeForMs', kind: 'seconds', label: 'Probing for at least' },
      { name: 'healthyShare', kind: 'share', label: 'Healthy again at or under this share of failures' },
    ],
  },
  {
    title: 'Time for an answer',
    lead: 'A checkout is given twice as long as it usually takes before the next account is tried. The last account of a plan gets all the time that is left.',
    fields: [
      { name: 'openingTimeoutMinMs', kind: 'seconds', label: 'Never less than' },
      { name: 'openingTimeoutMaxMs', kind: 'seconds', label: 'Never more than' },
    ],
  },
  {
    title: 'Other merchants',
    lead: 'Trouble that accounts of other merchants have with the same gateway moves an account back until it has opened checkouts of its own. Keys, limits and thresholds of others never count.',
    fields: [{ name: 'learnFromOthers', kind: 'switch', label: 'Learn from other merchants, and let them learn' }],
  },
];

const UNITS: Record<ThresholdField['kind'], string> = { share: '%', seconds: 's', count: '', times: '×', switch: '' };

/** The unit of a threshold, as its field shows it. */
export function unitOf(kind: ThresholdField['kind']): string {
  return UNITS[kind];
}

/** A threshold as text in a form. */
export function writeThreshold(value: Thresholds[Name], kind: ThresholdField['kind']): string {
  if (typeof value !== 'number') return value ? 'yes' : 'no';
  switch (kind) {
    case 'share':
      return String(Math.round(value * 10_000) / 100);
    case 'seconds':
      return String(value / 1_000);
    case 'count':
    case 'times':
    case 'switch':
      return String(value);
    default:
      return kind satisfies never;
  }
}

/** The value of a field, or its problem as a sentence without its subject. */
export type ReadThreshold = { readonly value: number | boolean } | { readonly problem: string };

/** Parses a field and checks it against the threshold's bounds. */
export function readThreshold(text: string, field: ThresholdField, bounds: Bounds): ReadThreshold {
  if (field.kind === 'switch') return { value: text === 'yes' };
  const { name, kind } = field;
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

/** All thresholds as the form's text. */
export function writeAll(thresholds: Thresholds): Record<Name, string> {
  const fields = GROUPS.flatMap((group) => group.fields);
  return Object.fromEntries(fields.map(({ name, kind }) => [name, writeThreshold(thresholds[name], kind)])) as Record<
    Name,
    string
  >;
}
