import { addDecimals } from '@switchyard/db/decimals';
import { readVolume } from '@switchyard/reporting/figures';
import { builder } from '../builder.ts';
import { currencyCode, uuids } from '../inputs.ts';
import { InvalidInput } from '../invalid-input.ts';
import { requestedMerchants } from '../requested-merchants.ts';
import { Account, accountOf } from '../types/account.ts';
import { Mode } from '../types/enums.ts';
import { Merchant } from '../types/merchant.ts';
import { periodProblems } from './periods.ts';
import { nextWorkingDay } from './working-days.ts';

const ZONE = 'Africa/Lagos';

/** The expected payout of a gateway for one account, day and currency. */
interface Expectation {
  readonly accountId: string;
  readonly gateway: string;
  readonly day: string;
  readonly currency: string;
  readonly payments: number;
  readonly paidAmount: bigint;
  readonly refunded: bigint;
  readonly reversed: string;
  readonly fees: string;
  readonly compared: { readonly comparedAt: Date | null; readonly openDiscrepancies: number } | null;
}

const Comparison = builder.objectRef<NonNullable<Expectation['compared']>>('DayComparison').implement({
  description: "Whether a day was reconciled with the gateway's statement.",
  fields: (t) => ({
    comparedAt: t.expose('comparedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last reconciled to the end; null if every run failed.',
    }),
    openDiscrepancies: t.exposeInt('openDiscrepancies', { description: 'The number of open discrepancies.' }),
  }),
});

const ExpectationType = builder.objectRef<Expectation>('SettlementExpectation').implement({
  description: 'The settlement expected for one gateway account, day and currency, from the ledger.',
  fields: (t) => ({
    account: t.field({
      type: Account,
      description: 'The account.',
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
    merchant: t.field({
      type: Merchant,
      nullable: true,
      description: 'The merchant of the account.',
      resolve: ({ accountId }, _args, { switchyard }) => {
        const { configuration } = switchyard.resources;
        const account = configuration.account(accountId)?.account;
        return account === undefined ? null : (configuration.merchant(account.merchantId)?.merchant ?? null);
      },
    }),
    day: t.exposeString('day', { description: 'Day on which the payments were created, in Africa/Lagos: YYYY-MM-DD.' }),
    expectedOn: t.string({
      description: 'The next working day, Monday to Friday; public holidays are not considered.',
      resolve: ({ day }) => nextWorkingDay(day),
    }),
    payments: t.exposeInt('payments', { description: 'The number of paid payments.' }),
    paidAmount: t.expose('paidAmount', { type: 'Amount', description: 'The amount paid.' }),
    refunded: t.expose('refunded', { type: 'Amount', description: 'The amount refunded of it.' }),
    reversed: t.field({
      type: 'Decimal',
      description: 'What the gateway took back of it, apart from refunds.',
      resolve: ({ reversed }) => reversed,
    }),
    fees: t.field({
      type: 'Decimal',
      description: "The gateway's fees; 0 where it reports none.",
      resolve: ({ fees }) => addDecimals(fees),
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code of all amounts.' }),
    comparison: t.expose('compared', { type: Comparison, nullable: true, description: 'Null until the day was reconciled.' }),
  }),
});

const Filter = builder.inputType('SettlementFilter', {
  description: 'Filter of gateway accounts and days.',
  fields: (t) => ({
    mode: t.field({ type: Mode, required: true, description: 'Test or live.' }),
    from: t.field({ type: 'DateTime', required: true, description: 'Inclusive.' }),
    to: t.field({ type: 'DateTime', required: true, description: 'Exclusive.' }),
    merchantIds: t.idList({ description: 'Merchants; all that the caller may read when omitted.', validate: uuids }),
    accountIds: t.idList({ description: 'Gateway accounts; all when omitted.', validate: uuids }),
  }),
});

builder.queryField('settlement', (t) =>
  t.field({
    type: [ExpectationType],
    description: 'Expected settlements, by account, day and currency, and whether the day was reconciled.',
    authScopes: { permission: 'report:read' },
    errors: {
      types: [InvalidInput],
      union: { name: 'SettlementResult', description: 'Expectations, or the problems of the input.' },
      result: { name: 'SettlementList', description: 'Expectations by day, account and currency.' },
      dataField: { description: 'The expectations.' },
    },
    complexity: { field: 50, multiplier: 50 },
    args: {
      filter: t.arg({ type: Filter, required: true, description: 'Filter of gateway accounts and days.' }),
      currency: t.arg.string({ description: 'ISO 4217 code; every currency, in rows of its own, when omitted.' }),
    },
    resolve: async (_root, { filter, currency }, { switchyard, viewer, signal }): Promise<Expectation[]> => {
      const checked = currencyCode.nullish().safeParse(currency);
      const problems = [...(checked.error?.issues ?? []).map(({ message }) => message), ...periodProblems(filter)];
      if (problems.length > 0) throw new InvalidInput(problems);
      const { from, to, mode } = filter;
      const merchantIds = requestedMerchants(viewer, 'report:read', filter);
      const { reports } = switchyard.resources;
      const rows = await reports.read(
        (client) =>
          readVolume(client, {
            merchantIds,
            mode,
            from,
            to,
            currency: currency ?? null,
            zone: ZONE,
            asOf: null,
            groupBy: ['day', 'account', 'gateway', 'currency'],
            gateways: [],
            methods: [],
            ruleIds: [],
            statuses: ['SUCCESS', 'REFUNDED'],
            accountIds: (filter.accountIds ?? []).map(String),
          }),
        { signal },
      );
      const runs = await reports.prisma.reconciliationRun.findMany({
        where: { merchantId: { in: [...merchantIds] }, mode, day: { gte: dayOf(from), lt: to } },
        select: { accountId: true, day: true, comparedAt: true },
        take: rows.length + 1_000,
      });
      const open = await reports.prisma.reconciliationDiscrepancy.groupBy({
        by: ['accountId', 'day'],
        where: { merchantId: { in: [...merchantIds] }, mode, state: 'OPEN', day: { gte: dayOf(from), lt: to } },
        _count: true,
      });
      const keyOf = ({ accountId, day }: { accountId: string; day: Date }) => `${accountId} ${day.toISOString().slice(0, 10)}`;
      const comparedAt = new Map(runs.map((run) => [keyOf(run), run.comparedAt]));
      const openCount = new Map(open.map((one) => [keyOf(one), one._count]));
      return rows.map(({ keys, paid, paidAmount, refunded, reversed, fees }) => {
        const accountId = keys.account ?? '';
        const day = keys.day ?? '';
        const at = comparedAt.get(`${accountId} ${day}`);
        const compared =
          at === undefined ? null : { comparedAt: at, openDiscrepancies: openCount.get(`${accountId} ${day}`) ?? 0 };
        return {
          accountId,
          gateway: keys.gateway ?? '',
          day,
          currency: keys.currency ?? '',
          payments: paid,
          paidAmount,
          refunded,
          reversed,
          fees,
          compared,
        };
      });
    },
  }),
);

/** The day of a moment in Lagos, as dates without a time are stored. */
function dayOf(at: Date): Date {
  const inLagos = new Date(at.getTime() + 3_600_000);
  return new Date(Date.UTC(inLagos.getUTCFullYear(), inLagos.getUTCMonth(), inLagos.getUTCDate()));
}
