import { isUuid } from '@switchyard/db';
import { type DeliveryState, type Mode, Prisma } from '@switchyard/db/client';
import { type CreatedWithin, compares, isCreatedWithin, isOneOf, type TenantList } from '@switchyard/db/lists';

/** Which deliveries of a list. Empty lists and null match any. */
export interface DeliveryFilter extends CreatedWithin {
  /** Those the caller may see. */
  readonly merchantIds: readonly string[];
  readonly mode: Mode | null;
  readonly states: readonly DeliveryState[];
  readonly endpointId: string | null;
  /** Types of events. */
  readonly types: readonly string[];
  /** The id of a delivery, an event or a payment. */
  readonly about: string | null;
}

/** The list of a filter's deliveries. */
export function deliveryList(filter: DeliveryFilter): TenantList {
  return { table: 'webhook_delivery', merchantIds: filter.merchantIds, conditions: deliveryConditions(filter), by: 'merchant' };
}

function deliveryConditions(filter: DeliveryFilter): Prisma.Sql[] {
  const { mode, about } = filter;
  return [
    mode === null ? Prisma.sql`true` : isOfMode(mode),
    ...isCreatedWithin(filter),
    ...isInStates(filter.states),
    ...compares('p.endpoint_id =', filter.endpointId, 'uuid'),
    ...isOneOf('p.type', filter.types, 'text'),
    ...(about === null ? [] : [isAbout(about)]),
  ];
}

/** Pending deliveries are few among all: they are found where those stand that are to be made. */
export const IS_PENDING = Prisma.raw(`p.state = 'PENDING' AND EXISTS (SELECT FROM due_delivery AS due
  WHERE due.merchant_id = p.merchant_id AND due.endpoint_id = p.endpoint_id AND due.delivery_id = p.id)`);

function isInStates(states: readonly DeliveryState[]): Prisma.Sql[] {
  return states.length === 1 && states[0] === 'PENDING' ? [IS_PENDING] : isOneOf('p.state', states, 'delivery_state');
}

/** A delivery has the mode of its endpoint. */
function isOfMode(mode: Mode): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT 1 FROM webhook_endpoint AS endpoint
    WHERE endpoint.merchant_id = p.merchant_id AND endpoint.id = p.endpoint_id AND endpoint.mode = ${mode}::mode)`;
}

function isAbout(id: string): Prisma.Sql {
  if (!isUuid(id)) return Prisma.sql`false`;
  return Prisma.sql`(p.id = ${id}::uuid OR p.event_id = ${id}::uuid OR p.payment_id = ${id}::uuid)`;
}
