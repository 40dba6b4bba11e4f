import { readFileSync } from 'node:fs';

/**
 * Shapes made from the gateways' documented examples, which are data beside the connectors: no connector is involved, so that a simulator
 * cannot agree with one by accident.
 */

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

interface DocumentedExample {
  readonly shape?: string;
  /** Flows of {@link readDocumentedFlows} that it shows. */
  readonly flows?: readonly string[];
  /** True for a body made from a list of fields or words: which of its fields may be empty is not known. */
  readonly partial?: true;
  readonly status?: number;
  readonly body: Json;
}

interface DocumentedCollection {
  readonly states: Readonly<Record<string, { readonly words: readonly string[] }>>;
  readonly examples: readonly DocumentedExample[];
}

/** Types that a value has in the examples of a shape; fields and elements are merged. */
export interface Shape {
  readonly types: ReadonlySet<string>;
  /** Fields of objects; `always` where every object has it. Null where the examples have no object there, or only empty ones. */
  readonly fields: ReadonlyMap<string, { readonly shape: Shape; readonly always: boolean }> | null;
  /** Elements of lists; null where the examples have only empty lists there. */
  readonly element: Shape | null;
}

/** Bodies of the documented examples of a gateway, by their shape. */
export function readDocumentedShapes(gateway: string): ReadonlyMap<string, Shape> {
  const { examples } = readCollection(gateway);
  const shaped = examples.filter(({ shape }) => shape !== undefined);
  return new Map(
    Object.entries(Object.groupBy(shaped, ({ shape = '' }) => shape)).map(([name, group = []]) => [
      name,
      mergeShapes(group.map(({ body }) => body)),
    ]),
  );
}

/** The documentation's view of one flow: a payment that failed, a refund that is done. */
export interface DocumentedFlow {
  /** Shapes of its examples; those that are printed whole apart from those that are not. */
  readonly shapes: readonly Shape[];
  readonly statuses: ReadonlySet<number>;
  /** Words for states by their path: `data.status`. */
  readonly words: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The documented examples of a gateway, by flow. */
export function readDocumentedFlows(gateway: string): ReadonlyMap<string, DocumentedFlow> {
  const { examples } = readCollection(gateway);
  const whole = readDocumentedShapes(gateway);
  const flows = [...new Set(examples.flatMap((example) => example.flows ?? []))];
  return new Map(
    flows.map((flow) => [
      flow,
      flowOf(
        examples.filter((example) => example.flows?.includes(flow)),
        whole,
      ),
    ]),
  );
}

function flowOf(examples: readonly DocumentedExample[], whole: ReadonlyMap<string, Shape>): DocumentedFlow {
  const shaped = [...new Set(examples.flatMap(({ shape }) => shape ?? []))].flatMap((name) => whole.get(name) ?? []);
  const others = examples.filter(({ shape }) => shape === undefined);
  const words = Map.groupBy(
    examples.flatMap(({ body }) => statesIn(body)),
    ({ path }) => path,
  );
  return {
    shapes: others.length === 0 ? shaped : [...shaped, withNulls(mergeShapes(others.map(({ body }) => body)))],
    statuses: new Set(examples.map(({ status = 200 }) => status)),
    words: new Map([...words].map(([path, found]) => [path, new Set(found.map(({ word }) => word))])),
  };
}

/** The same shape with any field empty. */
function withNulls({ types, fields, element }: Shape): Shape {
  const inner =
    fields === null ? null : [...fields].map(([name, { shape, always }]) => [name, { shape: withNulls(shape), always }] as const);
  return {
    types: new Set([...types, 'null']),
    fields: inner === null ? null : new Map(inner),
    element: element === null ? null : withNulls(element),
  };
}

/** The words for states in a body, by their path. */
export function statesIn(value: unknown, path = ''): readonly { readonly path: string; readonly word: string }[] {
  if (Array.isArray(value)) return value.flatMap((each) => statesIn(each, `${path}[]`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = path === '' ? name : `${path}.${name}`;
    if (FREE.has(name)) return [];
    return typeof inner === 'string' && (STATE.test(name) || name === 'ResponseCode')
      ? [{ path: at, word: inner }]
      : statesIn(inner, at);
  });
}

/**
 * Differences between an answer and what is documented of its flow: those of {@link differencesFrom}, another HTTP status, and, with
 * `hasState`, a word for its state that no example of the flow has.
 */
export function differencesFromFlow(
  { shapes, statuses, words }: DocumentedFlow,
  { status, body }: { readonly status: number; readonly body: unknown },
  { hasState, known }: { readonly hasState: boolean; readonly known: Vocabulary },
): readonly string[] {
  const states = hasState ? statesIn(body) : [];
  return [
    ...new Set([
      ...(statuses.has(status) ? [] : [`HTTP ${status}, documented as ${[...statuses].sort().join(' or ')}`]),
      ...states
        .filter(({ path, word }) => words.get(path)?.has(word) === false)
        .map(({ path, word }) => `${path}: ${word}, documented as ${[...(words.get(path) ?? [])].sort().join(' or ')}`),
      ...shapes.flatMap((shape) => differencesFrom(shape, body, known)),
    ]),
  ];
}

/** Names that a gateway's documentation uses anywhere. */
export interface Vocabulary {
  /** Words for states. */
  readonly words: readonly string[];
  /** Names of fields. */
  readonly fields: ReadonlySet<string>;
}

/** Every published word for a state, and every name of a field in any example of the gateway. */
export function readVocabulary(gateway: string): Vocabulary {
  const { states, examples } = readCollection(gateway);
  return {
    words: Object.values(states).flatMap(({ words }) => words),
    fields: new Set(examples.flatMap(({ body }) => namesIn(body))),
  };
}

function namesIn(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  return isObject(value) ? Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]) : [];
}

function readCollection(gateway: string): DocumentedCollection {
  const file = new URL(`../../../../packages/gateways/documented/${gateway}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as DocumentedCollection;
}

function mergeShapes(values: readonly Json[]): Shape {
  const objects = values.filter(isObject).filter((value) => Object.keys(value).length > 0);
  const lists = values.filter((value): value is readonly Json[] => Array.isArray(value));
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  const elements = lists.flat();
  return {
    types: new Set(values.map(typeOf)),
    fields:
      objects.length === 0
        ? null
        : new Map(
            names.map((name) => {
              const present = objects.filter((object) => Object.hasOwn(object, name));
              const shape = mergeShapes(present.map((object) => object[name] ?? null));
              return [name, { shape, always: present.length === objects.length }];
            }),
          ),
    element: elements.length === 0 ? null : mergeShapes(elements),
  };
}

function isObject(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  return value === null ? 'null' : typeof value;
}

/** Fields in which the merchant's own data, or another product's, is shown as it was given. */
const FREE = new Set(['metadata', 'metaData', 'meta', 'meta_data', 'log', 'history', 'messages']);

/** Fields with a word for a state. */
const STATE = /^(status|paymentStatus|refundStatus|transaction_status|gateway_refund_status)$/;

/**
 * Differences between a value and a documented shape, as `data.fees: text, documented as number`: a field that every example has and the
 * value has not, another type, null where no example has it, a word that is not published, and a field that no example of the gateway
 * has anywhere. Of a field that all examples show as null nothing is known. Elements of a list are taken together.
 */
export function differencesFrom(shape: Shape, value: unknown, known: Vocabulary, path = ''): readonly string[] {
  const type = typeOf(value);
  const name = path.split('.').at(-1)?.replace('[]', '') ?? '';
  if (FREE.has(name)) return [];
  if (shape.types.size === 1 && shape.types.has('null')) return [];
  if (!shape.types.has(type)) return [`${path}: ${type}, documented as ${[...shape.types].sort().join(' or ')}`];
  if (typeof value === 'string' && STATE.test(name) && !isWord(value, known.words))
    return [`${path}: ${value} is no published word`];
  if (Array.isArray(value)) {
    const { element } = shape;
    if (element === null) return [];
    return [...new Set(value.flatMap((each) => differencesFrom(element, each, known, `${path}[]`)))];
  }
  const { fields } = shape;
  // Samples have empty objects where there is nothing to show.
  if (!isObject(value) || fields === null || (Object.keys(value).length === 0 && path !== '')) return [];
  const at = (key: string) => (path === '' ? key : `${path}.${key}`);
  const missing = [...fields]
    .filter(([key, { always }]) => always && !Object.hasOwn(value, key))
    .map(([key]) => `${at(key)}: missing`);
  const given = Object.entries(value).flatMap(([key, inner]) => {
    const field = fields.get(key);
    if (field !== undefined) return differencesFrom(field.shape, inner, known, at(key));
    return known.fields.has(key) ? [] : [`${at(key)}: in no example`];
  });
  return [...missing, ...given];
}

/** The envelopes' own `success` and `error` are no states of anything. */
function isWord(text: string, words: readonly string[]): boolean {
  return text === 'success' || text === 'error' || words.some((word) => word.toLowerCase() === text.toLowerCase());
}
