import { readArchiving } from '@switchyard/runtime/archiving';
import { readSystemHealth } from '@switchyard/runtime/system-health';
import { permitted, router } from './procedure.ts';

/** tRPC procedures of the system's own health. */
export const system = router({
  /** The health of the dependencies of this process. */
  health: permitted('system:read').query(async ({ ctx }) => {
    const { database } = ctx.switchyard.resources;
    const [health, archiving] = await Promise.all([
      readSystemHealth(ctx.switchyard, ctx.merchantIds),
      readArchiving(database).catch(() => null),
    ]);
    return { ...health, archiving };
  }),
});
