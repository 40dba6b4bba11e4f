import { NIL_ID } from '@switchyard/db';
import { countOverdueJobs } from '@switchyard/db/process';
import { countOverduePayments } from '@switchyard/payments/sweeping';
import { countOverdueDeliveries } from '@switchyard/webhooks/deliveries';
import { z } from 'zod';
import { incidentKind } from './kind.ts';
import { count, instant, isAre, plural } from './words.ts';

/** Waiting time without a process beginning the work, beyond which it is a backlog. */
const BACKLOG_MS = 5 * 60_000;

/** Payments, jobs and deliveries that are overdue because the workers are falling behind. */
export const backlog = incidentKind({
  title: 'Backlog',
  severity: 'critical',
  permission: 'system:read',
  sendsRecovery: true,
  facts: z.object({
    of: z.literal('backlog'),
    what: z.enum(['payments', 'jobs', 'deliveries']),
    count,
    oldestAt: instant,
  }),
  async find({ resources: { database } }, { workspace, now }) {
    if (!workspace) return [];
    const dueBefore = new Date(now.getTime() - BACKLOG_MS);
    const [payments, jobs, deliveries] = await Promise.all([
      countOverduePayments(database, dueBefore),
      countOverdueJobs(database, BACKLOG_MS),
      countOverdueDeliveries(database, dueBefore),
    ]);
    const found = [
      { what: 'payments' as const, ...payments },
      { what: 'jobs' as const, ...jobs },
      { what: 'deliveries' as const, ...deliveries },
    ];
    return found.flatMap(({ what, count: overdue, oldestAt }) => {
      if (oldestAt === null) return [];
      const facts = { of: 'backlog' as const, what, count: overdue, oldestAt: oldestAt.toISOString() };
      // A condition of no mode is recorded as live.
      return [{ merchantId: NIL_ID, mode: 'live' as const, kind: 'backlog' as const, subject: what, since: oldestAt, facts }];
    });
  },
  describe: ({ what, count: overdue, oldestAt }, { clock, ended }) => ({
    title: `Backlog of ${what}`,
    why: `${plural(overdue, ...WORDS[what])} ${isAre(overdue, ended)} overdue, the oldest since ${clock.timeOf(oldestAt)}: the workers ${ended ? 'were' : 'are'} falling behind.`,
    figures: [{ label: 'Overdue', value: String(overdue) }],
    action: { path: '/overview', query: {}, label: 'View system' },
  }),
});

const WORDS: Readonly<Record<'payments' | 'jobs' | 'deliveries', readonly [one: string, many: string]>> = {
  payments: ['payment to verify', 'payments to verify'],
  jobs: ['job', 'jobs'],
  deliveries: ['delivery to merchants', 'deliveries to merchants'],
};
