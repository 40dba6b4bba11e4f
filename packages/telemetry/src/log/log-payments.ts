import { workSubject } from '@switchyard/db';
import { observeGatewayOperations } from '@switchyard/gateways';
import { observeDeliveryAttempts } from '@switchyard/webhooks/deliveries';
import type { Logger } from 'pino';

/**
 * Writes a line for each operation at a gateway that is about a payment, and for each attempt to deliver an event, until the returned
 * function is called: the work of sweeps and deliveries has no line of a request or a job of its own.
 */
export function logPayments(log: Logger): () => void {
  const stops = [
    observeGatewayOperations(({ gateway, operation, outcome, reason, seconds }) => {
      if (workSubject()?.paymentId === undefined) return;
      log.info({ gateway, operation, outcome, reason: reason ?? undefined, seconds: rounded(seconds) }, 'gateway operation');
    }),
    observeDeliveryAttempts(({ eventId, type, outcome, givenUp, seconds }) => {
      log.info({ event_id: eventId, event_type: type, outcome, given_up: givenUp, seconds: rounded(seconds) }, 'delivery');
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function rounded(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}
