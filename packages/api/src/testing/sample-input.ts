import type { AnyTRPCProcedure } from '@trpc/server';
import { z } from 'zod';

/*
 * Inputs for a procedure, generated from its schema: every procedure, new ones included, can be called about given records without
 * hand-written input.
 */

/** The ids to call about, by their input names. */
export type SampleIds = Readonly<Record<string, string>>;

interface Shape {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

const shapeSchema: z.ZodType<Shape> = z.custom<Shape>((value) => typeof value === 'object' && value !== null);
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

function schemaShape(schema: z.ZodType): Shape {
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

function sampleOf(shape: Shape, name: string, ids: SampleIds): unknown {
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
function sampleObject({ properties = {}, required = [] }: Shape, ids: SampleIds): Record<string, unknown> {
  const named = Object.entries(properties).filter(([name]) => required.includes(name) || IS_ID.test(name));
  return Object.fromEntries(named.map(([name, shape]) => [name, sampleOf(shape, name, ids)]));
}

function sampleText({ format, pattern, minLength = 1 }: Shape, name: string, ids: SampleIds): string {
  if (format === 'uuid' || /Id$/.test(name)) return ids[name] ?? NO_ID;
  if (format === 'date-time') return '2026-11-01T00:00:00Z';
  if (format === 'date') return '2026-11-01';
  if (format === 'email' || name === 'email') return 'new@example.com';
  if (format === 'uri') return 'https://example.com/';
  const known = ['NGN', 'NG', '2026-11-01', '2026-11', '2026', 'a'.repeat(64), '1', 'a', 'A', 'Africa/Lagos'];
  if (pattern !== undefined) return known.find((text) => new RegExp(pattern, 'u').test(text)) ?? 'x';
  return 'x'.repeat(Math.max(1, minLength));
}
