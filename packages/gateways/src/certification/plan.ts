import type { GatewayName } from '../names.ts';
import { CHECKS, type CheckId, checkIds } from './check-list.ts';
import { type DocumentSection, gatewayDocuments } from './gateway-documents.ts';

/** A check of a gateway. */
export interface PlannedCheck {
  readonly id: CheckId;
  readonly title: string;
  /** The section of the gateway's documentation that it tests. */
  readonly section: DocumentSection;
  /** Checks that have to pass before it. */
  readonly needs: readonly CheckId[];
  /** Why it cannot be made, or null where it can. */
  readonly notPossible: string | null;
}

/** The checks of a gateway, in the order in which they are made. */
export function planCertification(gateway: GatewayName): readonly PlannedCheck[] {
  const { sections, notPossible } = gatewayDocuments[gateway];
  return checkIds.map((id) => {
    const { title, topic, needs } = CHECKS[id];
    return { id, title, section: sections[topic], needs, notPossible: notPossible[id] ?? null };
  });
}
