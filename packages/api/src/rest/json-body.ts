import { isDeeperThan } from '@switchyard/db';
import { parseExactJson } from '@switchyard/db/exact-json';
import type { z } from 'zod';
import type { PlainRequest } from '../http/plain.ts';
import type { FieldError } from './envelope.ts';
import { describeIssues } from './issues.ts';

/** A parsed and validated request body, or why it was refused. */
export type JsonBody<T> =
  | { readonly kind: 'valid'; readonly value: T; readonly json: unknown }
  | { readonly kind: 'not_json_type' }
  | { readonly kind: 'encoded' }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[]; readonly json: unknown };

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
const LEVELS_MAX = 20;
const NO_OBJECT: Extract<JsonBody<never>, { kind: 'invalid' }> = invalidBody('invalid_type', 'must be a JSON object');
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses a JSON body against a schema. An empty body is `{}` where `optional`, a problem elsewhere: `missingBody`, if it is given. */
export function readJsonBody<T>(
  request: PlainRequest,
  bytes: Uint8Array,
  schema: z.ZodType<T>,
  { optional, missingBody }: { readonly optional: boolean; readonly missingBody?: FieldError },
): JsonBody<T> {
  if (bytes.length === 0) {
    if (optional) return check({}, schema);
    return missingBody === undefined ? NO_OBJECT : { ...NO_OBJECT, errors: [missingBody] };
  }
  if (isEncoded(request)) return { kind: 'encoded' };
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) return { kind: 'not_json_type' };
  let json: unknown;
  try {
    json = parseExactJson(strictUtf8.decode(bytes));
  } catch {
    return invalidBody('invalid_format', 'must be valid JSON');
  }
  const body = check(json, schema);
  // A body that is no object has none of the fields: the refusal says which are needed.
  if (body !== NO_OBJECT || missingBody === undefined) return body;
  return { ...NO_OBJECT, errors: [...NO_OBJECT.errors, missingBody] };
}

/** True of a body that is compressed or encoded otherwise: none is decoded. */
export function isEncoded({ headers }: Pick<PlainRequest, 'headers'>): boolean {
  return !/^\s*(?:identity\s*)?$/i.test(headers['content-encoding'] ?? '');
}

function check<T>(json: unknown, schema: z.ZodType<T>): JsonBody<T> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return NO_OBJECT;
  if (isDeeperThan(json, LEVELS_MAX)) return invalidBody('too_large', `must be at most ${LEVELS_MAX} levels deep`);
  const parsed = schema.safeParse(json, { reportInput: true });
  return parsed.success
    ? { kind: 'valid', value: parsed.data, json }
    : { kind: 'invalid', errors: describeIssues(parsed.error.issues), json };
}

function invalidBody(code: FieldError['code'], rule: string) {
  return { kind: 'invalid', errors: [{ field: 'body', code, rule }], json: undefined } as const;
}
