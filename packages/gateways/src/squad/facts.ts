import type { GatewayFacts } from '../gateway.ts';

/** Facts of Squad that are known without its connector. */
export const facts: GatewayFacts = {
  title: 'Squad',
  // Its documentation names no day.
  settlement: { workingDays: 1, source: null },
  answerWithin: null,
};
