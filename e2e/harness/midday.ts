import { vi } from 'vitest';
import { lagosDay } from './lagos-day.ts';

const DAY_MS = 86_400_000;

/**
 * Sets the clock of this process to midday of yesterday in Lagos, from where it goes on, so that no day ends during a test. Of yesterday,
 * since the database keeps its own clock, by which no job may lie in the future. `vi.useRealTimers` undoes it.
 */
export function goBackToMidday(): void {
  const now = Date.parse(`${lagosDay(new Date(Date.now() - DAY_MS))}T12:00:00+01:00`);
  vi.useFakeTimers({ toFake: ['Date'], now, shouldAdvanceTime: true });
}
