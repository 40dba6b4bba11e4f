import { type ApprovalSum, approvalList, approvalStateOf, sumApprovals } from '@switchyard/payments/lists';
import { builder, type GraphqlContext } from '../builder.ts';
import { idOf, names, pageCost, uuid } from '../inputs.ts';
import { filterOf, readPage, scopeFields } from './read-page.ts';

const PERMISSION = 'payment:read';

const State = builder.enumType('RefundApprovalState', {
  description: 'State of a refund that needs a second person.',
  values: {
    WAITING: { description: 'Not decided yet.' },
    APPROVED: { description: 'Approved: the refund was requested.' },
    DECLINED: { description: 'Declined.' },
    WITHDRAWN: { description: 'Withdrawn by the person who requested it.' },
    EXPIRED: { description: 'It waited too long.' },
  },
});

const Approval = builder.prismaObject('RefundApproval', {
  name: 'RefundApproval',
  description: 'A refund that needs a second person.',
  select: { merchantId: true, mode: true, state: true, expiresAt: true },
  authScopes: ({ merchantId, mode }) => ({ owner: { merchantId, mode, permission: PERMISSION } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of it, and of the refund that its approval requests.' }),
    paymentId: t.exposeID('paymentId', { description: 'The payment.' }),
    kind: t.exposeString('kind', {
      description: 'own money of the payment, a duplicate charge, or mismatched money under review.',
    }),
    amount: t.expose('amount', { type: 'Amount', description: 'The amount.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    gateway: t.exposeString('gateway', { description: 'The gateway, by name: paystack.' }),
    state: t.field({
      type: State,
      description: 'Its state now.',
      resolve: (approval, _args, { switchyard }) => approvalStateOf(approval, switchyard.now()),
    }),
    reason: t.exposeString('reason', { nullable: true, description: 'The reason given.' }),
    reasonCode: t.exposeString('reasonCode', { nullable: true, description: "The merchant's code of the reason." }),
    requestedBy: t.exposeString('requestedBy', { description: 'Who requested it.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'From then on it cannot be approved any more.' }),
    decidedBy: t.exposeString('decidedBy', { nullable: true, description: 'Who approved, declined or withdrew it.' }),
    decidedAt: t.expose('decidedAt', { type: 'DateTime', nullable: true, description: 'When.' }),
    decisionNote: t.exposeString('decisionNote', { nullable: true, description: 'Reason for declining it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was requested.' }),
  }),
});

const Filter = builder.inputType('RefundApprovalFilter', {
  description: 'Filter of refunds that need a second person. An omitted field matches all.',
  fields: (t) => ({
    ...scopeFields(t),
    states: t.field({ type: [State], description: 'States, as they are now.' }),
    gateways: t.stringList({ description: 'Names of gateways.', validate: names }),
    paymentId: t.id({ description: 'The payment.', validate: uuid }),
  }),
});

function approvalsOf(context: GraphqlContext, filter: typeof Filter.$inferInput) {
  return {
    ...filterOf(context, PERMISSION, filter),
    gateways: filter.gateways ?? [],
    paymentId: idOf(filter.paymentId),
  };
}

builder.queryField('refundApprovals', (t) =>
  t.connection(
    {
      type: Approval,
      description: 'Refunds that need a second person, newest first.',
      authScopes: { permission: PERMISSION },
      args: { filter: t.arg({ type: Filter, required: true, description: 'Filter.' }) },
      complexity: pageCost,
      resolve: (_root, { filter, ...args }, context) => {
        const { prisma } = context.reports;
        const list = approvalList(approvalsOf(context, filter), context.switchyard.now());
        return readPage(context, list, args, (rows) => prisma.refundApproval.findMany(rows));
      },
    },
    { name: 'RefundApprovalConnection', description: 'A page of refunds that need a second person.' },
    { name: 'RefundApprovalEdge', description: 'A refund that needs a second person, and its cursor.' },
  ),
);

const Sums = builder.objectRef<ApprovalSum>('RefundApprovalSums').implement({
  description: 'Refunds that need a second person, of one state and currency together.',
  fields: (t) => ({
    state: t.expose('state', { type: State, description: 'Their state now.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    count: t.exposeInt('count', { description: 'How many.' }),
    amount: t.expose('amount', { type: 'Amount', description: 'Their amounts.' }),
  }),
});

builder.queryField('refundApprovalSums', (t) =>
  t.field({
    type: [Sums],
    description: 'Refunds that need a second person, counted and added up by state and currency.',
    authScopes: { permission: PERMISSION },
    args: { filter: t.arg({ type: Filter, required: true, description: 'Filter.' }) },
    complexity: { field: 50, multiplier: 10 },
    resolve: (_root, { filter }, context) =>
      sumApprovals(context.reports, approvalsOf(context, filter), context.switchyard.now()),
  }),
);
