import type { Fields } from '../order.ts';

const LEVELS_MAX = 6;
const FIELDS_MAX = 500;
const UNSAFE = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * The fields of a URL-encoded form, as PHP's `http_build_query` writes nested ones: `metadata[cart_id]=7`, `channels[0]=card`. Null for a
 * form that is no such thing. Node and `URLSearchParams` know no nesting, and `qs` also takes forms that PHP does not write.
 */
export function readForm(text: string): Fields | null {
  const root: Record<string, unknown> = {};
  const pairs = [...new URLSearchParams(text)];
  if (pairs.length > FIELDS_MAX) return null;
  for (const [name, value] of pairs) if (!put(root, namesOf(name), value)) return null;
  return root;
}

function namesOf(name: string): readonly string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
  if (match === null) return [];
  const [, first = '', rest = ''] = match;
  return [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, inner = '']) => inner)];
}

function put(root: Record<string, unknown>, names: readonly string[], value: string): boolean {
  if (names.length === 0 || names.length > LEVELS_MAX || names.some((name) => UNSAFE.has(name))) return false;
  let at = root;
  for (const [index, name] of names.entries()) {
    const key = name === '' ? String(Object.keys(at).length) : name;
    if (index === names.length - 1) {
      at[key] = value;
      return true;
    }
    const inner = at[key];
    if (inner === undefined) {
      const made: Record<string, unknown> = {};
      at[key] = made;
      at = made;
    } else if (isOpen(inner)) {
      at = inner;
    } else {
      return false;
    }
  }
  return false;
}

function isOpen(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
