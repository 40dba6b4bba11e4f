import type { JsonValue } from '@switchyard/db';
import type { HealthThresholdSet, Mode, Prisma } from '@switchyard/db/client';

/** What a merchant changed of the thresholds of health in one mode; null while it goes by the defaults. */
export function findHealthThresholdSet(
  client: Prisma.TransactionClient,
  key: { readonly merchantId: string; readonly mode: Mode },
): Promise<HealthThresholdSet | null> {
  const { merchantId, mode } = key;
  return client.healthThresholdSet.findUnique({ where: { merchantId_mode: { merchantId, mode } } });
}

/** Puts changes in the place of those before, under the next revision. */
export function putHealthThresholdSet(
  transaction: Prisma.TransactionClient,
  key: { readonly merchantId: string; readonly mode: Mode },
  changes: JsonValue,
  by: { readonly actor: string; readonly now: Date },
): Promise<HealthThresholdSet> {
  const { merchantId, mode } = key;
  const json: Prisma.InputJsonValue = JSON.parse(JSON.stringify(changes));
  const written = { changes: json, updatedBy: by.actor, updatedAt: by.now };
  return transaction.healthThresholdSet.upsert({
    where: { merchantId_mode: { merchantId, mode } },
    create: { merchantId, mode, revision: 1, ...written },
    update: { revision: { increment: 1 }, ...written },
  });
}
