import { type AccountPerformance, latencyAt, readOutages, readPerformance } from '@switchyard/reporting/figures';
import { describeHealthReason, UTC_CLOCK } from '@switchyard/routing';
import { readHealthReason } from '@switchyard/routing/stored-inputs';
import { builder } from '../builder.ts';
import { InvalidInput, periodProblems, requestedMerchants, uuids } from '../inputs.ts';
import { Account, accountOf, Merchant } from '../types/account.ts';
import { Mode } from '../types/enums.ts';

interface Outage {
  readonly method: string;
  readonly from: Date;
  readonly to: Date | null;
  readonly why: unknown;
}

interface Performance extends AccountPerformance {
  readonly outages: readonly Outage[];
}

const OutageType = builder.objectRef<Outage>('Outage').implement({
  description: 'A period in which an account was down for a payment method.',
  fields: (t) => ({
    method: t.exposeString('method', { description: 'The method.' }),
    from: t.expose('from', { type: 'DateTime', description: 'When it was found down.' }),
    to: t.expose('to', { type: 'DateTime', nullable: true, description: 'When it recovered; null while it is down.' }),
    why: t.string({
      description: 'One sentence, its times in UTC.',
      resolve: ({ why }) => describeHealthReason(readHealthReason(why), UTC_CLOCK),
    }),
  }),
});

const PerformanceType = builder.objectRef<Performance>('GatewayPerformance').implement({
  description: 'How a gateway account answered requests to open a checkout.',
  authScopes: ({ merchantId }) => ({ owner: { merchantId, mode: null, permission: 'report:read' } }),
  fields: (t) => ({
    account: t.field({
      type: Account,
      description: 'The account.',
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
    merchant: t.field({
      type: Merchant,
      nullable: true,
      description: 'The merchant that owns the account.',
      resolve: ({ merchantId }, _args, { switchyard }) =>
        switchyard.resources.configuration.merchant(merchantId)?.merchant ?? null,
    }),
    attempts: t.exposeInt('attempts', { description: 'Requests that were answered or timed out.' }),
    opened: t.exposeInt('opened', { description: 'Checkouts opened.' }),
    faulted: t.exposeInt('faulted', { description: "Requests that failed through the gateway's fault." }),
    refused: t.exposeInt('refused', { description: 'Requests refused for another reason.' }),
    openRate: t.float({
      nullable: true,
      description: "Opened as a share of attempts, without failures that are not the gateway's fault, 0 to 1.",
      resolve: ({ opened, faulted }) => (opened + faulted === 0 ? null : opened / (opened + faulted)),
    }),
    latencyMs: t.int({
      nullable: true,
      description: 'Latency percentile in milliseconds; at most 20 % too high.',
      args: {
        share: t.arg.float({ required: true, defaultValue: 0.95, description: 'The percentile, 0 to 1: 0.95 for the 95th.' }),
      },
      resolve: ({ steps }, { share }) => latencyAt(steps, Math.min(1, Math.max(0, share))),
    }),
    outages: t.field({
      type: [OutageType],
      description: 'Periods in which it was down, newest first; at most 100.',
      resolve: ({ outages }) => [...outages],
    }),
  }),
});

const Filter = builder.inputType('PerformanceFilter', {
  description: 'Filter of gateway accounts and time, in full hours.',
  fields: (t) => ({
    mode: t.field({ type: Mode, required: true, description: 'Test or live.' }),
    from: t.field({ type: 'DateTime', required: true, description: 'Inclusive; rounded down to the full hour.' }),
    to: t.field({ type: 'DateTime', required: true, description: 'Exclusive.' }),
    merchantIds: t.idList({ description: 'Merchants; all that the caller may read when omitted.', validate: uuids }),
  }),
});

builder.queryField('gatewayPerformance', (t) =>
  t.field({
    type: [PerformanceType],
    description: 'Performance of gateway accounts: checkouts opened, latency, outages. The busiest first.',
    authScopes: { permission: 'report:read' },
    errors: {
      types: [InvalidInput],
      union: { name: 'GatewayPerformanceResult', description: 'Accounts, or the problems of the input.' },
      result: { name: 'GatewayPerformanceList', description: 'Accounts, the busiest first.' },
      dataField: { description: 'The accounts.' },
    },
    complexity: { field: 50, multiplier: 20 },
    args: { filter: t.arg({ type: Filter, required: true, description: 'Filter.' }) },
    resolve: async (_root, { filter }, { reports, viewer, signal }): Promise<Performance[]> => {
      const problems = periodProblems(filter);
      if (problems.length > 0) throw new InvalidInput(problems);
      const { from, to, mode } = filter;
      const query = { merchantIds: requestedMerchants(viewer, 'report:read', filter), mode, from, to };
      return reports.read(
        async (client) => {
          const accounts = await readPerformance(client, query);
          const outages = Map.groupBy(await readOutages(client, query), ({ accountId }) => accountId);
          return accounts.map((account) => ({ ...account, outages: (outages.get(account.accountId) ?? []).slice(0, 100) }));
        },
        { signal },
      );
    },
  }),
);
