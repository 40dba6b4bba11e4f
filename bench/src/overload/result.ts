import { z } from 'zod';

/** Measurements of a web process under overload. Memory is resident bytes; null where the system has no figure. */
export interface OverloadObserved {
  /** Lists that were answered a second in a closed loop. */
  readonly takesPerSecond: number;
  readonly offeredPerSecond: number;
  readonly streams: readonly StreamResult[];
  readonly memory: { readonly before: number; readonly peak: number; readonly after: number } | null;
}

/** Bounds that initiates and gateway webhooks keep under overload. */
const P99_MAX_MS = 1_000;
/** Share of initiates and of webhooks that may go unserved: the slowest in a hundred are not promised anything. */
const UNSERVED_MAX = 0.01;
const MEMORY_MAX = 1.3;

/** Says which promises were broken, a line each. Lists are promised nothing. */
export function findBroken({ streams, memory }: OverloadObserved): string[] {
  const broken: string[] = [];
  for (const { kind, sent, served, timedOut, p99Ms } of streams) {
    if (kind === 'list') continue;
    if (timedOut > 0) broken.push(`${timedOut} ${kind}s were not answered in time`);
    if (served < sent * (1 - UNSERVED_MAX)) broken.push(`${sent - served} of ${sent} ${kind}s were not served`);
    if (p99Ms > P99_MAX_MS) broken.push(`${kind}s took ${Math.round(p99Ms)} ms (p99), more than ${P99_MAX_MS}`);
  }
  if (memory !== null && memory.after > memory.before * MEMORY_MAX) {
    broken.push(`memory stayed at ${(memory.after / memory.before).toFixed(2)} × what it was, more than ${MEMORY_MAX}`);
  }
  return broken;
}

const COLUMNS: readonly { readonly head: string; readonly cell: (stream: StreamResult) => string }[] = [
  { head: 'requests', cell: ({ kind }) => `${kind}s` },
  { head: 'due', cell: ({ due }) => String(due) },
  { head: 'sent', cell: ({ sent }) => String(sent) },
  { head: '2xx', cell: ({ served }) => String(served) },
  { head: '503', cell: ({ shed }) => String(shed) },
  { head: 'timed out', cell: ({ timedOut }) => String(timedOut) },
  {
    head: 'others',
    cell: ({ others }) =>
      Object.entries(others)
        .map(([end, count]) => `${count} × ${end}`)
        .join(', ') || '0',
  },
  { head: 'p50', cell: ({ p50Ms }) => `${Math.round(p50Ms)} ms` },
  { head: 'p99', cell: ({ p99Ms }) => `${Math.round(p99Ms)} ms` },
  { head: 'sent late, p99', cell: ({ lateP99Ms }) => `${Math.round(lateP99Ms)} ms` },
];

/** The table, a line per kind of request, and the memory below it. */
export function formatOverload(observed: OverloadObserved): string {
  const { takesPerSecond, offeredPerSecond, memory } = observed;
  const lines = [COLUMNS.map(({ head }) => head), ...observed.streams.map((stream) => COLUMNS.map(({ cell }) => cell(stream)))];
  const widths = COLUMNS.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const table = lines.map((line) => line.map((text, at) => text.padStart(widths[at] ?? 0)).join('  '));
  return [
    `${Math.round(takesPerSecond)} lists a second taken, ${Math.round(offeredPerSecond)} offered`,
    ...table,
    memory === null
      ? 'memory of web: not told by this system'
      : `memory of web: ${megabytes(memory.before)} before, ${megabytes(memory.peak)} at most, ${megabytes(memory.after)} a minute after`,
  ].join('\n');
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_048_576)} MB`;
}

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
  /** Latency of those that were served; 0 without any. */
  p50Ms: z.number(),
  p99Ms: z.number(),
  /** How late the generator sent. */
  lateP99Ms: z.number(),
});
export type StreamResult = z.output<typeof streamResultSchema>;

export const loadResultSchema = z.array(streamResultSchema);
