import type { Mode } from '@switchyard/db/client';
import { readStaffNames } from '@switchyard/staff/staff-names';
import { staffIdOf } from '../console/names.ts';
import type { SettlementContext } from '../context.ts';

/** A statement that was taken in. */
export interface BankStatementItem {
  readonly statementId: string;
  readonly merchantId: string;
  readonly name: string;
  readonly hash: string;
  readonly format: string;
  /** Lines that became known by it, and those that an earlier statement had. */
  readonly lines: number;
  readonly known: number;
  readonly takenByName: string | null;
  readonly takenAt: Date;
  /** Null while it counts. */
  readonly withdrawnAt: Date | null;
}

const STATEMENTS_MAX = 200;

/** The statements of these merchants, the newest first; at most 200. */
export async function listStatements(
  context: SettlementContext,
  { merchantIds, mode }: { readonly merchantIds: readonly string[]; readonly mode: Mode },
): Promise<BankStatementItem[]> {
  const { database } = context.resources;
  const rows = await database.prisma.bankStatement.findMany({
    where: { merchantId: { in: [...merchantIds] }, mode },
    orderBy: [{ takenAt: 'desc' }, { id: 'desc' }],
    take: STATEMENTS_MAX,
  });
  const names = await readStaffNames(
    database,
    rows.flatMap(({ takenBy }) => staffIdOf(takenBy) ?? []),
  );
  return rows.map(({ id: statementId, merchantId, name, hash, format, lines, known, takenBy, takenAt, withdrawnAt }) => {
    return {
      statementId,
      merchantId,
      name,
      hash,
      format,
      lines,
      known,
      takenByName: names.get(staffIdOf(takenBy) ?? '') ?? null,
      takenAt,
      withdrawnAt,
    };
  });
}
