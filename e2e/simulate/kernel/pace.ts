import type { SourceEdit } from './code.ts';
import { type Pace, PacedWait, type WaitKind } from './scheduler.ts';

export const PACE_OF_PRODUCTION: Pace = {
  queue: 1,
  spare: 1,
  poll: 1,
  watch: 1,
  heartbeat: 1,
  beat: 1,
  lists: 1,
  housekeeping: 1,
};

/** Recurring work that moves no money and announces none. */
const HOUSEKEEPING = [
  'probe-accounts',
  'put-back-recovered',
  'detect-incidents',
  'compact-health-counts',
  'age-out',
  'publish-due-rules',
  'record-shadow-decisions',
];

/** Recurring work that reads what gateways list, or plans reports. */
const LISTS = ['schedule-disputes', 'schedule-settlements', 'plan-reports'];

/** A program asks this how long to wait. */
export type WaitOf = (kind: WaitKind | { readonly task: string }, ms: number) => number | PacedWait;

export function waitsAt(pace: Pace): WaitOf {
  return (kind, ms) => {
    if (typeof kind === 'string') return new PacedWait(kind, ms * pace[kind]);
    if (HOUSEKEEPING.includes(kind.task)) return ms * pace.housekeeping;
    return ms * pace[LISTS.includes(kind.task) ? 'lists' : 'poll'];
  };
}

/** The product's own waits become questions to `simulatedWait`, while it is bundled. Nothing else of its code is changed. */
export const PACED: readonly SourceEdit[] = [
  {
    file: 'apps/worker/src/recurring.ts',
    search: 'return { jobKey: name, maxAttempts: ATTEMPTS_MAX };',
    // Begun as much later as it is repeated: no world waits for the first run either.
    replace: `return {
      jobKey: name,
      maxAttempts: ATTEMPTS_MAX,
      runAt: new Date(Date.now() + simulatedWait({ task: name }, intervalMs) - intervalMs),
    };`,
  },
  {
    file: 'apps/worker/src/recurring.ts',
    search: 'export function recurringJob({ name }: Recurring)',
    replace: 'export function recurringJob({ name, intervalMs }: Recurring)',
  },
  {
    file: 'apps/worker/src/recurring.ts',
    search: 'await query(QUEUE_AGAIN, [name, intervalMs, ATTEMPTS_MAX]);',
    replace: 'await query(QUEUE_AGAIN, [name, simulatedWait({ task: name }, intervalMs), ATTEMPTS_MAX]);',
  },
  {
    file: 'apps/worker/src/recurring.ts',
    search: 'timer = setTimeout(runOnce, intervalMs);',
    replace: `timer = setTimeout(runOnce, simulatedWait('poll', intervalMs));`,
  },
  {
    file: 'apps/worker/src/consumers.ts',
    search: '}, SWEEP_INTERVAL_MS);',
    replace: `}, simulatedWait('poll', SWEEP_INTERVAL_MS));`,
  },
  {
    file: 'apps/worker/src/start-worker.ts',
    search: 'setInterval(beat, HEARTBEAT_INTERVAL_MS)',
    replace: `setInterval(beat, simulatedWait('heartbeat', HEARTBEAT_INTERVAL_MS))`,
  },
  {
    file: 'packages/runtime/src/configuration/configuration.ts',
    search: 'options.pollMs ?? POLL_MS)',
    replace: `simulatedWait('watch', options.pollMs ?? POLL_MS))`,
  },
  {
    file: 'packages/provider-health/src/monitor/health-monitor.ts',
    search: 'setInterval(() => tick().catch(report), tickMs)',
    replace: `setInterval(() => tick().catch(report), simulatedWait('watch', tickMs))`,
  },
  {
    file: 'packages/provider-health/src/monitor/attended-time.ts',
    search: 'export const ATTEND_EVERY_MS = 50;',
    replace: `export const ATTEND_EVERY_MS = simulatedWait('watch', 50);`,
  },
  {
    file: 'packages/db/src/process-heartbeat.ts',
    search: 'setInterval(beat, BEAT_MS)',
    replace: `setInterval(beat, simulatedWait('beat', BEAT_MS))`,
  },
  {
    // Between polls that are hours apart, connections would be closed and opened again each time.
    file: 'packages/db/src/connect.ts',
    search: 'keepAlive: true,',
    replace: `keepAlive: true, idleTimeoutMillis: simulatedWait('spare', 10_000),`,
  },
  {
    file: 'node_modules/graphile-worker/dist/worker.js',
    search: '    const { resolvedPreset: { worker: { pollInterval }, }, hooks,',
    replace: `    const isEmpty = Object.keys(tasks).every((task) => task === 'send-notifications' || task === 'make-report');
    const pollInterval = simulatedWait(workerPool._workers.length === 0 && !isEmpty ? 'queue' : 'spare', 2_000);
    const { hooks,`,
  },
  {
    // Every new job is announced to every queue; worlds have no channels of messages and no reports.
    file: 'node_modules/graphile-worker/dist/worker.js',
    search: '    const nudge = () => {',
    replace: '    const nudge = () => {\n        if (isEmpty) return false;',
  },
];
