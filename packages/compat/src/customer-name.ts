import type { JsonValue } from '@switchyard/db';
import { findExactNumber } from '@switchyard/db/exact-json';
import { type Fields, isAbsent, isFields } from './order.ts';
import { type Read, read, refused } from './problem.ts';

/** The name of a customer, as far as it was given. */
export interface CustomerName {
  readonly first: string | null;
  readonly last: string | null;
}

/**
 * The field of a payment's metadata that keeps the customer's name: orders have none. It is shown, exported and erased with the metadata,
 * and is left out where a dialect returns what the merchant sent.
 */
const FIELD = 'switchyard_customer';

/** Metadata with the name of the customer, undefined for neither. Metadata that is not an object is left to the rules of the contract. */
export function withCustomerName(metadata: unknown, { first, last }: CustomerName): unknown {
  if (first === null && last === null) return metadata;
  if (metadata !== undefined && !isFields(metadata)) return metadata;
  return { ...metadata, [FIELD]: { first_name: first, last_name: last } };
}

/** The metadata as it was sent, and the names that {@link withCustomerName} joined. */
export function splitMetadata(stored: JsonValue): { readonly metadata: JsonValue; readonly customerName: CustomerName } {
  if (!isJsonObject(stored)) return { metadata: stored, customerName: { first: null, last: null } };
  const { [FIELD]: name, ...rest } = stored;
  if (!isFields(name)) return { metadata: sentMetadata(stored), customerName: { first: null, last: null } };
  return {
    metadata: Object.keys(rest).length === 0 ? null : sentMetadata(rest),
    customerName: { first: textOf(name.first_name), last: textOf(name.last_name) },
  };
}

function sentMetadata(stored: { readonly [key: string]: JsonValue }): JsonValue {
  const list = stored[LIST_FIELD];
  return Array.isArray(list) && Object.keys(stored).length === 1 ? list : stored;
}

/** A name in one text: the last word is the last name. */
export function splitName(name: unknown): CustomerName {
  const words = typeof name === 'string' ? name.trim().split(/\s+/) : [];
  const last = words.length > 1 ? (words.pop() ?? null) : null;
  return { first: textOf(words.join(' ')), last };
}

/** A name as one text; null without one. */
export function joinName({ first, last }: CustomerName): string | null {
  return textOf([first, last].filter((part) => part !== null).join(' '));
}

/** A text, or null for none and for anything else. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function isJsonObject(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The field that keeps metadata which is a list: that of a payment is an object. It is left out where a dialect returns what was sent. */
const LIST_FIELD = 'switchyard_list';

/** A payment's metadata as it was sent, undefined for none. PHP writes an array without entries as an empty list. */
export function readMetadata(
  field: string,
  value: unknown,
  { takesLists }: { readonly takesLists: boolean },
): Read<Fields | undefined> {
  if (isAbsent(value) || (Array.isArray(value) && value.length === 0)) return read(undefined);
  const isList = takesLists && Array.isArray(value);
  if (!isFields(value) && !isList) return refused({ kind: 'invalid_field', field, rule: 'must be a JSON object' });
  const rounded = findExactNumber(value);
  if (rounded === null) return read(isFields(value) ? value : { [LIST_FIELD]: value });
  return refused({
    kind: 'invalid_field',
    field: `${field}.${rounded}`,
    rule: 'has more digits than a number keeps: send it as text',
  });
}
