import type { HealthState } from '@switchyard/routing';
import { expect, test } from 'vitest';
import { type ProbePaceInput, probeEveryMs } from './probe-pace.ts';

const NOW = Date.parse('2026-11-20T14:00:00Z');
type Own = ProbePaceInput['own'][number];

/** Health of an account as it is, for so long. */
function own(
  state: HealthState,
  forMs = 0,
  changes: { succeeded?: number; faulted?: number; failed?: number; answersSince?: Date } = {},
): Own {
  const { succeeded = 0, faulted = 0, failed = 0, answersSince = null } = changes;
  return {
    health: {
      accountId: 'paystack',
      method: null,
      state,
      why: { code: 'unused' },
      since: new Date(NOW - forMs).toISOString(),
      succeeded,
      faulted,
      paid: 0,
      unpaid: 0,
    },
    lookups: { answered: 0, failed },
    answersSince,
  };
}
const pace = (input: Partial<ProbePaceInput>) => probeEveryMs({ faultAt: null, own: [], last: undefined, now: NOW, ...input });

test('an account without checkouts is probed every minute, and one with checkouts alone by these', () => {
  expect(pace({})).toBe(60_000);
  expect(pace({ own: [own('healthy')] })).toBe(60_000);
  expect(pace({ own: [own('healthy', 0, { succeeded: 1 })] })).toBeNull();
});

test('an account in trouble is probed every five seconds, after two minutes every ten, and every five again once one is answered', () => {
  expect(pace({ own: [own('down', 119_999)] })).toBe(5_000);
  expect(pace({ own: [own('down', 120_000)] })).toBe(10_000);
  expect(pace({ own: [own('down', 120_000)], last: { at: NOW, answered: false } })).toBe(10_000);
  expect(pace({ own: [own('down', 120_000)], last: { at: NOW, answered: true } })).toBe(5_000);
  expect(pace({ own: [own('healthy', 0, { succeeded: 9 }), own('degraded', 10_000)] })).toBe(5_000);
});

test('a healthy account whose checkouts or look-ups fail is in trouble', () => {
  expect(pace({ own: [own('healthy', 500_000, { faulted: 1 })] })).toBe(5_000);
  expect(pace({ own: [own('healthy', 500_000, { succeeded: 1, failed: 1 })] })).toBe(5_000);
});

test('an account whose probes have shown what they can waits for a checkout: it is probed every thirty seconds', () => {
  const answersSince = new Date(NOW);
  expect(pace({ own: [own('probing', 0, { answersSince })] })).toBe(30_000);
  expect(pace({ own: [own('probing', 0, { answersSince }), own('down')] })).toBe(5_000);
});

test('an account that its gateway refuses is probed after half the time that this lasts, from 15 seconds to 15 minutes', () => {
  const refusedFor = (ms: number) => pace({ faultAt: new Date(NOW - ms), own: [own('healthy', 0, { succeeded: 1 })] });
  expect([0, 30_000, 600_000, 1_800_000, 86_400_000].map(refusedFor)).toEqual([15_000, 15_000, 300_000, 900_000, 900_000]);
});
