import { workSubject } from '@switchyard/db';
import { type EndedFollowUp, openWebhookFollower, type WebhookFollower } from '@switchyard/payments/gateway-webhooks';
import type { Tracing } from '@switchyard/telemetry';
import { jobLine, type WorkReports } from './watch-jobs.ts';
import type { WorkerContext } from './worker-context.ts';

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
