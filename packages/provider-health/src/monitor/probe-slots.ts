/** Which payments of this process may lead at an account that is being probed: one at a time, and not one after the other. */
export interface ProbeSlots {
  isFree(accountId: string, everyMs: number): boolean;
  /** Takes the slot; false when it is gone. */
  claim(accountId: string, everyMs: number): boolean;
  /** Gives the slot back once an opening at the account has ended that began at `begunAt`. */
  release(accountId: string, begunAt: number): void;
}

/** A slot whose payment never came to its opening is free again after this. */
const LOST_MS = 30_000;

export function createProbeSlots(now: () => number): ProbeSlots {
  const taken = new Map<string, { readonly at: number; readonly inFlight: boolean }>();

  function isFree(accountId: string, everyMs: number): boolean {
    const last = taken.get(accountId);
    if (last === undefined) return true;
    return now() - last.at >= (last.inFlight ? Math.max(LOST_MS, everyMs) : everyMs);
  }

  return {
    isFree,
    claim(accountId, everyMs) {
      if (!isFree(accountId, everyMs)) return false;
      taken.set(accountId, { at: now(), inFlight: true });
      return true;
    },
    release(accountId, begunAt) {
      const last = taken.get(accountId);
      if (last?.inFlight && begunAt >= last.at) taken.set(accountId, { at: last.at, inFlight: false });
    },
  };
}
