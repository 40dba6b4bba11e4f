import * as z from 'zod/mini';
import type { RouterOutputs } from '#/trpc/outputs.ts';

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
    lead: 'Payments go to an account that is down only when no better one opens a checkout. An account goes down by the share of checkouts that the gateway failed to open in five minutes or less.',
    fields: [
      { name: 'downShare', kind: 'share', label: 'Failure rate for down' },
      { name: 'minSamples', kind: 'count', label: 'Minimum checkouts for a rate' },
      { name: 'hardFaults', kind: 'count', label: 'Consecutive failures for down' },
    ],
  },
  {
    title: 'Degraded',
    lead: 'A degraded account is tried after healthy ones. It is slow when checkouts take much longer than they usually do there, or longer than customers wait.',
    fields: [
      { name: 'degradedShare', kind: 'share', label: 'Failure rate for degraded' },
      { name: 'slowTimes', kind: 'times', label: 'Slow at this multiple of usual latency' },
      { name: 'fastMs', kind: 'seconds', label: 'Never slow below' },
      { name: 'slowMs', kind: 'seconds', label: 'Always slow from' },
      { name: 'healthyHoldMs', kind: 'seconds', label: 'Minimum time healthy' },
    ],
  },
  {
    title: 'Recovery',
    lead: 'After a pause, single probe payments are sent there first, each with a fallback. A failure pauses the account again, twice as long each time. Without payments nothing changes.',
    fields: [
      { name: 'restMs', kind: 'seconds', label: 'First pause' },
      { name: 'restMaxMs', kind: 'seconds', label: 'Longest pause' },
      { name: 'probePayments', kind: 'count', label: 'Consecutive successful probe payments' },
      { name: 'probeEveryMs', kind: 'seconds', label: 'Minimum time between probe payments' },
      { name: 'probeForMs', kind: 'seconds', label: 'Minimum time probing' },
      { name: 'healthyShare', kind: 'share', label: 'Failure rate for healthy again' },
    ],
  },
  {
    title: 'Time-out',
    lead: 'A gateway gets twice its usual time to open a checkout before the next account is tried. The last account of a plan gets all the time that is left.',
    fields: [
      { name: 'openingTimeoutMinMs', kind: 'seconds', label: 'Minimum' },
      { name: 'openingTimeoutMaxMs', kind: 'seconds', label: 'Maximum' },
    ],
  },
  {
    title: 'Other merchants',
    lead: 'While accounts of other merchants fail at the same gateway, an account goes last until it opens checkouts of its own. Keys, limits and thresholds are never shared.',
    fields: [{ name: 'learnFromOthers', kind: 'switch', label: 'Share health with other merchants' }],
  },
  {
    title: 'Error budget',
    lead: 'The target is reported on the health page: how many checkouts may fail in 30 days, and how many have. Routing does not use it.',
    fields: [{ name: 'openingTarget', kind: 'share', label: 'Target success rate of checkouts' }],
  },
];

/** Every threshold of the form. */
export const FIELDS: readonly ThresholdField[] = GROUPS.flatMap((group) => group.fields);

/** All thresholds as the form holds them: as texts. */
export type ThresholdTexts = Record<Name, string>;

/** Reads the texts of the form into thresholds within their bounds. */
export function thresholdsSchema(bounds: Bounds) {
  return z.pipe(
    z.custom<ThresholdTexts>(),
    z.transform((texts: ThresholdTexts, context) => {
      const read = FIELDS.map((field) => ({ name: field.name, result: readThreshold(texts[field.name], field, bounds) }));
      for (const { name, result } of read) {
        if ('problem' in result) context.issues.push({ code: 'custom', path: [name], message: result.problem, input: texts });
      }
      return Object.fromEntries(read.flatMap(({ name, result }) => ('value' in result ? [[name, result.value]] : [])));
    }),
  );
}

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
export function writeAll(thresholds: Thresholds): ThresholdTexts {
  return Object.fromEntries(FIELDS.map(({ name, kind }) => [name, writeThreshold(thresholds[name], kind)])) as ThresholdTexts;
}
