import { NIL_ID } from '@switchyard/db';
import { listGrants } from '@switchyard/staff/grants';
import type { ChannelsContext } from '../context.ts';
import { createChannel } from './change-channels.ts';

/**
 * Gives the workspace an e-mail channel to its first owner while it has never had a channel, so that alerts are sent from the
 * beginning. Does nothing before there is an owner. Called by one process at a time.
 */
export async function ensureDefaultChannel(context: ChannelsContext): Promise<void> {
  const { prisma } = context.resources.database;
  if ((await prisma.notificationChannel.count({ where: { merchantId: NIL_ID } })) > 0) return;
  const grants = await listGrants(context, { merchantId: null });
  const [owner] = grants
    .filter(({ role }) => role === 'owner')
    .toSorted((left, right) => left.grantedAt.getTime() - right.grantedAt.getTime());
  if (owner === undefined) return;
  await createChannel(context, {
    merchantId: NIL_ID,
    target: { kind: 'email', to: [owner.email] },
    settings: { name: 'First owner', modes: ['live'] },
    actor: 'system:alerts',
  });
}
