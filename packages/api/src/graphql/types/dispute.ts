import { builder } from '../builder.ts';
import { Account, accountOf } from './account.ts';

export const DisputeState = builder.enumType('DisputeState', {
  description: 'State of a dispute, as its gateway reports it.',
  values: {
    NEEDS_RESPONSE: { description: 'It has to be answered before it is due.' },
    UNDER_REVIEW: { description: 'Answered; the bank or the gateway decides.' },
    WON: { description: 'The merchant keeps the money.' },
    LOST: { description: 'The money goes back to the customer.' },
    ACCEPTED: { description: 'The merchant accepted it: the money goes back.' },
    EXPIRED: { description: 'It was not answered in time: the money goes back.' },
    CLOSED: { description: 'Closed without a word on who keeps the money.' },
  },
});

/** GraphQL type of a dispute. */
export const Dispute = builder.prismaObject('Dispute', {
  name: 'Dispute',
  description: 'A payment that a customer disputes with the bank. Amounts are exact decimals of the main unit.',
  select: { merchantId: true, mode: true, accountId: true, gateway: true },
  authScopes: ({ merchantId, mode }) => ({ owner: { merchantId, mode, permission: 'payment:read' } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the dispute.' }),
    paymentId: t.exposeID('paymentId', { description: 'The disputed payment.' }),
    account: t.field({
      type: Account,
      description: 'The gateway account that was paid.',
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
    gatewayDisputeId: t.exposeString('gatewayDisputeId', { description: "The gateway's own id of it." }),
    state: t.expose('state', { type: DisputeState, description: 'Its state.' }),
    category: t.exposeString('category', { nullable: true, description: "The gateway's word for its kind." }),
    stage: t.exposeString('stage', { nullable: true, description: "The gateway's word for how far it got." }),
    amount: t.field({
      type: 'Decimal',
      description: 'The disputed amount.',
      select: { amount: true },
      resolve: ({ amount }) => amount.toFixed(),
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code of its amounts.' }),
    fee: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'What the gateway charges for it; null where it is not known.',
      select: { fee: true },
      resolve: ({ fee }) => fee?.toFixed() ?? null,
    }),
    dueAt: t.expose('dueAt', { type: 'DateTime', nullable: true, description: 'Until when it has to be answered.' }),
    openedAt: t.expose('openedAt', { type: 'DateTime', description: 'When it was opened.' }),
    closedAt: t.expose('closedAt', { type: 'DateTime', nullable: true, description: 'When it was decided.' }),
  }),
});
