import { type Database, type JsonValue, NIL_ID } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { AuditKeys } from '@switchyard/db/audit-keys';
import type { Mode } from '@switchyard/db/client';

/** The use case's database, clock and ids. */
interface RecordingContext {
  readonly resources: { readonly database: Database; readonly auditKeys: AuditKeys };
  readonly now: () => Date;
  readonly newId: () => string;
}

/** A list that is sent as a file. */
export interface ExportedList {
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
