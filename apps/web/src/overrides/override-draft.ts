import { overrideReason } from '@switchyard/api/entered-fields';
import * as z from 'zod/mini';
import { momentIn } from '../format/calendar.ts';

/** When an override ends: a time after its start in minutes, at a moment, or never by itself. */
export const ENDS = [
  { value: '30', label: 'After 30 minutes' },
  { value: '120', label: 'After 2 hours' },
  { value: '480', label: 'After 8 hours' },
  { value: '1440', label: 'After 24 hours' },
  { value: 'at', label: 'At a date and time' },
  { value: 'never', label: 'Until it is ended' },
] as const;

/** See {@link ENDS}. */
export type OverrideEnd = (typeof ENDS)[number]['value'];

/** The times of an override as they are typed: clock times such as `2026-11-23T14:30`, or empty. */
export interface OverrideTimes {
  readonly starts: 'now' | 'at';
  readonly startAt: string;
  readonly ends: OverrideEnd;
  readonly endAt: string;
}

/** The moments of an override, `startsAt` null for at once and `expiresAt` null for no end; or what is wrong with which of them. */
export type ReadTimes =
  | { readonly ok: true; readonly startsAt: Date | null; readonly expiresAt: Date | null }
  | { readonly ok: false; readonly field: 'startAt' | 'endAt'; readonly problem: string };

/** Reads the typed times by the clocks of a zone. */
export function readTimes({ starts, startAt, ends, endAt }: OverrideTimes, zone: string, now: Date): ReadTimes {
  const startsAt = starts === 'now' ? null : momentOf(startAt, zone);
  if (starts === 'at' && startsAt === null) return { ok: false, field: 'startAt', problem: 'must be a date and a time' };
  if (startsAt !== null && startsAt <= now) return { ok: false, field: 'startAt', problem: 'must lie in the future' };
  const begin = startsAt ?? now;
  switch (ends) {
    case 'never':
      return { ok: true, startsAt, expiresAt: null };
    case 'at': {
      const expiresAt = momentOf(endAt, zone);
      if (expiresAt === null) return { ok: false, field: 'endAt', problem: 'must be a date and a time' };
      if (expiresAt <= begin) return { ok: false, field: 'endAt', problem: 'must lie after the start' };
      return { ok: true, startsAt, expiresAt };
    }
    case '30':
    case '120':
    case '480':
    case '1440':
      return { ok: true, startsAt, expiresAt: new Date(begin.getTime() + Number(ends) * 60_000) };
    default:
      return ends satisfies never;
  }
}

/** Fields of an override as entered, read into its command by the clocks of a zone. */
export function overrideSchema(zone: string) {
  return z.pipe(
    z.object({
      action: z.enum(['drain', 'disable', 'force']),
      method: z.string(),
      starts: z.enum(['now', 'at']),
      startAt: z.string(),
      ends: z.enum(['30', '120', '480', '1440', 'at', 'never']),
      endAt: z.string(),
      reason: overrideReason,
      putBack: z.boolean(),
    }),
    z.transform(({ action, method, reason, putBack, ...typed }, context) => {
      const times = readTimes(typed, zone, new Date());
      if (times.ok) {
        // An account that is tried first is not out, so that nothing can be put back.
        const isPutBack = putBack && action !== 'force';
        return { action, method, reason, startsAt: times.startsAt, expiresAt: times.expiresAt, putBack: isPutBack };
      }
      context.issues.push({ code: 'custom', path: [times.field], message: times.problem, input: typed[times.field] });
      return z.NEVER;
    }),
  );
}

/** Fields of an override as they are entered. */
export type OverrideDraft = z.input<ReturnType<typeof overrideSchema>>;

function momentOf(clock: string, zone: string): Date | null {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(clock) ? momentIn(zone, clock) : null;
}
