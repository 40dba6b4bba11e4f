import type { GatewayFacts } from '../gateway.ts';

/** Facts of Kora that are known without its connector. */
export const facts: GatewayFacts = {
  title: 'Kora',
  // Cards on the next day; bank transfers at once, which is earlier than expected and no discrepancy.
  settlement: { workingDays: 1, source: 'https://developers.korapay.com/docs/local-settlements' },
  // https://support.korapay.com/en/articles/6089927
  answerWithin: { kind: 'hours', hours: 24 },
};
