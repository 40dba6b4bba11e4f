import { ExactNumber } from '@switchyard/db/exact-json';
import { type Problem, type Read, read, refused } from './problem.ts';

/**
 * A request of a dialect to begin a payment, in the fields of `POST /v1/payments/initiate`, whose rules it has to pass next. Values are
 * as they were sent, where they need no conversion.
 */
export interface TranslatedOrder {
  readonly merchantOrderId: string;
  /** Whole naira. */
  readonly amount: number;
  readonly currency: unknown;
  readonly customer: { readonly email: unknown; readonly phone?: unknown };
  readonly metadata?: unknown;
  readonly redirectUrl?: unknown;
  readonly paymentMethod?: string;
}

/** The fields of a JSON object or a form. */
export type Fields = Readonly<Record<string, unknown>>;

/** True if a field is left out, null or empty. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** True if a value is a JSON object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

/**
 * The value of a field that gateways declare as text: text, or a whole number in the digits that were sent. Merchants send numbers for
 * references. Anything else has no one text.
 */
export function readText(field: string, value: unknown): Read<string> {
  if (typeof value === 'string') return read(value);
  const digits = value instanceof ExactNumber ? value.source : typeof value === 'number' ? String(value) : '';
  return /^\d+$/.test(digits) ? read(digits) : refused({ kind: 'invalid_field', field, rule: 'must be text' });
}

/** True if a field asks for nothing: it is absent, false, or holds nothing that asks for something. Libraries send such defaults. */
function asksForNothing(value: unknown): boolean {
  if (isAbsent(value) || value === false) return true;
  return (Array.isArray(value) || isFields(value)) && Object.values(value).every(asksForNothing);
}

/** A problem with the first field that is not one of these, or null. */
export function findUnknown(fields: Fields, known: readonly string[], why: string): Problem | null {
  const field = Object.keys(fields).find((name) => !known.includes(name));
  return field === undefined ? null : { kind: 'field_not_mapped', field, why };
}

/** The problem of the first field of a call that is present and cannot be mapped, or null. */
export function findUnmapped(
  fields: Fields,
  unmapped: readonly {
    readonly call: string;
    readonly field: string;
    readonly why: string;
    readonly harmless?: readonly unknown[];
  }[],
  called: string,
): Problem | null {
  for (const { call, field, why, harmless = [] } of unmapped) {
    const value = call === called ? valueAt(fields, field) : undefined;
    if (!asksForNothing(value) && !harmless.includes(value)) return { kind: 'field_not_mapped', field, why };
  }
  return null;
}

function valueAt(fields: Fields, path: string): unknown {
  return path
    .split('.')
    .reduce((value: unknown, name) => (isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined), fields);
}
