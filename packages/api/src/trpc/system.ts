import { readSystemHealth } from '@switchyard/runtime/system-health';
import { permitted, router } from './procedure.ts';

/** tRPC procedures of the system's own health. */
export const system = router({
  /** The health of the dependencies of this process. */
  health: permitted('system:read').query(({ ctx }) => readSystemHealth(ctx.switchyard, ctx.merchantIds)),
});
