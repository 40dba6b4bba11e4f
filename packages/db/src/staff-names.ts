import type { Database } from './connect.ts';
import { isUuid } from './uuid-v7.ts';

/** What people who acted are called, as far as they are known. Ids that are none are left out. */
export async function readStaffNames(
  database: Database,
  staffIds: readonly string[],
): Promise<{ readonly staffId: string; readonly name: string }[]> {
  const ids = [...new Set(staffIds.filter(isUuid))];
  if (ids.length === 0) return [];
  const rows = await database.prisma.staffUser.findMany({
    where: { id: { in: ids } },
    select: { id: true, name: true },
    take: ids.length,
  });
  return rows.map(({ id, name }) => ({ staffId: id, name }));
}
