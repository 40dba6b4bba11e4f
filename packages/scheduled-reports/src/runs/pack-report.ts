import type { ReportRun, ReportSchedule } from '@switchyard/db/client';
import type { ExportedList } from '@switchyard/exports/lists';
import { type FilePiece, readFile, writeFile } from '@switchyard/reporting/files';
import { dayText } from '@switchyard/runtime/calendar-days';
import { z } from 'zod';
import type { RunsContext } from '../context.ts';
import { periodBetween } from '../periods.ts';
import { type PackedFile, pack } from './packed-file.ts';

/** Within the lease of a run. */
const TIMEOUT_MS = 10 * 60_000;

const storedFilter = z.record(z.string(), z.unknown());

/** Writes what was recorded in the period of a run as the file of its schedule, and counts its rows. */
export async function packReport(
  { resources }: RunsContext,
  { run, schedule }: { readonly run: ReportRun; readonly schedule: ReportSchedule },
  list: ExportedList,
  merchantIds: readonly string[],
): Promise<PackedFile & { readonly rows: number }> {
  const { timeZone, format, mode } = schedule;
  // The days are the run's own: the schedule may have another frequency by now.
  const period = periodBetween(dayText(run.firstDay), dayText(run.lastDay), timeZone);
  const filter = storedFilter.parse(schedule.filter);
  const requested = list.read({ ...filter, mode, merchantIds: [], ...list.within(period, filter) });
  if ('problem' in requested) throw new Error(`the filter of a schedule is not understood: ${requested.problem}`);
  const query = await requested.file(resources.database, merchantIds);
  const pieces = readFile(resources.reports, query, { format, after: null, signal: AbortSignal.timeout(TIMEOUT_MS) });
  let rows = 0;
  async function* counted(): AsyncGenerator<FilePiece> {
    for await (const piece of pieces) {
      rows += piece.rows.length;
      yield piece;
    }
  }
  const file = { format, name: schedule.list, columns: query.columns, titles: true, byteOrderMark: format === 'csv' };
  const packed = await pack(format, writeFile(file, counted()));
  return { ...packed, rows };
}
