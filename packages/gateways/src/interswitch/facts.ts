import type { GatewayFacts } from '../gateway.ts';

/** Facts of Interswitch that are known without its connector. */
export const facts: GatewayFacts = {
  title: 'Interswitch',
  // Its documentation names no day.
  settlement: { workingDays: 1, source: null },
  answerWithin: null,
};
