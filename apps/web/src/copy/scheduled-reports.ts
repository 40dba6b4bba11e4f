import type { RouterOutputs } from '../trpc/outputs.ts';
import type { Tone } from './payment-status.ts';

/** A schedule as the page lists it. */
export type Schedule = RouterOutputs['scheduledReports']['list'][number];

/** A run of a schedule. */
export type ReportRun = RouterOutputs['scheduledReports']['runs'][number];

/** Formats as people choose them. */
export const FORMATS = [
  { value: 'xlsx', label: 'XLSX' },
  { value: 'csv', label: 'CSV' },
  { value: 'ndjson', label: 'NDJSON' },
] as const;

/** How often, as people choose it. */
export const FREQUENCIES = [
  { value: 'daily', label: 'Daily' },
  { value: 'weekly', label: 'Weekly' },
  { value: 'monthly', label: 'Monthly' },
] as const;

/** `Daily at 06:00` */
export function timingText({ frequency, hour }: Pick<Schedule, 'frequency' | 'hour'>): string {
  const at = `at ${hourText(hour)}`;
  switch (frequency) {
    case 'daily':
      return `Daily ${at}`;
    case 'weekly':
      return `Mondays ${at}`;
    case 'monthly':
      return `First of the month ${at}`;
    default:
      return frequency satisfies never;
  }
}

/** `06:00` */
export function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

/** To whom it goes: `2 addresses`, or that it is a link. */
export function recipientsText(recipients: readonly string[]): string {
  const [only, ...others] = recipients;
  if (only === undefined) return 'Link in the dashboard';
  return others.length === 0 ? only : `${recipients.length} addresses`;
}

const PAUSES: Readonly<Record<NonNullable<Schedule['pause']>, string>> = {
  person: 'A person paused it.',
  owner_disabled: 'Paused: the person who set it up is disabled. Resume it to make it yours.',
  rights_lost: 'Paused: the person who set it up may no longer export this list. Resume it to make it yours.',
};

/** Why a schedule makes no reports; null while it does. */
export function pauseText(pause: Schedule['pause']): string | null {
  return pause === null ? null : PAUSES[pause];
}

const STATES: Readonly<Record<ReportRun['state'], { readonly word: string; readonly tone: Tone }>> = {
  PENDING: { word: 'Waiting', tone: 'wait' },
  MADE: { word: 'Sending', tone: 'wait' },
  SENT: { word: 'Sent', tone: 'good' },
  FAILED: { word: 'Failed', tone: 'bad' },
};

/** The state of a run: `Ready` for one that is a link alone. */
export function stateOf({ state, attempts }: Pick<ReportRun, 'state' | 'attempts'>, isLinkOnly: boolean) {
  if (state === 'SENT' && isLinkOnly) return { word: 'Ready', tone: 'good' as const };
  if (state === 'PENDING' && attempts > 0) return { word: 'Generating', tone: 'wait' as const };
  return STATES[state];
}

/** `1,204 rows, 310 kB` */
export function sizeText({ rows, bytes }: Pick<ReportRun, 'rows' | 'bytes'>): string | null {
  if (rows === null || bytes === null) return null;
  const size =
    bytes < 1_000
      ? `${bytes} bytes`
      : bytes < 1_000_000
        ? `${Math.round(bytes / 1_000)} kB`
        : `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}, ${size}`;
}

/** A filter in words: `statuses: FAILED, REFUNDED`; empty for everything. */
export function filterText(filter: unknown): string {
  if (typeof filter !== 'object' || filter === null) return '';
  return Object.entries(filter)
    .filter(
      ([name, value]) =>
        !LEFT_OUT.has(name) && value !== null && value !== false && !(Array.isArray(value) && value.length === 0),
    )
    .map(([name, value]) => `${wordsOf(name)}: ${Array.isArray(value) ? value.map(String).join(', ') : String(value)}`)
    .join(' · ');
}

/** Filter fields that a schedule sets itself, and the date of fees where it is the usual one. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'mode',
  'merchantIds',
  'createdFrom',
  'createdTo',
  'from',
  'to',
  'dayFrom',
  'dayTo',
  'settlementId',
]);

/** `openedAt` as `opened at` */
function wordsOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** `Fri 27 Nov 2026, 06:00`, in a zone. */
export function momentIn(moment: Date, timeZone: string): string {
  const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
  const text = moment.toLocaleString('en-GB', { ...day, hour: '2-digit', minute: '2-digit', timeZone });
  return text.replace(',', '').replace('Sept ', 'Sep ');
}
