import { type Database, type JsonValue, NIL_ID } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { AuditKeys } from '@switchyard/db/audit-keys';
import type { Mode } from '@switchyard/db/client';

export type { FileColumn } from './file-columns.ts';
export {
  DELIVERY_FILE,
  DISCREPANCY_FILE,
  DISPUTE_FILE,
  DUPLICATE_CHARGE_FILE,
  FEE_FILE,
  PAYMENT_FILE,
  REFUND_FILE,
  SETTLED_PAYMENT_FILE,
  SETTLEMENT_DISCREPANCY_FILE,
  SETTLEMENT_FILE,
  SETTLEMENT_LINE_FILE,
} from './file-lists.ts';
export {
  countFileRows,
  FILE_FORMATS,
  type FileCursor,
  type FileFormat,
  type FileList,
  type FilePiece,
  type FileQuery,
  readFile,
} from './list-file.ts';
export { isWithinDays } from './payment-dates.ts';
export { WORKBOOK_ROWS_MAX, WorkbookLimitError, workbookProblem } from './workbook.ts';
export { csvLines, csvTitles, FILE_TYPES, type WrittenFile, writeFile } from './write-file.ts';

/** The use case's database, clock and ids. */
interface RecordingContext {
  readonly resources: { readonly database: Database; readonly auditKeys: AuditKeys };
  readonly now: () => Date;
  readonly newId: () => string;
}

/** A list that is sent as a file. */
interface ExportedList {
  /** As in its address: `duplicate-charges`. */
  readonly listName: string;
  readonly mode: Mode;
  /** The merchants that the filter names; empty for all that the caller reaches. */
  readonly merchantIds: readonly string[];
  readonly actor: string;
  /** The export requested, and its number of rows. */
  readonly request: JsonValue;
}

/** Writes the export of a list to the audit log: to a merchant's own for an export of that merchant alone, else to the workspace's. */
export async function recordExport({ resources, now, newId }: RecordingContext, list: ExportedList): Promise<void> {
  const name = list.listName.replaceAll('-', '_');
  const [only, ...others] = list.merchantIds;
  const entry = {
    tenantId: only !== undefined && others.length === 0 ? only : NIL_ID,
    entryId: newId(),
    actor: list.actor,
    action: `${name}.exported`,
    objectType: `${name.replace(/s$/, '').replace(/ie$/, 'y')}_list`,
    objectId: list.mode,
    before: null,
    after: list.request,
  };
  await resources.database.prisma.$transaction((transaction) => appendAuditEntry(transaction, resources.auditKeys, entry, now()));
}
