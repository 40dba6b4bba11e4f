import { disputeSupports } from '@switchyard/gateways/dispute-supports';
import type { DisputeDue } from '@switchyard/payments/reversals';
import { type Calendar, SETTLEMENT_ZONE } from '@switchyard/settlements/calendar';
import { addWorkingHours } from './working-hours.ts';

const HOUR_MS = 3_600_000;

/**
 * The due date of a dispute by the rule that its gateway publishes; null where it publishes none. Working hours go by where the card is from; where
 * that is not known they are those of local cards, which is the earlier date.
 */
export function disputeDue(
  gateway: string,
  openedAt: Date,
  { holidays, cardOrigin }: Pick<Calendar, 'holidays'> & { readonly cardOrigin: 'local' | 'international' | null },
): DisputeDue | null {
  const rule = new Map(Object.entries(disputeSupports)).get(gateway)?.answerWithin ?? null;
  if (rule === null) return null;
  switch (rule.kind) {
    case 'hours':
      return { at: new Date(openedAt.getTime() + rule.hours * HOUR_MS), source: 'RULE' };
    case 'working_hours': {
      const isInternational = cardOrigin === 'international';
      return {
        at: addWorkingHours(openedAt, isInternational ? rule.international : rule.local, { zone: SETTLEMENT_ZONE, holidays }),
        source: 'RULE',
      };
    }
    default:
      return rule satisfies never;
  }
}
