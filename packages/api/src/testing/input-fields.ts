import * as flutterwave from '@switchyard/compat/flutterwave';
import * as paystack from '@switchyard/compat/paystack';
import { type GraphQLInputType, getNamedType, isInputObjectType } from 'graphql';
import { z } from 'zod';
import { schema as graphqlSchema } from '../graphql/handle.ts';
import { TOOLS } from '../mcp/handle.ts';
import { describeRest } from '../rest/openapi.ts';
import { appRouter } from '../trpc/router.ts';
import { isProcedure } from './sample-input.ts';

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
