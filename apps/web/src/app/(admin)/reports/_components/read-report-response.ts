import { z } from 'zod/mini';
import type { Report } from '../report.ts';

const sums = z.object({
  payments: z.number(),
  paid: z.number(),
  failed: z.number(),
  expired: z.number(),
  pending: z.number(),
  late: z.number(),
  amount: z.number(),
  paidAmount: z.number(),
  refunded: z.number(),
  fees: z.string(),
  net: z.string(),
  conversion: z.nullable(z.number()),
});
const text = z.nullable(z.string());
const report = z.object({
  __typename: z.literal('VolumeReport'),
  currency: z.string(),
  date: z.enum(['CREATED', 'PAID', 'SETTLED']),
  zone: z.string(),
  asOf: text,
  period: z.object({ from: z.string(), to: z.string() }),
  total: sums,
  previousTotal: z.nullable(sums),
  closedMonths: z.array(z.object({ month: z.string(), merchant: z.nullable(z.object({ id: z.string(), name: z.string() })) })),
  rows: z.array(
    z.object({
      periodStart: text,
      gateway: text,
      method: text,
      ruleId: text,
      sums,
      previous: z.nullable(sums),
      account: z.nullable(z.object({ id: z.string(), gateway: z.string(), label: text })),
      merchant: z.nullable(z.object({ id: z.string(), name: z.string() })),
    }),
  ),
});
const answer = z.object({
  data: z.optional(
    z.nullable(
      z.object({
        volume: z.union([report, z.object({ __typename: z.literal('InvalidInput'), problems: z.array(z.string()) })]),
      }),
    ),
  ),
  errors: z.optional(z.array(z.object({ message: z.string() }))),
});

/** The report in an answer. Throws a readable message when there is none. */
export function readReportResponse(body: unknown): Report {
  const { success, data: said } = answer.safeParse(body);
  if (!success) throw new Error('The server gave no report. Try again.');
  const volume = said.data?.volume;
  if (volume === undefined) throw new Error(said.errors?.[0]?.message ?? 'The server gave no report. Try again.');
  if (volume.__typename === 'InvalidInput') throw new Error(`This cannot be reported: ${volume.problems.join('; ')}.`);
  return volume;
}
