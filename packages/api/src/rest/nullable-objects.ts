interface Schema {
  readonly type?: unknown;
  readonly $ref?: unknown;
}

interface SchemaDocument {
  readonly components?: { readonly schemas?: Readonly<Record<string, object>> } | undefined;
}

/** Keywords of a value that may be of several types, not of one of these. */
const ANNOTATIONS = new Set(['description', 'example', 'examples', 'default', 'title', 'deprecated']);
/** Values that may look like a schema. */
const EXAMPLES = new Set(['example', 'examples', 'default']);
const OF_LISTS = new Set(['items', 'minItems', 'maxItems', 'uniqueItems']);

/**
 * Writes objects and lists that may be null as `anyOf` with null. Many generators of clients lose the null of `type: ["object", "null"]`, and
 * all lose that of a named schema that is itself nullable: a named schema becomes the object alone, and what refers to it is nullable.
 */
export function withNullableObjects<Document extends SchemaDocument>(document: Document): Document {
  const nullable = new Set(
    Object.entries(document.components?.schemas ?? {})
      .filter(([, schema]) => partsOf(schema)?.includes('null'))
      .map(([name]) => `#/components/schemas/${name}`),
  );
  const rewrite = (value: unknown, isNamed: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => rewrite(item, false));
    if (typeof value !== 'object' || value === null) return value;
    return spread(value, isNamed, nullable, (each) => rewrite(each, false));
  };
  const schemas = Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => [name, rewrite(schema, true)]);
  const others: Document = JSON.parse(JSON.stringify(rewrite({ ...document, components: undefined }, false)));
  return { ...others, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
}

/** The types of a schema that has several, an object or a list among them; null for others. */
function partsOf({ type }: Schema): readonly string[] | null {
  if (!Array.isArray(type) || !(type.includes('object') || type.includes('array'))) return null;
  return type.map(String);
}

function spread(schema: Schema, isNamed: boolean, nullable: ReadonlySet<unknown>, rewrite: (value: unknown) => unknown): unknown {
  if (nullable.has(schema.$ref)) return { anyOf: [schema, { type: 'null' }] };
  const rewritten = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (EXAMPLES.has(keyword)) return [keyword, value];
      return [keyword, keyword === 'properties' ? mapFields(value, rewrite) : rewrite(value)];
    }),
  );
  const parts = partsOf(schema)?.filter((type) => !isNamed || type !== 'null');
  if (parts === undefined) return rewritten;
  const kept = Object.entries(rewritten).filter(([keyword]) => keyword !== 'type');
  const only = parts.length === 1 ? parts[0] : undefined;
  if (only !== undefined) return { type: only, ...Object.fromEntries(kept) };
  const annotations = kept.filter(([keyword]) => ANNOTATIONS.has(keyword));
  const rules = kept.filter(([keyword]) => !ANNOTATIONS.has(keyword));
  const anyOf = parts.map((type) => {
    const own = rules.filter(([keyword]) => type !== 'null' && OF_LISTS.has(keyword) === (type === 'array'));
    return { type, ...Object.fromEntries(own) };
  });
  return { anyOf, ...Object.fromEntries(annotations) };
}

/** Names of fields may be those of keywords. */
function mapFields(fields: object, rewrite: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, rewrite(schema)]));
}
