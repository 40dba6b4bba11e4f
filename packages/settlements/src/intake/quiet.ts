/**
 * How long nothing more has to come of an account before what is open is judged: the next file, statement or announcement of a batch may be what
 * lacks.
 */
export const QUIET_MS = 30_000;

/** True if nothing more came for {@link QUIET_MS}. */
export function isQuiet(lastIntakeAt: Date | null, now: Date): boolean {
  return lastIntakeAt === null || lastIntakeAt.getTime() + QUIET_MS <= now.getTime();
}

/** The moment from which on it is quiet, unless more comes. */
export function quietAt(lastIntakeAt: Date): Date {
  return new Date(lastIntakeAt.getTime() + QUIET_MS);
}
