import { formatMoney, SHARE_FROM } from '@switchyard/routing';
import { z } from 'zod';
import { operationHash } from '../../graphql/operations.ts';
import { GRAPHQL_PATH } from '../../http/reporting-paths.ts';
import { timeZone } from '../../trpc/inputs.ts';
import { defineTool, ToolRefusal } from '../tool.ts';
import { instant, mode } from './inputs.ts';

const GROUPS = ['day', 'week', 'month', 'gateway', 'account', 'method', 'status', 'merchant', 'rule'] as const;
const ROWS_MAX = 200;

const sums = z.object({
  payments: z.int(),
  paid: z.int(),
  failed: z.int(),
  pending: z.int(),
  late: z.int(),
  /** Whole main units, as text where they are large. */
  amount: z.union([z.string(), z.number()]).transform(String),
  paidAmount: z.union([z.string(), z.number()]).transform(String),
  refunded: z.union([z.string(), z.number()]).transform(String),
  fees: z.string(),
  net: z.string(),
  conversion: z.number().nullable(),
});

const volumeRow = z.object({
  periodStart: z.string().nullable(),
  gateway: z.string().nullable(),
  method: z.string().nullable(),
  status: z.string().nullable(),
  ruleId: z.string().nullable(),
  account: z.object({ id: z.string(), gateway: z.string(), label: z.string().nullable() }).nullable(),
  merchant: z.object({ id: z.string(), name: z.string() }).nullable(),
  sums,
  previous: sums.nullable(),
});

/** Answer of GraphQL: a report, problems of the input, or errors. */
const volumeResponse = z.object({
  data: z
    .object({
      volume: z.discriminatedUnion('__typename', [
        z.object({ __typename: z.literal('InvalidInput'), problems: z.array(z.string()) }),
        z.object({
          __typename: z.literal('VolumeReport'),
          currency: z.string(),
          zone: z.string(),
          total: sums,
          previousTotal: sums.nullable(),
          rows: z.array(volumeRow),
        }),
      ]),
    })
    .nullish(),
  errors: z.array(z.object({ message: z.string(), extensions: z.object({ code: z.string() }).optional() })).optional(),
});

const outputSums = z.strictObject({
  ...sums.shape,
  amount: z.string(),
  paidAmount: z.string(),
  refunded: z.string(),
});

export const report = defineTool({
  name: 'report',
  title: 'Report volume',
  description:
    'Counts, amounts, fees and conversion of payments by groups, for a period of at most thirteen months, with the period before it if asked. The figures are those of the Reports page.',
  changes: 'nothing',
  input: z.strictObject({
    mode,
    from: instant.describe('Inclusive.'),
    to: instant.describe('Exclusive.'),
    groupBy: z.array(z.enum(GROUPS)).max(4).default([]).describe('Empty for one group of all.'),
    currency: z.string().max(3).default('NGN').describe('ISO 4217 code: only payments in this currency are counted.'),
    zone: timeZone.default('Africa/Lagos').describe('IANA time zone of days, weeks and months.'),
    compare: z.boolean().default(false).describe('Read the period before as well.'),
    merchantIds: z
      .array(z.uuid().toLowerCase())
      .max(50)
      .default([])
      .describe('Empty for all merchants whose reports you may read.'),
    gateways: z.array(z.string().max(100)).max(20).default([]).describe('Names, such as paystack; empty for all.'),
    accountIds: z.array(z.uuid().toLowerCase()).max(50).default([]).describe('Gateway accounts; empty for all.'),
  }),
  output: z.strictObject({
    currency: z.string(),
    zone: z.string(),
    total: outputSums,
    previousTotal: outputSums.nullable(),
    rows: z.array(z.strictObject({ ...volumeRow.shape, sums: outputSums, previous: outputSums.nullable() })),
    rowCount: z.int().describe('How many groups there are; the first 200 are shown.'),
  }),
  async run({ askReports }, { mode: of, from, to, merchantIds, gateways, accountIds, groupBy, currency: wanted, zone, compare }) {
    const named = {
      ...(merchantIds.length > 0 && { merchantIds }),
      ...(gateways.length > 0 && { gateways }),
      ...(accountIds.length > 0 && { accountIds }),
    };
    const response = await askReports(GRAPHQL_PATH, {
      extensions: { persistedQuery: { version: 1, sha256Hash: operationHash('volume') } },
      variables: { filter: { mode: of, from, to, ...named }, groupBy, currency: wanted, zone, compare, asOf: null },
    });
    const answer = volumeResponse.parse(await response.json());
    const volume = answer.data?.volume;
    if (volume === undefined) {
      const [error] = answer.errors ?? [];
      throw new ToolRefusal(`${error?.extensions?.code ?? 'UNAVAILABLE'}: ${error?.message ?? 'The report could not be made.'}`);
    }
    if (volume.__typename === 'InvalidInput') throw new ToolRefusal(volume.problems.join('; '));
    const { currency, total, previousTotal, rows } = volume;
    const isMeasured = total.paid + total.failed >= SHARE_FROM;
    const conversion = isMeasured && total.conversion !== null ? `, conversion ${(total.conversion * 100).toFixed(1)} %` : '';
    return {
      text: `${total.payments} payments, ${total.paid} paid for ${formatMoney(currency, total.paidAmount)}${conversion}; ${rows.length} group(s).`,
      data: { currency, zone: volume.zone, total, previousTotal, rows: rows.slice(0, ROWS_MAX), rowCount: rows.length },
    };
  },
});
