import { z } from 'zod';

/** Requests that the load generator sends, and how it sends them. */
export const loadPlanSchema = z.object({
  operation: z.enum(['initiate', 'get', 'verify', 'webhook']),
  /** Where the server under test listens; several processes of it take turns. */
  origins: z.array(z.string()).min(1),
  /** API keys of the merchants who initiate; the first one's for everything else. */
  keys: z.array(z.string()).min(1),
  /** How initiates are divided among merchants: alike, or so that the merchant of rank n sends 1/n as many as the first. */
  traffic: z.enum(['equal', 'zipf']),
  /** Payments to get or verify; gets start over when all were read. */
  paymentIds: z.array(z.string()),
  /** Gateway webhooks to send: the path, the secret they are signed with, the references they are about. */
  webhooks: z.object({ path: z.string(), secret: z.string(), references: z.array(z.string()) }),
  /** Beginning of the order ids. No two plans may share one. */
  orderPrefix: z.string(),
  /** Closed: so many requests are always under way. Open: so many are sent a second, however long the answers take. */
  pace: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('closed'), connections: z.number().int().positive() }),
    z.object({
      kind: z.literal('open'),
      perSecond: z.number().positive(),
      /** At most so many under way; what is due beyond that waits, and counts from when it was due. */
      connections: z.number().int().positive(),
    }),
  ]),
  seconds: z.number().positive(),
});
export type LoadPlan = z.output<typeof loadPlanSchema>;

/** Result of a plan. */
export const loadResultSchema = z.object({
  /** Requests answered with 200. */
  answered: z.number().int(),
  /** All others, by status or error. */
  failures: z.record(z.string(), z.number().int()),
  /** Latency of answers with 503, in milliseconds from the moment a request was sent; null without any. */
  shedLatency: z.object({ p50: z.number(), p99: z.number() }).nullable(),
  /** From the first request to the last answer. */
  seconds: z.number(),
  /** Milliseconds: from the moment a request was due, in an open loop; from the moment it was sent, in a closed one. */
  latency: z.object({ p50: z.number(), p95: z.number(), p99: z.number(), max: z.number() }),
  /** Mean size of an answer's body. */
  bytes: z.number(),
});
export type LoadResult = z.output<typeof loadResultSchema>;
