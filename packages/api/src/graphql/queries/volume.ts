import { type ClosedMonth, listClosedMonths } from '@switchyard/accounting/month';
import {
  type ComparedVolume,
  type PaymentDate as DateOfPayment,
  dayIn,
  isTimeZone,
  type Period,
  readCurrencies,
  readVolumeReport,
  type VolumeQuery,
  type VolumeReport,
  type VolumeSums,
} from '@switchyard/reporting/figures';
import { z } from 'zod';
import { builder, LIMITS } from '../builder.ts';
import { currencyCode, InvalidInput, names, periodProblems, requestedMerchants, ruleIds, toId, uuids } from '../inputs.ts';
import { Account, accountOf, Merchant } from '../types/account.ts';
import { Mode, PaymentDate, PaymentStatus, VolumeGroup } from '../types/enums.ts';

interface Report extends VolumeReport {
  readonly merchantIds: readonly string[];
  readonly mode: VolumeQuery['mode'];
  readonly currency: string;
  readonly date: DateOfPayment;
  readonly period: Period;
  readonly zone: string;
  readonly asOf: Date | null;
}

const Sums = builder.objectRef<VolumeSums>('VolumeSums').implement({
  description: 'Counts and amounts of payments. Amounts in whole main units, fees as exact decimals.',
  fields: (t) => ({
    payments: t.exposeInt('payments', { description: 'Payments that have left INITIATED.' }),
    paid: t.exposeInt('paid', { description: 'Payments that succeeded, including those refunded since.' }),
    failed: t.exposeInt('failed', { description: 'Not paid in the end: failed or expired.' }),
    expired: t.exposeInt('expired', { description: 'Those of the failed ones whose session expired unpaid: no gateway failed.' }),
    pending: t.exposeInt('pending', { description: 'Still open.' }),
    late: t.exposeInt('late', { description: 'Paid after they had been marked FAILED.' }),
    amount: t.expose('amount', { type: 'Amount', description: 'The amount of the orders.' }),
    paidAmount: t.expose('paidAmount', { type: 'Amount', description: 'The amount paid.' }),
    refunded: t.expose('refunded', { type: 'Amount', description: 'The amount refunded.' }),
    reversed: t.expose('reversed', {
      type: 'Decimal',
      description: 'What gateways took back of paid payments, such as by chargebacks; no part of the refunds.',
    }),
    fees: t.expose('fees', { type: 'Decimal', description: "The gateways' fees, where they report them." }),
    net: t.expose('net', { type: 'Decimal', description: 'The amount paid, less refunds, reversals and fees.' }),
    conversion: t.exposeFloat('conversion', {
      nullable: true,
      description: 'Share of final payments that were paid, 0 to 1; null while none is final.',
    }),
  }),
});

const Row = builder.objectRef<ComparedVolume>('VolumeRow').implement({
  description: 'One group. Only the requested dimensions are set.',
  fields: (t) => ({
    periodStart: t.string({
      nullable: true,
      description:
        'First day of its day, week or month in the requested time zone, of the date that the report is of: YYYY-MM-DD.',
      resolve: ({ keys }) => keys.day ?? keys.week ?? keys.month ?? null,
    }),
    gateway: t.string({ nullable: true, description: 'By name; empty for none.', resolve: ({ keys }) => keys.gateway ?? null }),
    account: t.field({
      type: Account,
      nullable: true,
      description: 'The account; null for none.',
      resolve: ({ account }, _args, { switchyard }) =>
        account === null ? null : accountOf(switchyard, account.accountId, account.gateway),
    }),
    method: t.string({ nullable: true, description: 'Empty for none.', resolve: ({ keys }) => keys.method ?? null }),
    status: t.string({ nullable: true, description: 'Status of the payments.', resolve: ({ keys }) => keys.status ?? null }),
    merchant: t.field({
      type: Merchant,
      nullable: true,
      description: 'The merchant.',
      resolve: ({ keys }, _args, { switchyard }) =>
        keys.merchant === undefined ? null : (switchyard.resources.configuration.merchant(keys.merchant)?.merchant ?? null),
    }),
    ruleId: t.string({ nullable: true, description: 'Empty for none.', resolve: ({ keys }) => keys.rule ?? null }),
    sums: t.expose('sums', { type: Sums, description: 'Sums of the group.' }),
    previous: t.expose('previous', { type: Sums, nullable: true, description: 'Sums of the group in the previous period.' }),
  }),
});

const PeriodType = builder.objectRef<Period>('Period').implement({
  description: 'A period of time.',
  fields: (t) => ({
    from: t.expose('from', { type: 'DateTime', description: 'Inclusive.' }),
    to: t.expose('to', { type: 'DateTime', description: 'Exclusive.' }),
  }),
});

const ClosedMonthType = builder.objectRef<ClosedMonth>('ClosedMonth').implement({
  description: 'A month that is closed: `monthClose` has its frozen figures and what has changed since.',
  fields: (t) => ({
    merchant: t.field({
      type: Merchant,
      nullable: true,
      description: 'The merchant.',
      resolve: ({ merchantId }, _args, { switchyard }) =>
        switchyard.resources.configuration.merchant(merchantId)?.merchant ?? null,
    }),
    month: t.exposeString('month', { description: 'YYYY-MM.' }),
    closedAt: t.expose('closedAt', { type: 'DateTime', description: 'When it was closed.' }),
  }),
});

const ReportType = builder.objectRef<Report>('VolumeReport').implement({
  description: 'Volume of a period, by groups. The rows add up to the total exactly.',
  fields: (t) => ({
    currency: t.exposeString('currency', {
      description: 'ISO 4217 code of all amounts. Payments in other currencies are not in the report.',
    }),
    date: t.expose('date', { type: PaymentDate, description: 'The date of payments that the period and its days are of.' }),
    period: t.expose('period', { type: PeriodType, description: 'The requested period.' }),
    previousPeriod: t.expose('previousPeriod', { type: PeriodType, nullable: true, description: 'The previous period.' }),
    zone: t.exposeString('zone', { description: 'IANA time zone of days, weeks and months.' }),
    asOf: t.expose('asOf', { type: 'DateTime', nullable: true, description: 'The time at which payments are reported.' }),
    closedMonths: t.field({
      type: [ClosedMonthType],
      description:
        'By when payments were paid or settled: months of the period that are closed. The report has what is known now, also of them; their frozen figures do not change. Empty of a report by creation.',
      complexity: { field: 10, multiplier: 1 },
      resolve: ({ date, period: { from, to }, zone, merchantIds, mode }, _args, { switchyard }) => {
        if (date === 'created') return [];
        const days = { from: dayIn(zone, from), to: dayIn(zone, new Date(to.getTime() - 1)) };
        return listClosedMonths(switchyard.resources.reports, { merchantIds, mode, ...days });
      },
    }),
    rows: t.field({
      type: [Row],
      description: 'The groups.',
      complexity: { field: 1, multiplier: 20 },
      resolve: ({ rows }) => [...rows],
    }),
    total: t.expose('total', { type: Sums, description: 'Sums of all groups.' }),
    previousTotal: t.expose('previousTotal', {
      type: Sums,
      nullable: true,
      description: 'Sums of all groups in the previous period.',
    }),
  }),
});

const VolumeInput = builder.inputType('VolumeFilter', {
  description: 'Filter of payments by a date of theirs. An omitted field matches all.',
  fields: (t) => ({
    mode: t.field({ type: Mode, required: true, description: 'Test or live.' }),
    date: t.field({ type: PaymentDate, description: 'What `from` and `to` are of; when they were created when omitted.' }),
    from: t.field({ type: 'DateTime', required: true, description: 'Inclusive.' }),
    to: t.field({ type: 'DateTime', required: true, description: 'Exclusive.' }),
    merchantIds: t.idList({ description: 'Merchants; all that the caller may read when omitted.', validate: uuids }),
    gateways: t.stringList({ description: 'Names of gateways.', validate: names }),
    accountIds: t.idList({ description: 'Accounts.', validate: uuids }),
    methods: t.stringList({ description: 'Methods.', validate: names }),
    statuses: t.field({ type: [PaymentStatus], description: 'States.' }),
    ruleIds: t.idList({ description: 'Rules that matched.', validate: ruleIds }),
  }),
});

const argsSchema = z
  .object({
    currency: currencyCode,
    zone: z.string().refine(isTimeZone, 'zone must be an IANA time zone, such as Africa/Lagos'),
    groupBy: z.array(z.string()).max(LIMITS.groups, `groupBy must name at most ${LIMITS.groups}`),
    filter: z.object({ from: z.date(), to: z.date() }).loose(),
  })
  .loose();

builder.queryField('volume', (t) =>
  t.field({
    type: ReportType,
    description: 'Counts, amounts, fees and conversion of a period by groups, beside the previous period.',
    authScopes: { permission: 'report:read' },
    errors: {
      types: [InvalidInput],
      directResult: true,
      union: { name: 'VolumeResult', description: 'A report, or the problems of the input.' },
    },
    complexity: 50,
    args: {
      filter: t.arg({ type: VolumeInput, required: true, description: 'Filter.' }),
      groupBy: t.arg({
        type: [VolumeGroup],
        required: true,
        defaultValue: [],
        description: 'Dimensions to group by; at most four.',
      }),
      currency: t.arg.string({
        required: true,
        defaultValue: 'NGN',
        description: 'ISO 4217 code: only payments in this currency are counted.',
      }),
      zone: t.arg.string({
        required: true,
        defaultValue: 'Africa/Lagos',
        description: 'IANA time zone of days, weeks and months.',
      }),
      compare: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: 'Whether to read the previous period as well.',
      }),
      asOf: t.arg({
        type: 'DateTime',
        description: 'Report payments as of this time, by when they were created: a report of a past time does not change.',
      }),
    },
    resolve: async (_root, { filter, groupBy, currency, zone, compare, asOf }, { reports, viewer, signal }): Promise<Report> => {
      const checked = argsSchema.safeParse({ filter, groupBy, currency, zone });
      const problems = [...(checked.error?.issues ?? []).map(({ message }) => message), ...periodProblems(filter)];
      if (asOf && (filter.date ?? 'created') !== 'created') problems.push('asOf is for reports by when payments were created');
      if (problems.length > 0) throw new InvalidInput(problems);
      const query = {
        ...toVolumeQuery(filter, requestedMerchants(viewer, 'report:read', filter)),
        currency,
        zone,
        asOf: asOf ?? null,
        groupBy,
      };
      const { merchantIds, mode, date, from, to } = query;
      const report = await reports.read((client) => readVolumeReport(client, query, compare), { signal });
      return { ...report, merchantIds, mode, currency, date, period: { from, to }, zone, asOf: query.asOf };
    },
  }),
);

builder.queryField('currencies', (t) =>
  t.field({
    type: ['String'],
    description: 'ISO 4217 codes of the currencies that payments are in, the one with the most payments first.',
    authScopes: { permission: 'report:read' },
    errors: {
      types: [InvalidInput],
      union: { name: 'CurrenciesResult', description: 'Currencies, or the problems of the input.' },
      result: { name: 'CurrencyList', description: 'Currencies in use.' },
      dataField: { description: 'The currencies.' },
    },
    complexity: 50,
    args: { filter: t.arg({ type: VolumeInput, required: true, description: 'Filter.' }) },
    resolve: async (_root, { filter }, { reports, viewer, signal }): Promise<string[]> => {
      const problems = periodProblems(filter);
      if (problems.length > 0) throw new InvalidInput(problems);
      const merchantIds = requestedMerchants(viewer, 'report:read', filter);
      const query = { ...toVolumeQuery(filter, merchantIds), zone: 'Africa/Lagos', asOf: null };
      return reports.read((client) => readCurrencies(client, query), { signal });
    },
  }),
);

function toVolumeQuery(
  filter: typeof VolumeInput.$inferInput,
  merchantIds: readonly string[],
): Omit<VolumeQuery, 'currency' | 'zone' | 'asOf' | 'groupBy' | 'date'> & { readonly date: DateOfPayment } {
  const ids = (given: readonly (string | number)[] | null | undefined) => (given ?? []).map(toId);
  return {
    merchantIds,
    mode: filter.mode,
    date: filter.date ?? 'created',
    from: filter.from,
    to: filter.to,
    gateways: filter.gateways ?? [],
    methods: filter.methods ?? [],
    statuses: filter.statuses ?? [],
    accountIds: ids(filter.accountIds),
    ruleIds: ids(filter.ruleIds),
  };
}
