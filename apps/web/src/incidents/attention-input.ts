import { viewerZone } from '../format/zone.ts';
import type { Scope } from '../scope/scope.ts';

/** What needs attention in a scope, with times in the viewer's zone: one input, so that all that show it share one answer. */
export function attentionInput({ mode, merchantId }: Scope) {
  return { mode, merchantId, zone: viewerZone() };
}
