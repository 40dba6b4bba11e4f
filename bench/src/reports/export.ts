import { openReports, paymentFile, streamFile } from '@switchyard/db';
import { print } from './measure.ts';

const ROWS = 1_000_000;
const BAR = 80_000;
const MEBIBYTE = 1_048_576;

/**
 * Reads a file of a million payments of all merchants and prints how fast it came and what memory it took. `fresh` is for rows that
 * nobody has read before: the disk, which is measured then, has no bar.
 */
export async function measureExport(databaseUrl: string, format: 'csv' | 'ndjson', fresh: boolean): Promise<void> {
  const reports = openReports({ url: databaseUrl, onIdleError: (error) => console.error(error) });
  const merchants = await reports.prisma.merchant.findMany({ select: { id: true } });
  const merchantIds = merchants.map(({ id }) => id);
  const any = { statuses: [], gateways: [], accountIds: [], methods: [], ruleIds: [] };
  const open = { amountFrom: null, amountTo: null, createdFrom: null, createdTo: null, late: null, underReview: null };
  const filter = { merchantIds, mode: 'live', ...any, ...open } as const;
  const before = process.memoryUsage().rss;
  const began = performance.now();
  let [rows, bytes, most] = [0, 0, 0];
  for await (const piece of streamFile(reports, paymentFile(filter), { format, after: null })) {
    rows += piece.rows;
    bytes += piece.bytes.length;
    most = Math.max(most, process.memoryUsage().rss);
    if (rows >= ROWS) break;
  }
  const perSecond = rows / ((performance.now() - began) / 1_000);
  await reports.close();
  const figure = (value: number) => Math.round(value).toLocaleString('en-US');
  const memory = `${figure(most / MEBIBYTE)} MiB of memory at most (${figure(before / MEBIBYTE)} before)`;
  const verdict = fresh ? '' : perSecond > BAR ? `over ${figure(BAR)}` : `UNDER ${figure(BAR)}`;
  print(
    `export as ${format}, all merchants${fresh ? ', from the disk' : ''}`,
    `${figure(perSecond)} rows/s, ${figure(rows)} rows, ${figure(bytes / MEBIBYTE)} MiB, ${memory}  ${verdict}`,
  );
}
