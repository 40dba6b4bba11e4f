import { parseFilter, withoutSchema } from './filter.ts';
import { ScimRefusal } from './scim-error.ts';

/** Attributes of a resource with names in lower case: SCIM does not distinguish cases (RFC 7643, section 2.1). */
export type Attributes = Readonly<Record<string, unknown>>;

/** Attributes of a kind of resource, by their names in lower case. */
export interface ResourceShape {
  readonly attributes: Readonly<Record<string, 'single' | 'complex' | 'list'>>;
  readonly readOnly: readonly string[];
  /** Attributes of the standard that are not kept: a client may send them. */
  readonly ignored: readonly string[];
}

/** One operation of a PATCH request. */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path?: string | undefined;
  readonly value?: unknown;
}

const PATH = /^([a-z][\w$-]*)(?:\[([^\]]{1,300})\])?(?:\.([a-z$][\w$-]*))?$/i;

/**
 * The resource after the operations (RFC 7644, section 3.5.2), which is then to be checked as one that is sent whole. Throws
 * {@link ScimRefusal} for an operation without a target.
 */
export function applyPatch(shape: ResourceShape, resource: Attributes, operations: readonly PatchOperation[]): Attributes {
  return operations.reduce((before, operation) => applyOperation(shape, before, operation), resource);
}

function applyOperation(shape: ResourceShape, resource: Attributes, { op, path, value }: PatchOperation): Attributes {
  if (path !== undefined && path !== '') return applyAt(shape, resource, { op, path, value });
  if (op === 'remove') throw new ScimRefusal(400, 'A remove operation needs a path.', 'noTarget');
  if (!isObject(value)) throw new ScimRefusal(400, 'An operation without a path needs an object of attributes.', 'invalidValue');
  // Okta repeats the id in such an object; Entra ID writes paths as its keys.
  const settable = Object.entries(value).filter(([key]) => !isNamed([...shape.readOnly, 'schemas'], key));
  return settable.reduce((before, [key, part]) => applyAt(shape, before, { op, path: key, value: part }), resource);
}

interface PathedOperation extends PatchOperation {
  readonly path: string;
}

function applyAt(shape: ResourceShape, resource: Attributes, { op, path, value }: PathedOperation): Attributes {
  const text = withoutSchema(path);
  // Attributes of extensions are not kept.
  if (/^urn:/i.test(text)) return resource;
  const [, name = '', selection, sub = ''] = PATH.exec(text) ?? [];
  const attribute = name.toLowerCase();
  if (isNamed(shape.readOnly, attribute)) throw new ScimRefusal(400, `${name} cannot be changed.`, 'mutability');
  if (isNamed(shape.ignored, attribute)) return resource;
  const type = Object.hasOwn(shape.attributes, attribute) ? shape.attributes[attribute] : undefined;
  if (type === undefined) throw new ScimRefusal(400, `There is no attribute ${path.slice(0, 100)}.`, 'invalidPath');
  const before = resource[attribute];
  const target = { op, value: withLowerCaseNames(value), sub: sub.toLowerCase() };
  if (type === 'list') return { ...resource, [attribute]: changeList(listOf(before), target, selection) };
  if (selection !== undefined || (type === 'single' && sub !== '')) {
    throw new ScimRefusal(400, `${name} has one value: ${path.slice(0, 100)} is no path of it.`, 'invalidPath');
  }
  if (type === 'single') return { ...resource, [attribute]: op === 'remove' ? undefined : target.value };
  if (op === 'remove' && target.sub === '') return { ...resource, [attribute]: undefined };
  return { ...resource, [attribute]: changeItem(isObject(before) ? before : {}, target) };
}

interface Target {
  readonly op: PatchOperation['op'];
  readonly value: unknown;
  /** In lower case; empty for the whole value. */
  readonly sub: string;
}

function changeItem(item: Attributes, { op, value, sub }: Target): Attributes {
  if (sub !== '') return { ...item, [sub]: op === 'remove' ? undefined : value };
  if (!isObject(value)) throw new ScimRefusal(400, 'An object is needed for an attribute that has parts.', 'invalidValue');
  return { ...item, ...value };
}

function changeList(items: readonly Attributes[], target: Target, selection: string | undefined): readonly Attributes[] {
  const { op, value, sub } = target;
  if (selection === undefined && sub === '') {
    if (op === 'replace') return listOf(value);
    if (op === 'add') return addItems(items, listOf(value));
    // Entra ID removes members by a list of them.
    const gone = new Set(listOf(value).map((item) => item.value));
    return value === undefined || value === null ? [] : items.filter((item) => !gone.has(item.value));
  }
  const terms = selection === undefined ? [] : parseFilter(selection);
  if (terms === null) throw new ScimRefusal(400, `${selection} selects nothing that is known here.`, 'invalidFilter');
  const isSelected = (item: Attributes) =>
    terms.every(({ attribute, value: wanted }) => String(item[attribute] ?? '').toLowerCase() === String(wanted).toLowerCase());
  if (op === 'remove') {
    return sub === ''
      ? items.filter((item) => !isSelected(item))
      : items.map((item) => (isSelected(item) ? changeItem(item, target) : item));
  }
  if (items.some(isSelected)) return items.map((item) => (isSelected(item) ? changeItem(item, target) : item));
  // A value that is not there yet is made from its selection: Entra ID sets the first work address so.
  const made = Object.fromEntries(terms.map(({ attribute, value: wanted }) => [attribute, wanted]));
  return addItems(items, [changeItem(made, target)]);
}

/** Adds values that are not there, and leaves no other the primary one beside a new one (RFC 7644, section 3.5.2). */
function addItems(items: readonly Attributes[], added: readonly Attributes[]): readonly Attributes[] {
  const byValue = new Map(items.map((item) => [item.value, item]));
  const primary = added.findLast((item) => isTrue(item.primary) && !byValue.has(item.value));
  for (const item of added) byValue.set(item.value, { ...byValue.get(item.value), ...item });
  return Array.from(byValue.values(), (item) =>
    primary === undefined || item.value === primary.value ? item : { ...item, primary: false },
  );
}

const isTrue = (value: unknown) => String(value).toLowerCase() === 'true';

function listOf(value: unknown): readonly Attributes[] {
  const list = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  return list.map((item: unknown) => (isObject(item) ? item : { value: item }));
}

function isNamed(names: readonly string[], key: string): boolean {
  return names.includes(key.toLowerCase());
}

function isObject(value: unknown): value is Attributes {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const DEPTH_MAX = 4;

/** A value whose attributes have names in lower case, at every depth that resources have. */
export function withLowerCaseNames(value: unknown, depth = 0): unknown {
  if (depth > DEPTH_MAX) return undefined;
  if (Array.isArray(value)) return value.map((item: unknown) => withLowerCaseNames(item, depth + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [withoutSchema(key).toLowerCase(), withLowerCaseNames(part, depth + 1)]),
  );
}
