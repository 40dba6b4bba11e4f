/** One field that differs between two JSON values; `path` is dotted (`when.amount.to`), the values are null for absent. */
export interface FieldChange {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** True if two values are equal as JSON: in any order of names, an absent value being null. */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((entry, index) => isSameJson(entry, right[index]));
  }
  if (isPlainObject(left) && isPlainObject(right)) return fieldChanges(left, right).length === 0;
  return (left ?? null) === (right ?? null);
}

/** Differences of plain JSON values: objects are compared by field, lists as a whole. */
export function fieldChanges(before: unknown, after: unknown, path = ''): FieldChange[] {
  if (!isPlainObject(before) || !isPlainObject(after)) {
    return isSameJson(before, after) ? [] : [{ path, before: before ?? null, after: after ?? null }];
  }
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Array.from(names).flatMap((name) => fieldChanges(before[name], after[name], path === '' ? name : `${path}.${name}`));
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
