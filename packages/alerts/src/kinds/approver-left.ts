import { listApproversWhoLeft } from '@switchyard/staff/grants';
import { z } from 'zod';
import { taskKind } from './kind.ts';
import { instant, plural } from './words.ts';

const TITLES = {
  refunds: 'Refunds cannot be approved',
  rules: 'Rules cannot be approved',
  months: 'Months cannot be signed off',
} as const;

/** Decisions that need a second person, and that no one can take since a person left: it names who. */
export const approverLeft = taskKind({
  title: 'Approver left',
  severity: 'warning',
  permission: 'team:manage',
  facts: z.object({
    of: z.literal('approver_left'),
    decision: z.enum(['refunds', 'rules', 'months']),
    name: z.string(),
    leftAt: instant,
    waiting: z.number(),
  }),
  async find(context, { merchantIds }) {
    const found = await listApproversWhoLeft(context, merchantIds);
    return found.map(({ merchantId, of: decision, name, leftAt, waiting }) => ({
      merchantId,
      subject: decision,
      since: leftAt,
      facts: { of: 'approver_left' as const, decision, name, leftAt: leftAt.toISOString(), waiting },
    }));
  },
  describe: ({ decision, name, leftAt, waiting }, { clock }) => ({
    title: TITLES[decision],
    why: `${name}, who was needed for it, was disabled on ${clock.dateAndTimeOf(leftAt)}${waiting > 0 ? `, and ${plural(waiting, 'request waits', 'requests wait')}` : ''}: give another person a role that may.`,
    figures: [],
    action: { path: '/team', query: {}, label: 'View team', needs: 'team:manage' },
  }),
});
