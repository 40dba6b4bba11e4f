import { findExactNumber } from '@switchyard/db/exact-json';
import { type Fields, isAbsent, isFields } from './order.ts';
import { type Read, read, refused } from './problem.ts';

/** The field that keeps metadata which is a list: that of a payment is an object. It is left out where a dialect returns what was sent. */
export const LIST_FIELD = 'switchyard_list';

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
