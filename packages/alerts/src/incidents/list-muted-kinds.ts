import type { AlertsContext } from '../context.ts';
import type { Mute } from '../notifications/plan-notifications.ts';
import { listMutes } from '../notifications/queries.ts';

/** Kinds that are muted now for these merchants; those muted for all have the nil UUID. */
export async function listMutedKinds(context: AlertsContext, merchantIds: readonly string[]): Promise<Mute[]> {
  const mutes = await listMutes(context.resources.database.prisma, context.now());
  return mutes.filter(({ merchantId }) => merchantIds.includes(merchantId));
}
