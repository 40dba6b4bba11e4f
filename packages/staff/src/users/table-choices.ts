import { z } from 'zod';
import type { StaffContext } from '../context.ts';

const columnIds = z.array(z.string().min(1).max(60)).max(60);

/** A person's columns of one table. */
export const tableChoice = z.object({
  /** Ids of the columns shown, in order; null for the default ones. */
  columns: columnIds.nullable(),
  /** Ids of the columns that stay in sight when the table scrolls sideways. */
  pinned: columnIds,
});

/** A person's columns of one table. */
export type TableChoice = z.infer<typeof tableChoice>;

const tableChoices = z.record(z.string(), tableChoice).catch({});

/** The columns that a staff user chose, by the name of the table. */
export async function listTableChoices(
  { resources }: StaffContext,
  staffId: string,
): Promise<Readonly<Record<string, TableChoice>>> {
  const found = await resources.database.prisma.staffUser.findUnique({ where: { id: staffId }, select: { tables: true } });
  return tableChoices.parse(found?.tables);
}

/**
 * Keeps the columns that a staff user chose for a table; null for its default ones. Other tables' choices stay, also those made at the
 * same time. A preference, which no audit entry records.
 */
export async function setTableChoice(
  { resources, now }: StaffContext,
  { staffId, table, choice }: { readonly staffId: string; readonly table: string; readonly choice: TableChoice | null },
): Promise<void> {
  const kept = choice === null ? {} : { [table]: choice };
  await resources.database.prisma.$executeRaw`
    UPDATE staff_user SET tables = (tables - ${table}::text) || ${JSON.stringify(kept)}::jsonb, updated_at = ${now()}
    WHERE id = ${staffId}::uuid`;
}
