import { z } from 'zod';
import type { PlainRequest, PlainResponse } from '../http/plain.ts';
import type { Switchyard } from '../process.ts';
import { describeRest, serveDescription } from './openapi.ts';

/*
 * The Postman collection, format 2.1, made from the OpenAPI document. The converter that Postman publishes brings hundreds of packages, and
 * knows nothing of what makes a collection work: which ids of an answer the next call needs, and that an order id is used once.
 */

const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** Order ids are used once; Postman and its like make these up at each call. */
const MADE_UP = '{{$guid}}';

/** Keeps ids of an answer for the calls after it. */
const KEEP_IDS = [
  'const { data } = pm.response.json();',
  'const first = data?.payments?.[0] ?? data?.disputes?.[0] ?? data?.settlements?.[0] ?? data?.refunds?.[0] ?? data;',
  "for (const name of ['paymentId', 'refundId', 'disputeId', 'settlementId'])",
  '  if (typeof first?.[name] === "string") pm.collectionVariables.set(name, first[name]);',
];

interface SchemaObject {
  readonly $ref?: string | undefined;
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, SchemaObject>> | undefined;
}

const schemaObject: z.ZodType<SchemaObject> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    example: z.unknown().optional(),
    properties: z.record(z.string(), schemaObject).optional(),
  }),
);
const media = z.object({
  schema: schemaObject.optional(),
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.object({ summary: z.string(), value: z.unknown().optional() })).optional(),
});
const operationSchema = z.object({
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string(),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.enum(['path', 'query', 'header']),
        required: z.boolean().default(false),
        schema: z.object({ description: z.string().optional(), example: z.unknown().optional() }),
      }),
    )
    .default([]),
  requestBody: z.object({ content: z.record(z.string(), media) }).optional(),
  responses: z.record(z.string(), z.object({ content: z.record(z.string(), media).optional() })),
});
const documentSchema = z.object({
  info: z.object({ title: z.string(), description: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.partialRecord(z.enum(['get', 'post']), operationSchema)),
  components: z.object({ schemas: z.record(z.string(), schemaObject) }),
});

type Operation = z.output<typeof operationSchema>;
type Schemas = z.output<typeof documentSchema>['components']['schemas'];

let collection: string | undefined;

/** `GET /v1/postman.json`: a collection of every call for Postman, Bruno and Insomnia. Needs no key. */
export function servePostman(switchyard: Switchyard, request: PlainRequest): Promise<PlainResponse> {
  return serveDescription(switchyard, request, () => {
    collection ??= JSON.stringify(describePostman(switchyard.resources.publicUrl), null, 2);
    return collection;
  });
}

/** The Postman collection of an installation. Set its variable `apiKey`; ids that an answer has are kept for the calls after it. */
export function describePostman(publicUrl: string) {
  const { info, tags, paths, components } = documentSchema.parse(JSON.parse(JSON.stringify(describeRest(publicUrl))));
  const operations = Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const names = operations.flatMap(({ operation }) => operation.parameters.filter(isOfPath).map(({ name }) => name));
  return {
    info: { name: info.title, description: info.description, schema: FORMAT },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: KEEP_IDS } }],
    variable: [
      { key: 'baseUrl', value: publicUrl },
      { key: 'apiKey', value: '' },
      ...[...new Set(names)].map((key) => ({ key, value: '' })),
    ],
    item: tags.map(({ name, description }) => ({
      name,
      description,
      item: operations.filter(({ operation }) => operation.tags.includes(name)).map((one) => itemOf(one, components.schemas)),
    })),
  };
}

function isOfPath(parameter: Operation['parameters'][number]): boolean {
  return parameter.in === 'path';
}

function itemOf(
  { path, method, operation }: { readonly path: string; readonly method: string; readonly operation: Operation },
  schemas: Schemas,
) {
  const { summary, description, parameters, requestBody, responses } = operation;
  const json = requestBody?.content['application/json'];
  const isStream = Object.hasOwn(responses['200']?.content ?? {}, 'text/event-stream');
  const request = {
    method,
    description,
    header: [
      ...(json === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
      ...(isStream ? [{ key: 'Accept', value: 'text/event-stream' }] : []),
      // Without it a call that is sent twice is done twice.
      ...parameters.filter((each) => each.in === 'header').map(({ name, schema }) => parameterOf(name, schema, true, MADE_UP)),
    ],
    url: urlOf(path, parameters),
    ...(json !== undefined && { body: { mode: 'raw', raw: bodyOf(json, schemas), options: { raw: { language: 'json' } } } }),
  };
  const answers = Object.entries(responses['200']?.content?.['application/json']?.examples ?? {});
  const response = answers.map(([, { summary: name, value }]) => ({
    name,
    originalRequest: request,
    code: 200,
    status: 'OK',
    header: [{ key: 'Content-Type', value: 'application/json' }],
    body: JSON.stringify(value, null, 2),
  }));
  return { name: summary, request, response };
}

function urlOf(path: string, parameters: Operation['parameters']) {
  const parts = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1');
  const query = parameters
    .filter((each) => each.in === 'query')
    .map(({ name, schema, required }) => parameterOf(name, schema, !required));
  return {
    raw: `{{baseUrl}}/${parts}`,
    host: ['{{baseUrl}}'],
    path: parts.split('/'),
    query,
    variable: parameters
      .filter(isOfPath)
      .map(({ name, schema }) => ({ key: name, value: `{{${name}}}`, description: schema.description ?? '' })),
  };
}

function parameterOf(key: string, schema: Operation['parameters'][number]['schema'], disabled: boolean, value?: string) {
  return { key, value: value ?? String(schema.example ?? ''), description: schema.description ?? '', disabled };
}

/** The example of a body, or one of the examples that its fields have. */
function bodyOf({ example, schema }: z.output<typeof media>, schemas: Schemas): string {
  const fields = schema?.$ref === undefined ? schema : schemas[schema.$ref.replace('#/components/schemas/', '')];
  const examples = Object.entries(fields?.properties ?? {}).flatMap(([name, each]) =>
    each.example === undefined ? [] : [[name, each.example]],
  );
  const body = typeof example === 'object' && example !== null ? example : Object.fromEntries(examples);
  return JSON.stringify(Object.hasOwn(body, 'merchantOrderId') ? { ...body, merchantOrderId: MADE_UP } : body, null, 2);
}
