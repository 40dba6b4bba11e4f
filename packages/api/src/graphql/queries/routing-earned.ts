import { type EarnedMonth, readEarned } from '@switchyard/rule-sets/earned';
import { builder } from '../builder.ts';
import { requestedMerchants, uuids } from '../inputs.ts';
import { Merchant } from '../types/account.ts';
import { Mode } from '../types/enums.ts';

type Side = EarnedMonth['routed'];
type Interval = NonNullable<EarnedMonth['difference']>;

const SideType = builder.objectRef<Side>('RoutingEarnedSide').implement({
  description: 'Customers of one side in a month, by their first payments.',
  fields: (t) => ({
    customers: t.exposeInt('customers', { description: 'Customers whose time to pay is over.' }),
    paid: t.exposeInt('paid', { description: 'Those who paid.' }),
    amount: t.expose('amount', { type: 'Decimal', description: 'What they paid.' }),
    fees: t.expose('fees', { type: 'Decimal', description: 'What gateways charged for it.' }),
  }),
});

const IntervalType = builder.objectRef<Interval>('RoutingEarnedInterval').implement({
  description: 'An estimate with an interval of 95 % that holds at all looks together.',
  fields: (t) => ({
    estimate: t.exposeFloat('estimate', { description: 'The estimate.' }),
    from: t.exposeFloat('from', { description: 'Its lower end.' }),
    to: t.exposeFloat('to', { description: 'Its upper end.' }),
  }),
});

const EarnedType = builder.objectRef<EarnedMonth>('RoutingEarned').implement({
  description: 'What routing earned in a month, measured against customers who were routed by the default order alone.',
  authScopes: ({ merchantId }) => ({ owner: { merchantId, mode: null, permission: 'report:read' } }),
  fields: (t) => ({
    merchant: t.field({
      type: Merchant,
      nullable: true,
      description: 'The merchant.',
      resolve: ({ merchantId }, _args, { switchyard }) =>
        switchyard.resources.configuration.merchant(merchantId)?.merchant ?? null,
    }),
    month: t.exposeString('month', { description: "Of the merchant's time zone: `2026-11`." }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    heldOutPercent: t.exposeInt('percent', { description: 'Share of customers held out; the smallest of the month.' }),
    routed: t.field({ type: SideType, description: 'Customers whom rules routed.', resolve: ({ routed }) => routed }),
    heldOut: t.field({ type: SideType, description: 'Customers who were held out.', resolve: ({ heldOut }) => heldOut }),
    routedPayments: t.exposeInt('payments', {
      description: 'All payments that rules routed: the difference is extrapolated to them.',
    }),
    difference: t.field({
      type: IntervalType,
      nullable: true,
      description: 'Success rate by the rules minus that of the customers held out, -1 to 1; null with few customers.',
      resolve: ({ difference }) => difference,
    }),
    earned: t.field({
      type: IntervalType,
      nullable: true,
      description: 'In main units of the currency; null while too little is known to name an amount.',
      resolve: ({ earned }) => earned,
    }),
    weeksLeft: t.exposeInt('weeksLeft', {
      nullable: true,
      description:
        'About how many more weeks of as many customers would be enough; null where it is enough, or nothing is known yet.',
    }),
  }),
});

const Filter = builder.inputType('RoutingEarnedFilter', {
  description: 'Filter of what routing earned.',
  fields: (t) => ({
    mode: t.field({ type: Mode, required: true, description: 'Test or live.' }),
    merchantIds: t.idList({ description: 'Merchants; all that the caller may read when omitted.', validate: uuids }),
  }),
});

builder.queryField('routingEarned', (t) =>
  t.field({
    type: [EarnedType],
    description:
      'What routing earned by month and currency, the latest first; at most 60. Empty where no customers are held out.',
    authScopes: { permission: 'report:read' },
    complexity: { field: 20, multiplier: 10 },
    args: { filter: t.arg({ type: Filter, required: true, description: 'Filter.' }) },
    resolve: (_root, { filter }, { reports, viewer, signal, switchyard }): Promise<EarnedMonth[]> => {
      const query = { merchantIds: requestedMerchants(viewer, 'report:read', filter), mode: filter.mode };
      return reports.read((client) => readEarned(client, query, switchyard.now()), { signal });
    },
  }),
);
