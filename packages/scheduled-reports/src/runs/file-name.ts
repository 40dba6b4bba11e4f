import type { ReportFormat } from '@switchyard/db/client';
import { dayText } from '@switchyard/runtime/calendar-days';

/** `payments-2026-11-25.xlsx`, `payments-2026-11-23-to-2026-11-29.csv` */
export function fileNameOf(
  list: string,
  { firstDay, lastDay }: { readonly firstDay: Date; readonly lastDay: Date },
  format: ReportFormat,
): string {
  const [first, last] = [firstDay, lastDay].map(dayText);
  return `${list}-${first}${first === last ? '' : `-to-${last}`}.${format}`;
}
