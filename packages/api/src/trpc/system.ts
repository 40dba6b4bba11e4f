import { readSystemHealth } from '../system-health.ts';
import { permitted, router } from './procedure.ts';

export const system = router({
  /** Whether the parts this process stands on are there. */
  health: permitted('system:read').query(({ ctx }) => readSystemHealth(ctx.switchyard, ctx.merchantIds)),
});
