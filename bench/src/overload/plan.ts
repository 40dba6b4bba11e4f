import { z } from 'zod';

export const STREAM_KINDS = ['list', 'initiate', 'webhook'] as const;
export type StreamKind = (typeof STREAM_KINDS)[number];

/** How the requests of a stream are sent. */
const paceSchema = z.discriminatedUnion('kind', [
  /** So many requests are always under way, each on a connection that is kept. */
  z.object({ kind: z.literal('closed'), connections: z.number().int().min(1).max(64) }),
  /** So many are due a second, however long the answers take. What is due while all connections wait for an answer is not sent. */
  z.object({
    kind: z.literal('kept'),
    perSecond: z.number().positive().max(20_000),
    connections: z.number().int().min(1).max(1_500),
  }),
  /** So many are due a second, each on a new connection, as customers' browsers and gateways come. */
  z.object({ kind: z.literal('new'), perSecond: z.number().positive().max(100) }),
]);

/** Load that one process offers to the address of a web process. */
export const loadPlanSchema = z.object({
  host: z.literal('127.0.0.1'),
  port: z.number().int(),
  /** The merchant's API key. */
  key: z.string(),
  /** Paystack webhooks: the path, the secret they are signed with, and the references they are about. */
  webhooks: z.object({ path: z.string(), secret: z.string(), references: z.array(z.string()) }),
  seconds: z.number().positive().max(120),
  /** Milliseconds without an answer after which a client leaves. */
  answerLimitMs: z.number().int().positive(),
  streams: z.array(z.object({ kind: z.enum(STREAM_KINDS), pace: paceSchema })).min(1),
});
export type LoadPlan = z.output<typeof loadPlanSchema>;

/** Results of the requests of one stream. Times are milliseconds from the moment a request was due. */
export const streamResultSchema = z.object({
  kind: z.enum(STREAM_KINDS),
  due: z.number().int(),
  sent: z.number().int(),
  /** Answered with 2xx. */
  served: z.number().int(),
  /** Answered with 503. */
  shed: z.number().int(),
  timedOut: z.number().int(),
  /** Further ends, by status or error of the connection. */
  others: z.record(z.string(), z.number().int()),
  /** Of those served; 0 without any. */
  p50Ms: z.number(),
  p99Ms: z.number(),
  /** How late the generator sent. */
  lateP99Ms: z.number(),
});
export type StreamResult = z.output<typeof streamResultSchema>;

export const loadResultSchema = z.array(streamResultSchema);
