/** A request to lift a rule that needs a second person, as it is stored; null without one. */
export interface StoredWaiver {
  /** `staff:<id>` */
  readonly waiverBy: string | null;
  readonly waiverAt: Date | null;
}

/** An open request to lift a rule that needs a second person: another one can agree until `until`. */
export interface OpenWaiver {
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly until: Date;
}

const WAIVER_MS = 24 * 60 * 60 * 1_000;

/** The open request; null when there is none or it has expired. */
export function openWaiver({ waiverBy, waiverAt }: StoredWaiver, now: Date): OpenWaiver | null {
  if (waiverBy === null || waiverAt === null) return null;
  const until = waiverEnd(waiverAt);
  return now < until ? { requestedBy: waiverBy, requestedAt: waiverAt, until } : null;
}

/** When a request expires. */
export function waiverEnd(requestedAt: Date): Date {
  return new Date(requestedAt.getTime() + WAIVER_MS);
}

/** True if an actor is a staff user. */
export function isPerson(actor: string): boolean {
  return actor.startsWith('staff:');
}
