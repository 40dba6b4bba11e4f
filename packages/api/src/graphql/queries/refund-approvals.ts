import {
  APPROVAL_STATES,
  type ApprovalSum,
  approvalList,
  approvalNoun,
  approvalStateOf,
  sumApprovals,
} from '@switchyard/payments/lists';
import { builder } from '../builder.ts';
import { pageCost } from '../inputs.ts';
import { nounFilter, showFields } from '../nouns.ts';
import { nameWords } from '../types/enums.ts';
import { readPage } from './read-page.ts';

const PERMISSION = approvalNoun.permission;

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
  authScopes: ({ merchantId, mode }) => ({ owner: { merchantId, mode, permission: PERMISSION } }),
  fields: (t) => ({
    gateway: t.exposeString('gateway', { description: 'The gateway, by name: paystack.' }),
    kind: t.exposeString('kind', {
      description: 'own money of the payment, a duplicate charge, or mismatched money under review.',
    }),
    state: t.field({
      type: State,
      description: 'Its state now.',
      resolve: (approval, _args, { switchyard }) => approvalStateOf(approval, switchyard.now()),
    }),
  }),
});
showFields(Approval, 'RefundApproval', approvalNoun, 'approval_id');

nameWords(APPROVAL_STATES, State);
const approvalFilter = nounFilter(
  'RefundApprovalFilter',
  'Filter of refunds that need a second person. An omitted field matches all.',
  approvalNoun,
);

builder.queryField('refundApprovals', (t) =>
  t.connection(
    {
      type: Approval,
      description: 'Refunds that need a second person, newest first.',
      authScopes: { permission: PERMISSION },
      args: { filter: t.arg({ type: approvalFilter.type, required: true, description: 'Filter.' }) },
      complexity: pageCost,
      resolve: (_root, { filter, ...args }, context) => {
        const { prisma } = context.reports;
        const list = approvalList(approvalFilter.read(context, filter), context.switchyard.now());
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
    args: { filter: t.arg({ type: approvalFilter.type, required: true, description: 'Filter.' }) },
    complexity: { field: 50, multiplier: 10 },
    resolve: (_root, { filter }, context) =>
      sumApprovals(context.reports, approvalFilter.read(context, filter), context.switchyard.now()),
  }),
);
