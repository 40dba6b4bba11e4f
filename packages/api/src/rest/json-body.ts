import { isDeeperThan } from '@switchyard/db';
import type { z } from 'zod';
import type { PlainRequest } from '../http/plain.ts';
import { describeIssues } from './issues.ts';

/** A parsed and validated request body, or why it was refused. */
export type JsonBody<T> =
  | { readonly kind: 'valid'; readonly value: T; readonly json: unknown }
  | { readonly kind: 'not_json_type' }
  /** One string per problem: field path, then the rule. */
  | { readonly kind: 'invalid'; readonly errors: readonly string[]; readonly json: unknown };

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
const LEVELS_MAX = 20;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses a JSON body against a schema. An empty body is `{}` where `optional`, a problem elsewhere. */
export function readJsonBody<T>(request: PlainRequest, bytes: Uint8Array, schema: z.ZodType<T>, optional: boolean): JsonBody<T> {
  if (bytes.length === 0) {
    return optional ? check({}, schema) : { kind: 'invalid', errors: ['body must be a JSON object'], json: undefined };
  }
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) return { kind: 'not_json_type' };
  let json: unknown;
  try {
    json = JSON.parse(strictUtf8.decode(bytes));
  } catch {
    return { kind: 'invalid', errors: ['body must be valid JSON'], json: undefined };
  }
  return check(json, schema);
}

function check<T>(json: unknown, schema: z.ZodType<T>): JsonBody<T> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return { kind: 'invalid', errors: ['body must be a JSON object'], json: undefined };
  }
  if (isDeeperThan(json, LEVELS_MAX))
    return { kind: 'invalid', errors: [`body must be at most ${LEVELS_MAX} levels deep`], json: undefined };
  const parsed = schema.safeParse(json, { reportInput: true });
  return parsed.success
    ? { kind: 'valid', value: parsed.data, json }
    : { kind: 'invalid', errors: describeIssues(parsed.error.issues), json };
}
