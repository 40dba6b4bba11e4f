import type { KeyObject } from 'node:crypto';
import type { ReportRun, ReportSchedule } from '@switchyard/db/client';
import { FILE_TYPES } from '@switchyard/reporting/files';
import { dayText } from '@switchyard/runtime/calendar-days';
import type { Email } from '@switchyard/runtime/mail';
import { linkPath, linkToken } from '../links/link-token.ts';
import { fileNameOf } from './file-name.ts';
import { unpack } from './packed-file.ts';
import { periodText } from './period-text.ts';

/** Larger files are not attached: many mail servers take no more than 10 MB, and attachments grow by a third. */
export const ATTACHED_MAX_BYTES = 5_000_000;

/** Facts of an e-mail beside its run. */
export interface EmailFrame {
  readonly publicUrl: string;
  readonly keyPepper: KeyObject;
  /** Of the list: `Payments`. */
  readonly title: string;
  /** `all merchants` for those of the schedule's owner. */
  readonly merchantName: string;
}

/** The e-mail with a report: attached up to 5 MB, else with a link. Its subject names list, period and merchant. */
export async function formatReportEmail(
  { publicUrl, keyPepper, title, merchantName }: EmailFrame,
  { run, schedule, content }: { readonly run: ReportRun; readonly schedule: ReportSchedule; readonly content: Uint8Array },
): Promise<Email> {
  const { timeZone, mode, list } = schedule;
  const format = run.format ?? schedule.format;
  const period = periodText(dayText(run.firstDay), dayText(run.lastDay));
  const filename = fileNameOf(list, run, format);
  const isAttached = (run.bytes ?? 0) <= ATTACHED_MAX_BYTES;
  const rows = (run.rows ?? 0).toLocaleString('en');
  const url = `${publicUrl}${linkPath(linkToken(keyPepper, run.id))}`;
  const lines = [
    schedule.name,
    '',
    `${title} of ${period} (${timeZone})`,
    `Merchant: ${merchantName}`,
    ...(mode === 'test' ? ['Mode: test'] : []),
    `Rows: ${rows}`,
    `File: ${filename}, ${sizeText(run.bytes ?? 0)}`,
    '',
    ...(isAttached ? ['The file is attached.'] : [`Download it until ${momentText(run.linkExpiresAt, timeZone)}:`, url]),
    '',
    `Change or stop this report: ${publicUrl}/reports/scheduled?mode=${mode}&schedule=${schedule.id}`,
    '',
  ];
  const subject = `[Switchyard] ${title} of ${period}: ${merchantName}${mode === 'test' ? ' (test)' : ''}`;
  return {
    to: schedule.recipients.join(', '),
    subject: subject.replaceAll(/[\r\n]+/g, ' ').slice(0, 200),
    text: lines.join('\n'),
    // The same for every try: mail programs show what came twice as one.
    messageId: `<report-${run.id}@${new URL(publicUrl).hostname}>`,
    ...(isAttached && {
      attachments: [{ filename, contentType: FILE_TYPES[format], content: await bytesOf(unpack(format, content)) }],
    }),
  };
}

async function bytesOf(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** `812 bytes`, `310 kB`, `12.4 MB` */
function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function momentText(moment: Date | null, timeZone: string): string {
  if (moment === null) return '';
  return `${moment.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone })} (${timeZone})`;
}
