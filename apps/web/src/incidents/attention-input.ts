import { viewerZone } from '../format/zone.ts';
import type { Scope } from '../scope/scope.ts';

/** Input of the list of findings in a scope, with times in the viewer's zone: one, so that all that show them share one answer. */
export function attentionInput({ mode, merchantId }: Scope) {
  return { mode, merchantId, zone: viewerZone() };
}
