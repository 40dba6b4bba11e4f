import type { Tone } from './payment-status.ts';

/** State of an attempt, as stored. */
export type AttemptState = 'STARTED' | 'OPENED' | 'REFUSED' | 'UNKNOWN' | 'PAID' | 'UNPAID';

/** The label of an attempt's state. */
export const ATTEMPT_LABELS: Record<AttemptState, { readonly word: string; readonly tone: Tone; readonly meaning: string }> = {
  STARTED: { word: 'Calling', tone: 'wait', meaning: 'The gateway is being called' },
  OPENED: { word: 'Opened', tone: 'wait', meaning: 'The gateway opened a checkout' },
  REFUSED: { word: 'Refused', tone: 'bad', meaning: 'The gateway refused: no checkout exists' },
  UNKNOWN: { word: 'Unknown', tone: 'bad', meaning: 'No usable answer: a checkout may exist, and is watched' },
  PAID: { word: 'Paid', tone: 'good', meaning: 'The gateway proved payment' },
  UNPAID: { word: 'Not paid', tone: 'over', meaning: 'The gateway proved that nothing was paid' },
};

/** The one who caused a failure. */
export function failureOwner(failureClass: string): string {
  switch (failureClass) {
    case 'provider_fault':
      return "The gateway's fault";
    case 'customer':
      return "The customer's doing";
    case 'our_configuration':
      return 'Our configuration';
    default:
      return failureClass;
  }
}
