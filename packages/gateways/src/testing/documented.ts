import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/**
 * Examples of the gateways' own documentation, one file for each gateway in `packages/gateways/documented`. Names of fields, types, nulls,
 * words for states, codes and messages are as the source prints them; ids, people, references and times are replaced. `expected` is
 * written from the source's text, never from what a connector answers.
 */

/** One answer under an HTTP status. */
const answerSchema = z.strictObject({ status: z.number().int(), body: z.unknown() });

const exampleSchema = z.strictObject({
  /** Says what the source shows: `verify: a transaction that was reversed`. */
  name: z.string(),
  kind: z.enum(['request', 'answer', 'webhook']),
  /** Subject of the example. */
  topic: z.enum([
    'open',
    'success',
    'failed',
    'pending',
    'reversed',
    'refund',
    'dispute',
    'settlement',
    'list',
    'error',
    'token',
    'other',
  ]),
  /** Address and section. */
  source: z.string().regex(/^https:\/\//),
  /** Day of the copy that was read. */
  date: z.iso.date(),
  /** Meaning, by the source. */
  means: z.string(),
  /** Examples of the same shape have the same name here, for schemas made from them; absent where no schema is made. */
  shape: z.string().optional(),
  /** Flows of a simulator that it shows, for the checks of simulators: `failed`, `refund done`, `wrong key`. */
  flows: z.array(z.string()).optional(),
  /** True for a shape made from a list of fields, where the source prints no whole body. */
  partial: z.literal(true).optional(),
  status: z.number().int().default(200),
  body: z.unknown(),
  /** Contradiction within the documentation, or with another page, and how it was settled. */
  contradiction: z.string().optional(),
  /** The connector's function that the example goes through. Absent where no function reads it. */
  operation: z.string().optional(),
  input: z.record(z.string(), z.unknown()).default({}),
  /** Answers to the calls before the one that the example answers. */
  before: z.array(answerSchema).default([]),
  /** Answers to the calls after it. */
  after: z.array(answerSchema).default([]),
  /** Part of the outcome, of the reading of a webhook, or of the call that is sent. */
  expected: z.record(z.string(), z.unknown()).default({}),
  /** Webhooks: the header's value by the documented rule, over the body as `JSON.stringify` writes it. */
  signature: z.string().optional(),
  /** Requests: JSON types by field, and which are required. */
  fields: z.record(z.string(), z.string()).optional(),
  required: z.array(z.string()).optional(),
});

const collectionSchema = z.strictObject({
  gateway: z.string(),
  /** The documented rule. `key` names the credential. */
  signature: z.strictObject({
    source: z.string(),
    header: z.string(),
    algorithm: z.enum(['sha256', 'sha512', 'none']),
    encoding: z.enum(['hex', 'HEX', 'base64', 'text']),
    over: z.enum(['body', 'data', 'nothing']),
    key: z.string(),
  }),
  /** A secret, a body and its signature, exactly as a document prints them together. */
  printedSignature: z
    .strictObject({
      source: z.string(),
      date: z.iso.date(),
      secret: z.string(),
      body: z.string(),
      signature: z.string(),
      contradiction: z.string().optional(),
    })
    .optional(),
  credentials: z.record(z.string(), z.string()),
  /** The call that gets a token, where calls carry one: its path's end, and the example that answers it. */
  token: z.strictObject({ path: z.string(), example: z.string() }).optional(),
  /** Words for states as published: each list with its source. */
  states: z.record(z.string(), z.strictObject({ source: z.string(), words: z.array(z.string()) })),
  examples: z.array(exampleSchema),
});

/** A documented example. */
export type DocumentedExample = z.output<typeof exampleSchema>;

/** The documented examples of a gateway. */
export type DocumentedCollection = z.output<typeof collectionSchema>;

const folder = new URL('../../documented/', import.meta.url);

/** Names of the gateways that have examples. */
export function documentedGateways(): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .sort();
}

/** The examples of a gateway. Throws where a file is malformed. */
export function readDocumented(gateway: string): DocumentedCollection {
  return collectionSchema.parse(JSON.parse(readFileSync(new URL(`${gateway}.json`, folder), 'utf8')));
}

/** The signature of a webhook by the documented rule, with a merchant's key. */
export function signDocumented({ signature: rule }: DocumentedCollection, key: string, body: string): string {
  if (rule.algorithm === 'none') return key;
  const parsed = JSON.parse(body) as { readonly data?: unknown };
  const hmac = createHmac(rule.algorithm, key).update(rule.over === 'data' ? JSON.stringify(parsed.data) : body);
  const text = hmac.digest(rule.encoding === 'base64' ? 'base64' : 'hex');
  return rule.encoding === 'HEX' ? text.toUpperCase() : text;
}
