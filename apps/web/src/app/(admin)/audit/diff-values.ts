/** One field of an audited object before and after a change. */
export interface FieldChange {
  /** Dotted: `limits.minAmount`, `grants.0.role`; empty for the value itself. */
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed' | 'same';
  /** As JSON; null where it was absent. */
  readonly before: string | null;
  readonly after: string | null;
}

const FIELDS_MAX = 2_000;

/** The effect of a change, field by field in the order of the fields, the first 2,000 of them. Null means no value. */
export function diffValues(before: unknown, after: unknown): FieldChange[] {
  const from = flatten(before);
  const to = flatten(after);
  const paths = [...new Set([...from.keys(), ...to.keys()])].slice(0, FIELDS_MAX);
  return paths.map((path) => {
    const was = from.get(path) ?? null;
    const is = to.get(path) ?? null;
    return { path, kind: kindOf(was, is), before: was, after: is };
  });
}

function kindOf(before: string | null, after: string | null): FieldChange['kind'] {
  if (before === null) return 'added';
  if (after === null) return 'removed';
  return before === after ? 'same' : 'changed';
}

function flatten(value: unknown): Map<string, string> {
  const found = new Map<string, string>();
  if (value === null || value === undefined) return found;
  collect(value, '', found);
  return found;
}

function collect(value: unknown, path: string, found: Map<string, string>): void {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    found.set(path, typeof value === 'string' ? value : JSON.stringify(value));
    return;
  }
  for (const [name, part] of Object.entries(value)) collect(part, path === '' ? name : `${path}.${name}`, found);
}
