import type { SourceEdit } from './code.ts';

/** Kinds of paced work: polls for work that a notification may have announced, and recurring work that no payment waits for. */
export type WaitKind = 'queue' | 'poll' | 'watch' | 'heartbeat' | 'housekeeping';

/** How many times as long as in production each kind waits in a world. */
export type Pace = Readonly<Record<WaitKind, number>>;

export const PACE_OF_PRODUCTION: Pace = { queue: 1, poll: 1, watch: 1, heartbeat: 1, housekeeping: 1 };

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

/** A program asks this how long to wait. */
export type WaitOf = (kind: WaitKind | { readonly task: string }, ms: number) => number;

export function waitsAt(pace: Pace): WaitOf {
  return (kind, ms) => {
    const paced = typeof kind === 'string' ? kind : HOUSEKEEPING.includes(kind.task) ? 'housekeeping' : 'poll';
    return ms * pace[paced];
  };
}

/** The product's own waits become questions to `simulatedWait`, while it is bundled. Nothing else of its code is changed. */
export const PACED: readonly SourceEdit[] = [
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
    file: 'apps/worker/src/deliveries.ts',
    search: '}, SWEEP_INTERVAL_MS);',
    replace: `}, simulatedWait('poll', SWEEP_INTERVAL_MS));`,
  },
  {
    file: 'apps/worker/src/heartbeat.ts',
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
    file: 'node_modules/graphile-worker/dist/config.js',
    search: 'pollInterval: 2000,',
    replace: `pollInterval: simulatedWait('queue', 2_000),`,
  },
];
