import type { Fields } from '../order.ts';
import { type Read, read, refused } from '../problem.ts';

export {
  readRefundList,
  readTotalsQuery,
  readTransactionList,
  writeCursorMeta,
  writeMeta,
  writeTransactionMeta,
} from './lists.ts';
export { FIELD_NAMES, readInitialize, readRefund } from './read.ts';
export { refuse } from './refuse.ts';
export { cancelActionOf, succeed, writeInitialized, writeRefund, writeTotals, writeTransaction } from './write.ts';

const LEVELS_MAX = 20;
const FIELDS_MAX = 500;

/**
 * The fields of a URL-encoded form, as PHP's `http_build_query` writes nested ones: `metadata[cart_id]=7`, `channels[0]=card`. A field that
 * cannot be read is refused by its name. Node and `URLSearchParams` know no nesting, and `qs` also takes forms that PHP does not write.
 */
export function readForm(text: string): Read<Fields> {
  const root: Record<string, unknown> = {};
  const pairs = [...new URLSearchParams(text)];
  if (pairs.length > FIELDS_MAX) {
    return refused({ kind: 'invalid_field', field: 'body', rule: `must have at most ${FIELDS_MAX} fields` });
  }
  for (const [name, value] of pairs) {
    const rule = put(root, namesOf(name), value);
    if (rule !== null) return refused({ kind: 'invalid_field', field: name, rule });
  }
  return read(mapFields(root, (value) => (isOpen(value) ? mapFields(value, toLists) : value)));
}

/** Fields that are numbered from 0 are a list, within a field: whether the field itself is one is for its reader to say. */
function toLists(value: unknown): unknown {
  if (!isOpen(value)) return value;
  const isList = Object.keys(value).every((name, place) => name === String(place));
  return isList ? Object.values(value).map(toLists) : mapFields(value, toLists);
}

function mapFields(fields: Fields, change: (value: unknown) => unknown): Fields {
  const changed = {};
  for (const [name, value] of Object.entries(fields)) define(changed, name, change(value));
  return changed;
}

function namesOf(name: string): readonly string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
  if (match === null) return [];
  const [, first = '', rest = ''] = match;
  return [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, inner = '']) => inner)];
}

/** Puts a value at its place; the rule that its name breaks, or null. */
function put(root: Record<string, unknown>, names: readonly string[], value: string): string | null {
  if (names.length === 0) return 'must be a name as http_build_query writes it';
  if (names.length > LEVELS_MAX) return `must be at most ${LEVELS_MAX} levels deep`;
  let at = root;
  for (const [index, name] of names.entries()) {
    const key = name === '' ? nextPlace(at) : name;
    const inner = Object.hasOwn(at, key) ? at[key] : undefined;
    if (index === names.length - 1) {
      if (inner !== undefined) return 'must be given once';
      define(at, key, value);
    } else if (inner === undefined) {
      const made: Record<string, unknown> = {};
      define(at, key, made);
      at = made;
    } else if (isOpen(inner)) {
      at = inner;
    } else {
      return 'must be one value or several fields';
    }
  }
  return null;
}

/** The place of a value that PHP wrote without one: after those of its list. */
function nextPlace(list: object): string {
  let place = Object.keys(list).length;
  while (Object.hasOwn(list, place)) place++;
  return String(place);
}

/** Assigning to `__proto__` would change what the object inherits. */
function define(at: object, key: string, value: unknown): void {
  Object.defineProperty(at, key, { value, enumerable: true, configurable: true, writable: true });
}

function isOpen(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
