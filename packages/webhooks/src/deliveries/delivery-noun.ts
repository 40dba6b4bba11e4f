import { isUuid } from '@switchyard/db';
import { type DeliveryState, Prisma } from '@switchyard/db/client';
import { isOneOf, type TenantList } from '@switchyard/db/lists';
import { conditionsOf, defineNoun, type NounFilter } from '@switchyard/nouns';
import { code, moment, number, oneOf, text } from '@switchyard/nouns/fields';
import * as by from '@switchyard/nouns/filters';

export const DELIVERY_STATES = ['PENDING', 'DELIVERED', 'FAILED'] as const satisfies readonly DeliveryState[];

/** Deliveries of events. Each has the mode of its endpoint. */
export const deliveryNoun = defineNoun({
  title: 'Webhook deliveries',
  permission: 'webhook:read',
  table: 'webhook_delivery',
  // No index orders deliveries by time.
  order: 'id',
  rows: () => Prisma.sql`(SELECT delivery.*, endpoint.mode FROM webhook_delivery AS delivery
    JOIN webhook_endpoint AS endpoint ON endpoint.merchant_id = delivery.merchant_id AND endpoint.id = delivery.endpoint_id)`,
  fields: {
    merchant_id: code('The merchant.'),
    created_at: moment('When the event happened, in UTC.'),
    delivery_id: code('Its id.', 'p.id'),
    mode: code('test or live.'),
    endpoint_id: code('The endpoint.'),
    event_id: code('Id of the event record: webhook-id.'),
    payment_id: code('The payment it is about.'),
    type: code('Type of the event.'),
    state: oneOf('Its state', DELIVERY_STATES),
    attempts: number('The number of delivery attempts.'),
    last_status: number('HTTP status of the last response.'),
    last_failure: text('Why the last attempt failed.'),
    delivered_at: moment('When it was delivered, in UTC.'),
    updated_at: moment('When it last changed, in UTC.'),
  },
  filter: {
    ...by.timed((mode) => [
      Prisma.sql`EXISTS (SELECT 1 FROM webhook_endpoint AS endpoint
          WHERE endpoint.merchant_id = p.merchant_id AND endpoint.id = p.endpoint_id AND endpoint.mode = ${mode}::mode)`,
    ]),
    states: by.anyOf('States.', DELIVERY_STATES, isInStates),
    endpointId: by.id('The endpoint.', 'p.endpoint_id'),
    types: by.names('Types of events.', 100, 'p.type'),
    about: by.words('The id of a delivery, an event or a payment.', isAbout, 100),
  },
});

/** Filter of deliveries. For one endpoint, the mode may be left out. */
export type DeliveryFilter = Omit<NounFilter<typeof deliveryNoun>, 'mode'> &
  Partial<Pick<NounFilter<typeof deliveryNoun>, 'mode'>>;

/** The list of a filter's deliveries. */
export function deliveryList(filter: DeliveryFilter): TenantList {
  const { table } = deliveryNoun;
  // The planner needs one condition at least.
  const conditions = [Prisma.sql`true`, ...conditionsOf(deliveryNoun, filter)];
  return { table, merchantIds: filter.merchantIds, conditions, by: 'merchant' };
}

/** Pending deliveries are few among all: they are found where those stand that are to be made. */
export const IS_PENDING = Prisma.raw(`p.state = 'PENDING' AND EXISTS (SELECT FROM due_delivery AS due
  WHERE due.merchant_id = p.merchant_id AND due.endpoint_id = p.endpoint_id AND due.delivery_id = p.id)`);

function isInStates(states: readonly DeliveryState[]): readonly Prisma.Sql[] {
  return states.length === 1 && states[0] === 'PENDING' ? [IS_PENDING] : isOneOf('p.state', states, 'delivery_state');
}

function isAbout(id: string): readonly Prisma.Sql[] {
  if (!isUuid(id)) return [Prisma.sql`false`];
  return [Prisma.sql`(p.id = ${id}::uuid OR p.event_id = ${id}::uuid OR p.payment_id = ${id}::uuid)`];
}
