import leven from 'leven';
import { z } from 'zod';
import type { FieldError } from './envelope.ts';

/** The fields of a body that no schema names. */
export interface UnknownFields {
  /** Each in a strict object, with what it may be meant for: it is never ignored. */
  readonly refused: readonly FieldError[];
  /** Each other one that is nearly a field of ours, with what it may be meant for. */
  readonly misspelt: readonly FieldError[];
  /** All that may be ignored, as paths: `callback`, `customer.vip`. */
  readonly paths: readonly string[];
}

const NAMES_MAX = 20;
const NONE: UnknownFields = { refused: [], misspelt: [], paths: [] };

/** Finds the fields of an object that its schema does not have, in it and in the objects that the schema describes; at most 20. */
export function findUnknownFields(given: unknown, schema: z.ZodType): UnknownFields {
  const unknown = [...walk(given, schema, '')].slice(0, NAMES_MAX);
  if (unknown.length === 0) return NONE;
  const ignored = unknown.filter(({ isRefused }) => !isRefused);
  return {
    refused: unknown.flatMap(({ path, meant, isRefused }) => (isRefused ? [describeUnknownName(path, meant)] : [])),
    misspelt: ignored.flatMap(({ path, meant }) => (meant === null ? [] : [describeUnknownName(path, meant)])),
    paths: ignored.map(({ path }) => path),
  };
}

interface UnknownField {
  readonly isRefused: boolean;
  readonly path: string;
  readonly meant: string | null;
}

function* walk(given: unknown, schema: z.ZodType, prefix: string): Generator<UnknownField> {
  const inner = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? schema.unwrap() : schema;
  if (!(inner instanceof z.ZodObject) || typeof given !== 'object' || given === null) return;
  const shape: Readonly<Record<string, z.ZodType>> = inner.shape;
  // A field that is given under its own name was not meant by another.
  const missing = Object.keys(shape).filter((name) => !Object.hasOwn(given, name));
  for (const [name, value] of Object.entries(given)) {
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (known !== undefined) yield* walk(value, known, `${prefix}${name}.`);
    else {
      const meant = nearestName(name, missing);
      yield { path: prefix + name, meant: meant === null ? null : prefix + meant, isRefused: isStrict(inner) };
    }
  }
}

/** True for an object that takes no other field than those of its shape. */
function isStrict({ def }: z.ZodObject): boolean {
  return def.catchall instanceof z.ZodNever;
}

/** Names farther from every known one than this, or than half of their length, are no misspelling of it. */
const DISTANCE_MAX = 2;

/** The known name that a misspelt one was probably meant to be; conventions of writing do not count. Null when none is near. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const plain = plainly(name);
  const maxDistance = Math.min(DISTANCE_MAX, Math.floor(plain.length / 2));
  const near = known
    .map((candidate) => ({ candidate, apart: leven(plain, plainly(candidate), { maxDistance: maxDistance + 1 }) }))
    .filter(({ apart }) => apart <= maxDistance)
    .toSorted((one, other) => one.apart - other.apart)[0];
  return near?.candidate ?? null;
}

/** The error about an unknown name at a path, and the path of the name that was meant. */
export function describeUnknownName(field: string, meant: string | null): FieldError {
  return { field, code: 'unknown_field', rule: meant === null ? 'is not known' : `is not known; did you mean ${meant}?` };
}

/** Without what conventions of writing differ in: `redirect_URL` is `redirecturl`. */
function plainly(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}
