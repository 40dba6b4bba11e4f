import { channel } from 'node:diagnostics_channel';
import { sendFailures } from './send.ts';

/** How an attempt can end: `delivered` for a 2xx answer, `refused` for any other, else why there was none. */
export const deliveryOutcomes = ['delivered', 'refused', ...sendFailures] as const;

/** An attempt to deliver an event that has ended. */
export interface DeliveryAttempt {
  readonly eventId: string;
  readonly type: string;
  readonly outcome: (typeof deliveryOutcomes)[number];
  /** True if the event is given up with this attempt. */
  readonly givenUp: boolean;
  /** True if this was the first attempt of the delivery. */
  readonly first: boolean;
  readonly seconds: number;
  /** From the event's delivery being recorded to the end of this attempt. */
  readonly secondsSinceRecorded: number;
}

const DELIVERY_ATTEMPTS = channel('switchyard:delivery-attempt');

/** Calls `observe` after each attempt to deliver in this process; the returned function ends that. */
export function observeDeliveryAttempts(observe: (attempt: DeliveryAttempt) => void): () => void {
  const listener = (message: unknown) => observe(message as DeliveryAttempt);
  DELIVERY_ATTEMPTS.subscribe(listener);
  return () => DELIVERY_ATTEMPTS.unsubscribe(listener);
}

/** Publishes an attempt to those who observe. */
export function publishDeliveryAttempt(attempt: DeliveryAttempt): void {
  DELIVERY_ATTEMPTS.publish(attempt);
}
