import { disputeSupports } from '@switchyard/gateways/dispute-supports';
import type { DisputeDue } from './apply-dispute.ts';

const HOUR_MS = 3_600_000;

/**
 * The due date of a dispute whose gateway names none and publishes a number of hours; null for any other. Working hours need an account's
 * calendar, which reading the gateway's list applies.
 */
export function publishedDue(gateway: string, openedAt: Date): DisputeDue | null {
  const rule = new Map(Object.entries(disputeSupports)).get(gateway)?.answerWithin ?? null;
  if (rule === null || rule.kind !== 'hours') return null;
  return { at: new Date(openedAt.getTime() + rule.hours * HOUR_MS), source: 'RULE' };
}
