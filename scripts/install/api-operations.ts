import { describeRest } from '@switchyard/api/rest';
import { z } from 'zod';

/** The part of JSON Schema that the document of the REST API uses. */
export interface Schema {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly format?: string | undefined;
  readonly description?: string | undefined;
  readonly enum?: readonly (string | number | boolean | null)[] | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: boolean | Schema | undefined;
  readonly items?: Schema | undefined;
}

/**
 * Keywords that a client's types could not show: a generator has to learn them before the document may use them. `allOf` that only says
 * which fields go together is checked by the service.
 */
const UNREAD = ['oneOf', 'not', 'const', 'prefixItems', 'patternProperties'];

const fieldsTogether = z.strictObject({ required: z.array(z.string()), properties: z.looseObject({}) });
const rulesBetweenFields = z.array(z.strictObject({ anyOf: z.array(fieldsTogether) }));

const oneSchema = z.lazy(() =>
  z
    .looseObject({
      $ref: z.string().optional(),
      type: z.union([z.string(), z.array(z.string())]).optional(),
      format: z.string().optional(),
      description: z.string().optional(),
      enum: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
      properties: z.record(z.string(), schemaSchema).optional(),
      required: z.array(z.string()).optional(),
      additionalProperties: z.union([z.boolean(), schemaSchema]).optional(),
      items: schemaSchema.optional(),
      anyOf: z.array(schemaSchema).optional(),
    })
    .refine(({ allOf = [] }) => rulesBetweenFields.safeParse(allOf).success, 'allOf is read only for rules between fields')
    .refine((schema) => !UNREAD.some((keyword) => keyword in schema), `none of ${UNREAD.join(', ')} is read`),
);

/** A schema of several types, such as an object or null, is read as one schema that has them all. */
const schemaSchema: z.ZodType<Schema> = oneSchema.transform(({ anyOf, ...own }): Schema => {
  if (anyOf === undefined) return own;
  const type = anyOf.flatMap((each) => each.type ?? []);
  return Object.assign({}, ...anyOf, own, { type });
});

const jsonContent = z.object({ content: z.looseObject({ 'application/json': z.object({ schema: schemaSchema }).optional() }) });
const operationSchema = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.enum(['path', 'query', 'header']),
        required: z.boolean().default(false),
        schema: schemaSchema,
        description: z.string().default(''),
      }),
    )
    .default([]),
  requestBody: jsonContent.extend({ required: z.boolean().default(false) }).optional(),
  responses: z.looseObject({ 200: jsonContent }),
});
const documentSchema = z.object({
  components: z.object({ schemas: z.record(z.string(), schemaSchema) }),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
});

/** A parameter of the path or the query, under the name that the API has for it. */
export interface Parameter {
  readonly name: string;
  readonly schema: Schema;
  readonly description: string;
}

/** An operation that answers JSON. */
export interface Operation {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  /** With its parameters in braces. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly pathParameters: readonly Parameter[];
  readonly query: readonly Parameter[];
  readonly body: { readonly schema: Schema; readonly required: boolean } | null;
  /** True if it is done once by its `Idempotency-Key`. */
  readonly once: boolean;
  /** False where sending it twice may do it twice. */
  readonly mayRepeat: boolean;
  /** `data` of its answer. */
  readonly result: Schema;
  /** Field of the result that has the items of a page; null if the result is not a list. */
  readonly items: string | null;
}

/** The REST API, as generators of clients read it. */
export interface ApiOperations {
  /** By name. */
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly operations: readonly Operation[];
}

/** Operations without an `Idempotency-Key` that change nothing that a second one would change again. */
const REPEATABLE = new Set(['verifyPayment', 'checkRules']);

/** Reads the OpenAPI document of this version. Throws when it uses something that no generator knows. */
export function readApiOperations(): ApiOperations {
  const { components, paths } = documentSchema.parse(describeRest('https://switchyard.example'));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const answer = operation.responses[200].content['application/json']?.schema;
      // The stream of events is not JSON.
      return answer === undefined ? [] : [readOperation(components.schemas, path, method, operation, answer)];
    }),
  );
  return { schemas: components.schemas, operations };
}

function readOperation(
  schemas: Readonly<Record<string, Schema>>,
  path: string,
  method: string,
  { operationId: id, summary, description, parameters, requestBody }: z.output<typeof operationSchema>,
  answer: Schema,
): Operation {
  const result = answer.properties?.data;
  if (result === undefined) throw new Error(`${id} answers no data`);
  if (method !== 'get' && method !== 'post') throw new Error(`${id} has the method ${method}`);
  // Clients put nothing else into an address.
  const other = parameters.find(({ in: place, schema }) => place === 'path' && schema.format !== 'uuid');
  if (other !== undefined) throw new Error(`${other.name} of ${id} is no UUID`);
  const once = parameters.some(({ name }) => name === 'Idempotency-Key');
  const { properties = {} } = followReference(schemas, result);
  const items = Object.entries(properties).find(([, { type }]) => type === 'array')?.[0] ?? null;
  const schema = requestBody?.content['application/json']?.schema;
  return {
    id,
    method: method === 'get' ? 'GET' : 'POST',
    path,
    summary,
    description: description.replace(/^An extension\.\s*/, ''),
    pathParameters: parameters.filter((parameter) => parameter.in === 'path'),
    query: parameters.filter((parameter) => parameter.in === 'query'),
    body: schema === undefined ? null : { schema, required: requestBody?.required === true },
    once,
    mayRepeat: method === 'get' || once || REPEATABLE.has(id),
    result,
    items: 'nextCursor' in properties ? items : null,
  };
}

/** The schema that is named, or itself. */
export function followReference(schemas: Readonly<Record<string, Schema>>, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const named = schemas[nameOf(schema.$ref)];
  if (named === undefined) throw new Error(`there is no ${schema.$ref}`);
  return named;
}

/** The name at the end of a reference. */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** The types of a schema: `null` among them where it may be null. */
export function typesOf({ type }: Schema): readonly string[] {
  return typeof type === 'string' ? [type] : (type ?? []);
}

/** Text in lines of this many characters at most, words whole. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}
