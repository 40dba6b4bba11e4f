import { z } from 'zod';
import { checkIds } from '../check-list.ts';
import { gatewayNames } from '../registry.ts';
import { certifiedOperations } from './operations.ts';

const exchangeSchema = z.strictObject({
  login: z.boolean(),
  method: z.string(),
  origin: z.string(),
  path: z.string(),
  request: z.unknown(),
  status: z.int().nullable(),
  answer: z.unknown(),
  milliseconds: z.number(),
});

/** An operation of the connector with its calls and its outcome: enough to replay it without the gateway. */
const recordingSchema = z.strictObject({
  check: z.enum(checkIds),
  operation: z.enum(certifiedOperations),
  input: z.record(z.string(), z.unknown()),
  exchanges: z.array(exchangeSchema),
  milliseconds: z.number(),
  outcome: z.enum(['yes', 'no', 'unknown']),
  /** Null when the outcome is `yes`. */
  failure: z.strictObject({ class: z.string(), code: z.string(), message: z.string() }).nullable(),
  /** Null unless the outcome is `yes`. */
  value: z.unknown(),
});

/** Calls that no operation of the connector makes: the checkout's page, and a payment by API. */
const otherCallsSchema = z.strictObject({ check: z.enum(checkIds), exchanges: z.array(exchangeSchema) });

const webhookSchema = z.strictObject({
  /** Names; the value of `content-type` alone. */
  headers: z.record(z.string(), z.string()),
  /** Redacted, so that its signature is no longer one of it. */
  body: z.string(),
  reading: z.looseObject({ kind: z.string() }),
});

const resultSchema = z.discriminatedUnion('result', [
  z.strictObject({ result: z.literal('passed'), detail: z.string() }),
  /** The rule that is broken, what came instead, and the last call with both of its bodies; null where nothing was called. */
  z.strictObject({
    result: z.literal('failed'),
    expected: z.string(),
    received: z.string(),
    call: exchangeSchema.pick({ method: true, path: true, request: true, status: true, answer: true }).nullable(),
  }),
  z.strictObject({ result: z.literal('not_possible'), reason: z.string() }),
  z.strictObject({ result: z.literal('skipped'), reason: z.string() }),
]);

const checkSchema = z.intersection(
  z.object({
    id: z.enum(checkIds),
    title: z.string(),
    section: z.strictObject({ title: z.string(), address: z.string() }),
    milliseconds: z.number(),
  }),
  resultSchema,
);

/** The report of a certification. Its recordings are fixtures: `packages/gateways/recordings`. */
export const certificationSchema = z.strictObject({
  gateway: z.enum(gatewayNames),
  startedAt: z.iso.datetime(),
  milliseconds: z.number(),
  /** Version of Switchyard. */
  version: z.string(),
  /** Digest of the connector's files. */
  connector: z.string(),
  /** Origins that were called. */
  hosts: z.array(z.string()),
  /** True when the gateway was called at another address than its own test hosts. */
  otherHost: z.boolean(),
  checks: z.array(checkSchema),
  recordings: z.array(recordingSchema),
  otherCalls: z.array(otherCallsSchema),
  webhooks: z.array(webhookSchema),
});

export type Certification = z.output<typeof certificationSchema>;
export type Recording = Certification['recordings'][number];
export type OtherCalls = Certification['otherCalls'][number];
export type RecordedWebhook = Certification['webhooks'][number];
export type CheckResult = z.output<typeof resultSchema>;
export type CheckedCheck = Certification['checks'][number];

const WORDS: Readonly<Record<CheckResult['result'], string>> = {
  passed: 'passed',
  failed: 'FAILED',
  not_possible: 'not possible in test mode',
  skipped: 'skipped',
};

/** `passed`, `FAILED`, `not possible in test mode`, `skipped`. */
export function wordOf({ result }: CheckResult): string {
  return WORDS[result];
}

/** Detail of a result beside its word, in one line. */
export function sentenceOf(result: CheckResult): string {
  switch (result.result) {
    case 'passed':
      return result.detail;
    case 'failed':
      return `Expected: ${result.expected} Received: ${result.received}`;
    case 'not_possible':
    case 'skipped':
      return result.reason;
    default:
      return result satisfies never;
  }
}

/** `12 passed, 1 failed, 2 not possible, 1 skipped` */
export function countResults(checks: readonly CheckResult[]): string {
  const count = (result: CheckResult['result']) => checks.filter((check) => check.result === result).length;
  return `${count('passed')} passed, ${count('failed')} failed, ${count('not_possible')} not possible in test mode, ${count('skipped')} skipped`;
}

/** The report for people, in Markdown. */
export function describeCertification(report: Certification): string {
  const { gateway, startedAt, version, connector, hosts, otherHost, checks, recordings } = report;
  const rows = checks.map((check) =>
    [
      check.title,
      wordOf(check),
      `[${check.section.title}](${check.section.address})`,
      String(Math.round(check.milliseconds)),
      cellOf(sentenceOf(check)),
    ].join(' | '),
  );
  const failed = checks.flatMap((check) => (check.result === 'failed' ? [describeFailure(check)] : []));
  return [
    `# Certification of ${gateway}`,
    '',
    `${countResults(checks)}.`,
    '',
    `- ${startedAt}, in ${Math.round(report.milliseconds / 1_000)} s`,
    `- Switchyard ${version}, connector ${connector}`,
    `- Called: ${hosts.join(', ')}${otherHost ? ' (an address given by `--host`, not the gateway’s own)' : ''}`,
    '',
    '| check | result | section | ms | |',
    '|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
    '',
    ...failed,
    'Every call with its answer is in the report as JSON.',
    '',
    '## Times',
    '',
    '| operation | calls | median ms | slowest ms |',
    '|---|---|---|---|',
    ...durationRows(recordings).map(
      ({ operation, count, median, slowest }) => `| ${operation} | ${count} | ${median} | ${slowest} |`,
    ),
    '',
  ].join('\n');
}

function describeFailure({ title, expected, received, call }: CheckedCheck & { readonly result: 'failed' }): string {
  const bodies =
    call === null
      ? []
      : [`${call.method} ${call.path}`, fenced(call.request), `answered ${call.status ?? 'nothing'}`, fenced(call.answer)];
  return [`## ${title}`, `Expected: ${expected}`, `Received: ${received}`, ...bodies, ''].join('\n\n');
}

function fenced(body: unknown): string {
  return `\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\``;
}

function cellOf(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/** Durations of the calls of an operation. */
export interface OperationDurations {
  readonly operation: Recording['operation'];
  readonly count: number;
  readonly median: number;
  readonly slowest: number;
}

/** Durations by operation, of those that were called. */
export function durationRows(
  recordings: readonly Pick<Recording, 'operation' | 'milliseconds'>[],
): readonly OperationDurations[] {
  return certifiedOperations.flatMap((operation) => {
    const times = recordings
      .filter((recording) => recording.operation === operation)
      .map(({ milliseconds }) => Math.round(milliseconds))
      .sort((one, other) => one - other);
    const median = times[Math.floor(times.length / 2)];
    const slowest = times.at(-1);
    return median === undefined || slowest === undefined ? [] : [{ operation, count: times.length, median, slowest }];
  });
}
