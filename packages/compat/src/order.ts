import type { Problem } from './problem.ts';

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
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
    if (!isAbsent(value) && !harmless.includes(value)) return { kind: 'field_not_mapped', field, why };
  }
  return null;
}

function valueAt(fields: Fields, path: string): unknown {
  return path.split('.').reduce((value: unknown, name) => (isFields(value) ? value[name] : undefined), fields);
}
