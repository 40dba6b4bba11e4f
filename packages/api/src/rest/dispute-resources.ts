import { z } from 'zod';
import { anyOf, createdWithin, page } from './list-queries.ts';

const DISPUTE_STATES = ['needs_response', 'under_review', 'won', 'lost', 'accepted', 'expired', 'closed'] as const;
const described = (description: string) => z.string().openapi({ description });
const moment = (description: string) => z.iso.datetime().nullable().openapi({ description });

/** Query of `GET /v1/disputes`. */
export const disputeListQuery = z.object({
  paymentId: z
    .uuid('must be the id of a payment')
    .nullable()
    .default(null)
    .openapi({ type: 'string', format: 'uuid', description: 'Disputes of this payment.' }),
  state: anyOf(DISPUTE_STATES, 'Disputes in this state, or in several separated by commas.'),
  ...createdWithin,
  ...page,
});

/** A dispute, over REST and in events. */
export const dispute = z
  .strictObject({
    disputeId: described('Its id.'),
    paymentId: described('The disputed payment; null of one that was not made here, but at the same gateway account.').nullable(),
    state: z.enum(DISPUTE_STATES).openapi({
      description:
        '`won` leaves the money with you. `lost`, `accepted` (by you) and `expired` (not answered in time) send it back. `closed`: the ' +
        'gateway does not say who keeps it.',
    }),
    category: described("The gateway's word for its kind, such as chargeback or fraud.").nullable(),
    stage: described("The gateway's word for how far it got.").nullable(),
    amount: z.number().min(0).openapi({ description: 'Disputed, in main currency units, with decimals where it has them.' }),
    currency: described('ISO 4217 code.'),
    fee: z
      .number()
      .min(0)
      .nullable()
      .openapi({ description: 'The gateway’s charge for the dispute; null where it is not known.' }),
    gateway: described('The gateway that was paid.'),
    gatewayDisputeId: described("The gateway's own id of the dispute."),
    dueAt: moment('Until when it has to be answered; null where neither the gateway nor a rule of it names a time.'),
    openedAt: described('When it was opened, in UTC.'),
    closedAt: moment('When it was decided, in UTC; null while it is open.'),
  })
  .openapi('Dispute');

/** A page of disputes, newest first. */
export const disputeList = z
  .strictObject({
    disputes: z.array(dispute),
    nextCursor: z.string().nullable().openapi({ description: 'The `cursor` of the next page; null on the last one.' }),
  })
  .openapi('DisputeList');
