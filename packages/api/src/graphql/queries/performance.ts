import { type AccountPerformance, latencyAt, readOutages, readPerformance } from '@switchyard/reporting';
import { builder } from '../builder.ts';
import { uuids } from '../inputs.ts';
import { InvalidInput } from '../invalid-input.ts';
import { requestedMerchants } from '../requested-merchants.ts';
import { Account, accountOf } from '../types/account.ts';
import { Mode } from '../types/enums.ts';
import { Merchant } from '../types/merchant.ts';
import { periodProblems } from './periods.ts';

interface Outage {
  readonly method: string;
  readonly from: Date;
  readonly to: Date | null;
  readonly why: string;
}

interface Performance extends AccountPerformance {
  readonly outages: readonly Outage[];
}

const OutageType = builder.objectRef<Outage>('Outage').implement({
  description: 'A time in which an account was down for a method.',
  fields: (t) => ({
    method: t.exposeString('method', { description: 'The method.' }),
    from: t.expose('from', { type: 'DateTime', description: 'When it was found to be down.' }),
    to: t.expose('to', { type: 'DateTime', nullable: true, description: 'When it was no longer; null while it is.' }),
    why: t.exposeString('why', { description: 'In one sentence.' }),
  }),
});

const PerformanceType = builder.objectRef<Performance>('GatewayPerformance').implement({
  description: 'How an account answered when checkouts were to be opened.',
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
      description: 'Whose account it is.',
      resolve: ({ merchantId }, _args, { switchyard }) =>
        switchyard.resources.configuration.merchant(merchantId)?.merchant ?? null,
    }),
    attempts: t.exposeInt('attempts', { description: 'Checkouts asked for and answered, or given up.' }),
    opened: t.exposeInt('opened', { description: 'Checkouts opened.' }),
    faulted: t.exposeInt('faulted', { description: "Not opened through the provider's fault." }),
    refused: t.exposeInt('refused', { description: 'Not opened for another reason.' }),
    openRate: t.float({
      nullable: true,
      description: 'Share of attempts that opened, leaving out what was not the doing of the provider, 0 to 1.',
      resolve: ({ opened, faulted }) => (opened + faulted === 0 ? null : opened / (opened + faulted)),
    }),
    latencyMs: t.int({
      nullable: true,
      description: 'Milliseconds this share of answers stayed under; at most a fifth too high.',
      args: { share: t.arg.float({ required: true, defaultValue: 0.95, description: '0 to 1: 0.95 for the 95th percentile.' }) },
      resolve: ({ steps }, { share }) => latencyAt(steps, Math.min(1, Math.max(0, share))),
    }),
    outages: t.field({
      type: [OutageType],
      description: 'Times in which it was down, newest first; at most 100.',
      resolve: ({ outages }) => [...outages],
    }),
  }),
});

const Filter = builder.inputType('PerformanceFilter', {
  description: 'Which accounts, and when. Read by full hours.',
  fields: (t) => ({
    mode: t.field({ type: Mode, required: true, description: 'Test or live.' }),
    from: t.field({ type: 'DateTime', required: true, description: 'Inclusive; the full hour it lies in.' }),
    to: t.field({ type: 'DateTime', required: true, description: 'Exclusive.' }),
    merchantIds: t.idList({ description: 'Merchants; all that you reach when left out.', validate: uuids }),
  }),
});

builder.queryField('gatewayPerformance', (t) =>
  t.field({
    type: [PerformanceType],
    description: 'How accounts answered: checkouts opened, latency, outages. The busiest first.',
    authScopes: { permission: 'report:read' },
    errors: {
      types: [InvalidInput],
      union: { name: 'GatewayPerformanceResult', description: 'Accounts, or what is wrong with the question.' },
      result: { name: 'GatewayPerformanceList', description: 'Accounts, the busiest first.' },
      dataField: { description: 'The accounts.' },
    },
    complexity: { field: 50, multiplier: 20 },
    args: { filter: t.arg({ type: Filter, required: true, description: 'Which accounts, and when.' }) },
    resolve: async (_root, { filter }, { switchyard, viewer, signal }): Promise<Performance[]> => {
      const problems = periodProblems(filter);
      if (problems.length > 0) throw new InvalidInput(problems);
      const { from, to, mode } = filter;
      const query = { merchantIds: requestedMerchants(viewer, 'report:read', filter), mode, from, to };
      return switchyard.resources.reports.read(
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
