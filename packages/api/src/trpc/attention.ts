import { listFindings } from '@switchyard/alerts/findings';
import { permitted, router } from './procedure.ts';
import { findingScope, findingsInput, shownFinding } from './shown-findings.ts';

/** Findings that the caller may see: open alerts and the caller's own work. */
export const attention = router({
  /** The most severe first. Its length is the number that is shown everywhere; `incomplete` is true if a check failed. */
  list: permitted('alert:read')
    .input(findingsInput)
    .query(async ({ ctx, input: { merchantId, mode, zone } }) => {
      const scope = { mode, ...findingScope(ctx, merchantId) };
      const { payments, resources } = ctx.switchyard;
      const { items, incomplete } = await listFindings({ ...payments, resources }, scope, ctx.session.staffId);
      return { items: items.map((item) => shownFinding(ctx, item, zone)), incomplete };
    }),
});
