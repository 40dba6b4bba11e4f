import type { Reports } from '@switchyard/db';
import { type DisputeState, Prisma } from '@switchyard/db/client';
import { defineNoun, isListed, type NounFilter } from '@switchyard/nouns';
import { code, decimal, moment, oneOf, text } from '@switchyard/nouns/fields';
import * as by from '@switchyard/nouns/filters';

export const DISPUTE_STATES = [
  'NEEDS_RESPONSE',
  'UNDER_REVIEW',
  'WON',
  'LOST',
  'ACCEPTED',
  'EXPIRED',
  'CLOSED',
] as const satisfies readonly DisputeState[];

/** Disputes, by when they became known. */
export const disputeNoun = defineNoun({
  title: 'Disputes',
  permission: 'payment:read',
  table: 'dispute',
  order: 'time',
  fields: {
    merchant_id: code('The merchant.'),
    created_at: moment('When it became known, in UTC.'),
    dispute_id: code('Its id.', 'p.id'),
    mode: code('test or live.'),
    payment_id: code('The disputed payment; empty of one that is not in the ledger, as another software took it at the account.'),
    state: oneOf('Its state', DISPUTE_STATES),
    category: text("The gateway's word for its kind."),
    stage: text("The gateway's word for how far it got."),
    amount: decimal('The disputed amount as an exact decimal.'),
    taken_back: decimal(
      'What it took back of its payment: no more than was left, 0 while it is not lost. With what a gateway takes back without a dispute it is the reversed amount of the payment.',
    ),
    currency: text('ISO 4217.'),
    fee: decimal('What the gateway charges for it, as an exact decimal; empty where it is not known.'),
    gateway: code('The gateway.'),
    account_id: code('The gateway account.'),
    gateway_dispute_id: text("The gateway's own id of the dispute."),
    reference: text("The disputed payment's reference at the gateway."),
    transaction_id: text("The gateway's own id of its transaction."),
    due_at: moment('Until when it has to be answered, in UTC.'),
    due_source: code('GATEWAY, RULE or STAFF: where the due date comes from.'),
    opened_at: moment('When it was opened, in UTC.'),
    closed_at: moment('When it was decided, in UTC.'),
  },
  filter: {
    ...by.timed(),
    states: by.anyOf('States.', DISPUTE_STATES, ['p.state', 'dispute_state']),
    gateways: by.names('Names of gateways.', 100, 'p.gateway'),
    paymentId: by.id('The disputed payment.', 'p.payment_id'),
    search: by.search("Its id, reference or transaction id, or its payment's id, order or customer's e-mail address.", {
      ids: ['p.id', 'p.payment_id'],
      references: ['p.gateway_dispute_id', 'p.reference', 'p.transaction_id'],
      ofPayment: true,
    }),
  },
});

/** Filter of the disputes of a list. */
export type DisputeFilter = NounFilter<typeof disputeNoun>;

/** Disputes of one state and currency together. Amounts are exact decimals of the main unit. */
export interface DisputeSum {
  readonly state: DisputeState;
  readonly currency: string;
  readonly count: number;
  readonly amount: string;
  /** The amount that they took back of their payments. */
  readonly takenBack: string;
  /** Sum of the fees that are known. */
  readonly fees: string;
}

/** The disputes of a filter, counted and added up by state and currency. */
export async function sumDisputes(
  reports: Pick<Reports, 'read'>,
  filter: DisputeFilter,
  signal: AbortSignal,
): Promise<DisputeSum[]> {
  const { text, values } = Prisma.sql`
    SELECT p.state::text AS state, p.currency::text AS currency, count(*)::int AS count, trim_scale(sum(p.amount))::text AS amount,
      trim_scale(sum(p.taken_back))::text AS "takenBack", trim_scale(coalesce(sum(p.fee), 0))::text AS fees
    FROM dispute AS p WHERE ${isListed(disputeNoun, filter)}
    GROUP BY p.state, p.currency ORDER BY p.state, p.currency`;
  const { rows } = await reports.read((client) => client.query<DisputeSum>({ text, values }), { signal });
  return rows;
}
