import { type SealedRows, sealedColumn } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import { payerBinding } from './attempt-queries.ts';

const ERASE = `
DELETE FROM payer WHERE merchant_id = $1::uuid
  AND attempt_id IN (SELECT id FROM attempt WHERE merchant_id = $1::uuid AND payment_id = ANY ($2::uuid[]))`;

/** Forgets who paid these payments by transfer. */
export async function erasePayers(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<void> {
  await transaction.$executeRawUnsafe(ERASE, merchantId, paymentIds);
}

/** Payers of transfers. */
export const sealedPayers: SealedRows = sealedColumn({
  name: 'payers of transfers',
  table: 'payer',
  id: 'attempt_id',
  column: 'sealed',
  bindingOf: ({ merchantId, id }) => payerBinding({ merchantId, attemptId: id }),
});
