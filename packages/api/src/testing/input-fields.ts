import * as flutterwave from '@switchyard/compat/flutterwave';
import * as paystack from '@switchyard/compat/paystack';
import type { AnyTRPCProcedure } from '@trpc/server';
import { type GraphQLInputType, getNamedType, isInputObjectType } from 'graphql';
import { z } from 'zod';
import { schema as graphqlSchema } from '../graphql/handle.ts';
import { TOOLS } from '../mcp/handle.ts';
import { describeRest } from '../rest/openapi.ts';
import { appRouter } from '../trpc/router.ts';

/*
 * Every field that a caller can send, read from the schemas of the transports: a field that is new somewhere is in these lists, too.
 */

export interface InputField {
  /** The transport and the procedure, route, query, tool or dialect: `trpc gateways.connect`. */
  readonly entry: string;
  /** Names joined by points; `*` is any name of a record and each item of a list. */
  readonly path: string;
  /** Format of JSON Schema: `uri`, `date-time`; null without one. */
  readonly format: string | null;
}

const shape = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  get properties() {
    return z.record(z.string(), shape).optional();
  },
  get additionalProperties() {
    return z.union([z.boolean(), shape]).optional();
  },
  get items() {
    return shape.optional();
  },
  get anyOf() {
    return z.array(shape).optional();
  },
  get oneOf() {
    return z.array(shape).optional();
  },
  get allOf() {
    return z.array(shape).optional();
  },
});
type Shape = z.output<typeof shape>;

/** Finds what a `$ref` names. */
type Definitions = (name: string) => Shape;

const noDefinitions: Definitions = (name) => {
  throw new Error(`${name} is not defined`);
};

/** Every text field of every input, once. */
export function inputFields(): readonly InputField[] {
  const fields = [...trpcFields(), ...mcpFields(), ...restFields(), ...graphqlFields(), ...dialectFields()];
  return [...new Map(fields.map((field) => [`${field.entry} ${field.path}`, field])).values()];
}

function trpcFields(): InputField[] {
  return Object.entries(appRouter._def.procedures).flatMap(([path, procedure]) => {
    if (!isProcedure(procedure)) throw new Error(`${path} is no procedure`);
    const inputs = procedure._def.inputs.filter((input) => input instanceof z.ZodType);
    return inputs.flatMap((input) => fieldsOf(`trpc ${path}`, '', shapeOf(input), noDefinitions));
  });
}

function mcpFields(): InputField[] {
  return TOOLS.flatMap(({ name, input }) => fieldsOf(`mcp ${name}`, '', shapeOf(input), noDefinitions));
}

function shapeOf(schema: z.ZodType): Shape {
  return shape.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline', cycles: 'ref' }));
}

const documentSchema = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        parameters: z.array(z.looseObject({ name: z.string(), schema: shape })).default([]),
        requestBody: z.looseObject({ content: z.record(z.string(), z.looseObject({ schema: shape })) }).optional(),
      }),
    ),
  ),
  components: z.looseObject({ schemas: z.record(z.string(), shape) }),
});

function restFields(): InputField[] {
  const { paths, components } = documentSchema.parse(describeRest('https://pay.example'));
  const definitions: Definitions = (ref) => components.schemas[ref.split('/').at(-1) ?? ''] ?? noDefinitions(ref);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters, requestBody }]) => {
      const entry = `rest ${method.toUpperCase()} ${path}`;
      const bodies = Object.values(requestBody?.content ?? {});
      return [
        ...parameters.flatMap(({ name, schema }) => fieldsOf(entry, name, schema, definitions)),
        ...bodies.flatMap(({ schema }) => fieldsOf(entry, '', schema, definitions)),
      ];
    }),
  );
}

function graphqlFields(): InputField[] {
  const queries = Object.values(graphqlSchema.getQueryType()?.getFields() ?? {});
  return queries.flatMap(({ name, args }) =>
    args.flatMap((argument) => graphqlFieldsOf(`graphql ${name}`, argument.name, argument.type)),
  );
}

function graphqlFieldsOf(entry: string, path: string, type: GraphQLInputType): InputField[] {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return [{ entry, path, format: null }];
  return Object.values(named.getFields()).flatMap((field) => graphqlFieldsOf(entry, `${path}.${field.name}`, field.type));
}

/** The fields that dialects translate, beside those that only they have. */
function dialectFields(): InputField[] {
  const dialects = {
    paystack: [...Object.values(paystack.FIELD_NAMES), 'metadata.cancel_action'],
    flutterwave: Object.values(flutterwave.FIELD_NAMES),
  };
  return Object.entries(dialects).flatMap(([name, paths]) =>
    paths.map((path) => ({ entry: `dialect ${name}`, path, format: null })),
  );
}

function fieldsOf(
  entry: string,
  path: string,
  { $ref, ...of }: Shape,
  definitions: Definitions,
  seen: readonly string[] = [],
): InputField[] {
  if ($ref !== undefined)
    return seen.includes($ref) ? [] : fieldsOf(entry, path, definitions($ref), definitions, [...seen, $ref]);
  const inside = (name: string, inner: Shape) =>
    fieldsOf(entry, path === '' ? name : `${path}.${name}`, inner, definitions, seen);
  const choices = [...(of.anyOf ?? []), ...(of.oneOf ?? []), ...(of.allOf ?? [])];
  return [
    ...([of.type].flat().includes('string') ? [{ entry, path, format: of.format ?? null }] : []),
    ...choices.flatMap((choice) => fieldsOf(entry, path, choice, definitions, seen)),
    ...Object.entries(of.properties ?? {}).flatMap(([name, inner]) => inside(name, inner)),
    ...(typeof of.additionalProperties === 'object' ? inside('*', of.additionalProperties) : []),
    ...(of.items === undefined ? [] : inside('*', of.items)),
  ];
}

/*
 * Inputs for a procedure, generated from its schema: every procedure, new ones included, can be called about given records without
 * hand-written input.
 */

/** The ids to call about, by their input names. */
type SampleIds = Readonly<Record<string, string>>;

interface JsonShape {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonShape[];
  readonly oneOf?: readonly JsonShape[];
  readonly allOf?: readonly JsonShape[];
  readonly properties?: Readonly<Record<string, JsonShape>>;
  readonly required?: readonly string[];
  readonly items?: JsonShape;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

const shapeSchema: z.ZodType<JsonShape> = z.custom<JsonShape>((value) => typeof value === 'object' && value !== null);
const IS_ID = /Ids?$/;
const DATE = 'sample-date';
const BIGINT = 'sample-bigint';
const NO_ID = '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11';

/** True if an entry of the router's list is a procedure. */
export function isProcedure(value: unknown): value is AnyTRPCProcedure {
  return typeof value === 'function' && '_def' in value;
}

/** A valid input for the procedure with these ids; undefined for a procedure without input. */
export function sampleInput({ inputs }: { readonly inputs: readonly unknown[] }, ids: SampleIds): unknown {
  const samples = inputs.filter((input) => input instanceof z.ZodType).map((schema) => sampleOf(schemaShape(schema), '', ids));
  return samples.length === 0 ? undefined : Object.assign({}, ...samples);
}

function schemaShape(schema: z.ZodType): JsonShape {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => {
      const { type } = zodSchema._zod.def;
      if (type === 'date') jsonSchema.format = DATE;
      if (type === 'bigint') jsonSchema.format = BIGINT;
    },
  });
  return shapeSchema.parse(json);
}

function sampleOf(shape: JsonShape, name: string, ids: SampleIds): unknown {
  if (shape.const !== undefined) return shape.const;
  if (shape.enum !== undefined) return shape.enum.includes('test') ? 'test' : shape.enum[0];
  const choices = shape.anyOf ?? shape.oneOf;
  if (choices !== undefined) {
    // Optional fields are left out, except ids.
    const wanted = choices.find(({ type }) => (type === 'null') !== IS_ID.test(name)) ?? choices[0] ?? {};
    return sampleOf(wanted, name, ids);
  }
  if (shape.allOf !== undefined) return Object.assign({}, ...shape.allOf.map((part) => sampleOf(part, name, ids)));
  if (typeof shape.type === 'object') {
    const wanted = shape.type.find((type) => (type === 'null') !== IS_ID.test(name)) ?? 'null';
    return sampleOf({ ...shape, type: wanted }, name, ids);
  }
  if (shape.format === DATE) return new Date('2026-11-01T00:00:00Z');
  if (shape.format === BIGINT) return 1n;
  switch (shape.type) {
    case 'object':
      return sampleObject(shape, ids);
    case 'array':
      return Array.from({ length: Math.max(1, shape.minItems ?? 0) }, () =>
        sampleOf(shape.items ?? {}, name.replace(/s$/, ''), ids),
      );
    case 'string':
      return sampleText(shape, name, ids);
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, shape.minimum ?? 1), shape.maximum ?? 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return {};
  }
}

/** Every required field, and every id. */
function sampleObject({ properties = {}, required = [] }: JsonShape, ids: SampleIds): Record<string, unknown> {
  const named = Object.entries(properties).filter(([name]) => required.includes(name) || IS_ID.test(name));
  return Object.fromEntries(named.map(([name, shape]) => [name, sampleOf(shape, name, ids)]));
}

function sampleText({ format, pattern, minLength = 1 }: JsonShape, name: string, ids: SampleIds): string {
  if (format === 'uuid' || /Id$/.test(name)) return ids[name] ?? NO_ID;
  if (format === 'date-time') return '2026-11-01T00:00:00Z';
  if (format === 'date') return '2026-11-01';
  if (format === 'email' || name === 'email') return 'new@example.com';
  if (format === 'uri') return 'https://example.com/';
  const known = ['NGN', 'NG', '2026-11-01', '2026-11', '2026', 'a'.repeat(64), '1', 'a', 'A', 'Africa/Lagos'];
  if (pattern !== undefined) return known.find((text) => new RegExp(pattern, 'u').test(text)) ?? 'x';
  return 'x'.repeat(Math.max(1, minLength));
}
