import { AsyncLocalStorage } from 'node:async_hooks';
import { formatEvent } from '@switchyard/compat/webhooks';
import type { Database, Hint } from '@switchyard/db';
import { findPaymentTrace } from '@switchyard/payments/trace';
import type { Tracing } from '@switchyard/telemetry';
import {
  continueResend,
  continueStalledResends,
  type Dispatcher,
  openDispatcher,
  type TraceDelivery,
} from '@switchyard/webhooks/deliveries';
import type { TaskList } from 'graphile-worker';
import { z } from 'zod';
import type { WorkerContext } from './worker-context.ts';

const SWEEP_INTERVAL_MS = 1_000;

const resendSchema = z.object({ merchantId: z.uuid(), resendId: z.uuid() });

/** The sender of merchants' events. */
export interface Deliveries {
  /** Starts sending what is due at an endpoint; the sweep finds it a second later without that. */
  readonly wake: Dispatcher['wake'];
  /** Tasks of the queue, by name. */
  readonly tasks: TaskList;
  /** Starts no more deliveries and waits for the running ones. */
  stop(): Promise<void>;
}

/** Starts sending merchants their events. */
export function startDeliveries(context: WorkerContext, tracing: Tracing): Deliveries {
  const { resources, now, report } = context;
  const dispatcher = openDispatcher(context, {
    onError: report,
    trace: traceDelivery(resources.database, tracing),
    formatEvent: (event) => formatEvent(resources.database, event, now()),
  });
  // Events that this process announces are delivered by itself, as no part of the work that announced them. Others join by their sweeps.
  resources.database.takeHint = AsyncLocalStorage.bind(
    (hint: Hint) => hint.name === 'deliver-events' && dispatcher.wake(hint.payload),
  );
  const tasks: TaskList = {
    'resend-events': (payload) => continueResend(context, resendSchema.parse(payload), dispatcher.wake),
  };
  let sweeping: Promise<void> | null = null;
  const timer = setInterval(() => {
    sweeping ??= sweep().finally(() => {
      sweeping = null;
    });
  }, SWEEP_INTERVAL_MS);

  async function sweep(): Promise<void> {
    try {
      await dispatcher.sweep();
      await continueStalledResends(context, dispatcher.wake);
    } catch (error) {
      report(error, 'sweeping deliveries');
    }
  }

  return {
    wake: dispatcher.wake,
    tasks,
    async stop() {
      resources.database.takeHint = undefined;
      clearInterval(timer);
      await sweeping;
      await dispatcher.stop();
    },
  };
}

/** A delivery is a trace of its own, as it may be days later and again and again: a link leads to the trace that the payment began in. */
function traceDelivery(database: Database, { isOn, inSpan }: Tracing): TraceDelivery {
  return async ({ merchantId, eventId, paymentId, type }, send) => {
    if (!isOn) return send();
    const attributes = {
      'messaging.system': 'switchyard',
      'messaging.destination.name': type,
      'messaging.message.id': eventId,
    };
    const begun = paymentId === null ? null : await findPaymentTrace(database, { merchantId, paymentId }).catch(() => null);
    return inSpan(`deliver ${type}`, attributes, send, begun);
  };
}
