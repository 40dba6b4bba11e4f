import type { RecordedAnswer, RecordedExamples } from '@switchyard/api/rest';
import { z } from 'zod';
import { describeRest, recordedExamples } from '#/server/native/rest.ts';
import { publicUrl } from '#/server/public-url.ts';

/*
 * The parts of OpenAPI 3.1 that our own description uses, read from it alone, so that the page never shows anything
 * the description does not.
 */

/** A schema as JSON Schema writes it, as far as the page shows it. */
export interface Schema {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly format?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
  /** Words of a list that may become longer. */
  readonly 'x-extensible-enum'?: readonly string[] | undefined;
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: Schema | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
}

const oneSchema = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    description: z.string().optional(),
    format: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    'x-extensible-enum': z.array(z.string()).optional(),
    example: z.unknown().optional(),
    properties: z.record(z.string(), schema).optional(),
    required: z.array(z.string()).optional(),
    items: schema.optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    anyOf: z.array(schema).optional(),
  }),
);

/** A schema of several types, such as an object or null, is shown as one schema that has them all. */
const schema: z.ZodType<Schema> = oneSchema.transform(({ anyOf, ...own }): Schema => {
  if (anyOf === undefined) return own;
  const type = anyOf.flatMap((each) => each.type ?? []);
  return Object.assign({}, ...anyOf, own, { type });
});

const content = z.object({ 'application/json': z.object({ schema, example: z.unknown().optional() }).optional() });
const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  parameters: z.array(z.object({ name: z.string(), in: z.string(), required: z.boolean().default(false), schema })).default([]),
  requestBody: z.object({ required: z.boolean().default(false), content }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content: content.optional() })),
});
const webhook = z.object({
  post: z.object({
    summary: z.string(),
    description: z.string(),
    requestBody: z.object({ content }),
  }),
});
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const document = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string().optional() }),
  paths: z.record(z.string(), z.partialRecord(z.enum(METHODS), operation)),
  webhooks: z.record(z.string(), webhook),
  components: z.object({ schemas: z.record(z.string(), schema) }),
});

/** An endpoint of the REST API. */
export type Operation = z.infer<typeof operation> & { readonly method: (typeof METHODS)[number]; readonly path: string };

/** An event that webhook endpoints receive. */
export interface EventDescription {
  readonly type: string;
  readonly summary: string;
  readonly description: string;
  readonly body: Schema;
}

/** The parts of the OpenAPI document that the pages show. */
export interface ApiDocument {
  readonly version: string;
  readonly description: string;
  readonly operations: readonly Operation[];
  readonly events: readonly EventDescription[];
  readonly schemas: Readonly<Record<string, Schema>>;
}

/** Reads a description. Throws `ZodError` for one that is not OpenAPI as we write it. */
export function readApiDocument(given: unknown): ApiDocument {
  const { info, paths, webhooks, components } = document.parse(given);
  const operations = Object.entries(paths).flatMap(([path, byMethod]) =>
    METHODS.flatMap((method) => {
      const found = byMethod[method];
      return found === undefined ? [] : [{ ...found, method, path }];
    }),
  );
  const events = Object.entries(webhooks).map(([type, { post }]) => {
    const { summary, description, requestBody } = post;
    return { type, summary, description, body: requestBody.content['application/json']?.schema ?? {} };
  });
  return { version: info.version, description: info.description ?? '', operations, events, schemas: components.schemas };
}

/** The name of the component a schema points at, or null when it is inline. */
export function componentName({ $ref }: Schema): string | null {
  return $ref?.match(/^#\/components\/schemas\/(.+)$/)?.[1] ?? null;
}

/** The types a schema allows, `null` left out. */
export function typesOf({ type }: Schema): readonly string[] {
  const types = typeof type === 'string' ? [type] : (type ?? []);
  return types.filter((name) => name !== 'null');
}

/** True if a schema allows null. */
export function isNullable({ type }: Schema): boolean {
  return Array.isArray(type) && type.includes('null');
}

/** Data that the pages are made from, beside their text. */
interface DocsData {
  /** Public address of this installation. */
  readonly base: string;
  /** The description that is served at `/v1/openapi.json`. */
  readonly api: ApiDocument;
  readonly examples: RecordedExamples;
}

let data: DocsData | undefined;

/** Read once in a process: nothing of it changes while it runs. */
export function docsData(): DocsData {
  if (data === undefined) {
    const base = publicUrl();
    data = { base, api: readApiDocument(describeRest(base)), examples: recordedExamples(base) };
  }
  return data;
}

/** The recorded answer of this name; of several endpoints' the first. Throws when there is none. */
export function recordedAnswer(name: string): RecordedAnswer {
  const answer = docsData().examples.answers.find((each) => each.name === name);
  if (answer === undefined) throw new Error(`no answer is recorded as ${name}`);
  return answer;
}
