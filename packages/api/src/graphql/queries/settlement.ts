import { addDecimals } from '@switchyard/db/decimals';
import { listComparedDays, RECONCILIATION_ZONE } from '@switchyard/reconciliation/compared-days';
import { type ExpectedSettlement, readExpectedSettlements } from '@switchyard/reporting/figures';
import { addWorkingDays, publishedCalendar, readCalendars } from '@switchyard/settlements/calendar';
import { builder } from '../builder.ts';
import { currencyCode, InvalidInput, periodProblems, requestedMerchants, toId, uuids } from '../inputs.ts';
import { Account, accountOf, Merchant } from '../types/account.ts';
import { Mode } from '../types/enums.ts';

/** Beside what is expected, when it is, and whether the day was reconciled; null until it was. */
interface Expectation extends ExpectedSettlement {
  readonly expectedOn: string;
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
    day: t.exposeString('day', { description: `Day on which the payments were created, in ${RECONCILIATION_ZONE}: YYYY-MM-DD.` }),
    expectedOn: t.exposeString('expectedOn', {
      description: 'When it is expected by the calendar of the account, YYYY-MM-DD.',
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
    resolve: async (_root, { filter, currency }, { switchyard, reports, viewer, signal }): Promise<Expectation[]> => {
      const checked = currencyCode.nullish().safeParse(currency);
      const problems = [...(checked.error?.issues ?? []).map(({ message }) => message), ...periodProblems(filter)];
      if (problems.length > 0) throw new InvalidInput(problems);
      const { from, to, mode } = filter;
      const merchantIds = requestedMerchants(viewer, 'report:read', filter);
      const period = { merchantIds, mode, from, to };
      const accountIds = (filter.accountIds ?? []).map(toId);
      const expected = await reports.read(
        (client) =>
          readExpectedSettlements(client, { ...period, currency: currency ?? null, zone: RECONCILIATION_ZONE, accountIds }),
        { signal },
      );
      const compared = await listComparedDays(reports, { ...period, limit: expected.length + 1_000 });
      const comparisons = new Map(compared.map((each) => [`${each.accountId} ${each.day}`, each]));
      const { configuration } = switchyard.resources;
      const accounts = [...new Map(expected.map((each) => [each.accountId, each])).values()].flatMap(({ accountId, gateway }) => {
        const merchantId = configuration.account(accountId)?.account.merchantId;
        return merchantId === undefined ? [] : [{ merchantId, accountId, gateway }];
      });
      const calendars = await readCalendars(reports, accounts);
      return expected.map((each) => {
        const { workingDays, holidays } = calendars.get(each.accountId) ?? publishedCalendar(each.gateway);
        const expectedOn = addWorkingDays(each.day, workingDays, holidays);
        return { ...each, expectedOn, compared: comparisons.get(`${each.accountId} ${each.day}`) ?? null };
      });
    },
  }),
);
