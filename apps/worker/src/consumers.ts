import { AsyncLocalStorage } from 'node:async_hooks';
import { type MessageTools, openMessageTools, type SendingContext, sendNotifications } from '@switchyard/alerts/send';
import { formatEvent } from '@switchyard/compat/webhooks';
import { type Database, type Hint, workSubject } from '@switchyard/db';
import { type EndedFollowUp, openWebhookFollower, type WebhookFollower } from '@switchyard/payments/gateway-webhooks';
import { findPaymentTrace } from '@switchyard/payments/trace';
import { openMailer } from '@switchyard/runtime/mail';
import { makeReport, type RunsContext } from '@switchyard/scheduled-reports/runs';
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
import { jobLine, type QueueOptions, startQueue, type WorkReports } from './start-queue.ts';
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

/** Name of follow-ups in metrics and logs, beside the jobs. */
const NAME = 'follow-webhook';

/** Opens what follows up gateway webhooks: each is a piece of work of its own for the log, the metrics and traces. */
export function openFollowUps({ payments, report }: WorkerContext, reports: WorkReports, { inSpan }: Tracing): WebhookFollower {
  reports.metrics?.expectJobs([NAME]);
  return openWebhookFollower(payments, {
    onError: report,
    onEnded: (ended) => reportEnded(ended, reports),
    trace({ webhookId }, work) {
      const attributes = {
        'messaging.system': 'switchyard',
        'messaging.destination.name': NAME,
        'messaging.message.id': webhookId,
      };
      return inSpan(`job ${NAME}`, attributes, work);
    },
  });
}

function reportEnded({ webhook, outcome, error, seconds }: EndedFollowUp, { log, metrics }: WorkReports): void {
  metrics?.job(NAME, outcome, seconds);
  const { webhookId: id, tries: attempt } = webhook;
  const line = jobLine({ system: 'switchyard', task: NAME, id, seconds, attempt, outcome, error }, workSubject() ?? {});
  log?.[error === null ? 'info' : 'warn'](line, 'job');
}

/** Each channel has a queue, so that a job waits for one message at most; so many channels are notified at once. */
const CONCURRENCY = 16;
/** New messages are announced: only those that are sent again wait for a free slot to look. */
const POLL_MS = 10_000;

const channelSchema = z.object({ merchantId: z.uuid(), channelId: z.uuid() });

/** Sends messages about incidents, apart from all other jobs: a channel that does not answer holds up none of them. */
export async function startNotifications(
  { resources, now, newId, pgPool, report, signal }: WorkerContext,
  queue: QueueOptions,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<{ stop(): Promise<void> }> {
  const tools: MessageTools = openMessageTools(environment);
  const context: SendingContext = { resources, now, newId, ...tools };
  const taskList: TaskList = { 'send-notifications': (payload) => sendNotifications(context, channelSchema.parse(payload)) };
  const runner = await startQueue({ pgPool, report, signal, concurrency: CONCURRENCY, pollInterval: POLL_MS, taskList }, queue);
  return {
    async stop() {
      await runner.stop();
      await tools.sender.close();
    },
  };
}

const runSchema = z.object({ merchantId: z.uuid(), runId: z.uuid() });

/** Makes and sends scheduled reports, one at a time and apart from all other jobs: a long one holds up none of them. */
export function startReports(
  { resources, now, newId, pgPool, report, signal }: WorkerContext,
  queue: QueueOptions,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<{ stop(): Promise<void> }> {
  const context: RunsContext = { resources, now, newId, report, mailer: openMailer(environment) };
  const taskList: TaskList = { 'make-report': (payload) => makeReport(context, runSchema.parse(payload)) };
  return startQueue({ pgPool, report, signal, concurrency: 1, pollInterval: POLL_MS, taskList }, queue);
}
