import type { Database } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';

/** A schedule whose last report failed for good, or that is paused because its owner may not see its list any more. */
export interface FailedReport {
  /** The nil UUID of a schedule for all merchants. */
  readonly merchantId: string;
  readonly scheduleId: string;
  readonly mode: Mode;
  readonly name: string;
  /** A code: of the run, or why it is paused. */
  readonly error: string;
  readonly since: Date;
}

/** Code of a run that ended when a person paused its schedule: nothing for another person to do. */
export const PAUSED = 'paused';

const FAILED_MAX = 200;

/** Schedules that need a person, of all merchants or of these; the longest first. */
export function listFailedReports({ prisma }: Database, merchantIds: readonly string[] | null): Promise<FailedReport[]> {
  return prisma.$queryRaw<FailedReport[]>`
    SELECT schedule.merchant_id AS "merchantId", schedule.id AS "scheduleId", schedule.mode::text AS mode, schedule.name,
      coalesce(schedule.pause::text, last.error, 'unknown') AS error, coalesce(schedule.paused_at, last.updated_at) AS since
    FROM report_schedule AS schedule LEFT JOIN LATERAL (
      SELECT state, error, updated_at FROM report_run AS run
      WHERE run.merchant_id = schedule.merchant_id AND run.schedule_id = schedule.id ORDER BY first_day DESC, created_at DESC LIMIT 1
    ) AS last ON true
    WHERE schedule.removed_at IS NULL AND (${merchantIds}::uuid[] IS NULL OR schedule.merchant_id = ANY (${merchantIds}::uuid[]))
      AND (schedule.pause IN ('owner_disabled', 'rights_lost') OR schedule.pause IS NULL AND last.state = 'FAILED' AND last.error IS DISTINCT FROM ${PAUSED})
    ORDER BY since, schedule.id LIMIT ${FAILED_MAX}`;
}

/** A failure in one sentence, from its code. */
export function failureText(code: string): string {
  return SENTENCES[code] ?? (code.startsWith('email ') ? mailText(code.slice('email '.length)) : UNKNOWN);
}

const UNKNOWN = 'Something went wrong on our side. It has been recorded.';

const SENTENCES: Readonly<Record<string, string>> = {
  [PAUSED]: 'Its schedule was paused before it was sent.',
  owner_disabled: 'The person who set it up is disabled.',
  rights_lost: 'The person who set it up may no longer export this list.',
  too_many_rows: 'It has more rows than an XLSX file can hold: narrow the filter, or choose CSV.',
  too_large: 'The file is larger than 20 MB when compressed: narrow the filter, or choose a shorter period.',
  email_not_set_up: 'E-mail is not set up for this installation.',
  database_unavailable: 'The database could not be reached.',
  timeout: 'Reading its rows took longer than ten minutes.',
  file_gone: 'Its file was deleted, as a customer in it was erased or it is too old.',
  schedule_removed: 'Its schedule was removed.',
  list_unknown: 'This version does not have its list.',
};

function mailText(answer: string): string {
  return /^\d+$/.test(answer)
    ? `The mail server refused the e-mail with status ${answer}.`
    : `The mail server could not be reached (${answer}).`;
}
