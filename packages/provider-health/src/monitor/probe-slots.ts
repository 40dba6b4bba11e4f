/** Limits probe payments of this process per account: one at a time, with a pause between them. */
export interface ProbeSlots {
  isFree(accountId: string, everyMs: number): boolean;
  /** Claims the slot; false when it is not free. */
  claim(accountId: string, everyMs: number): boolean;
  /** Releases the slot once an opening at the account that began at `begunAt` has ended. */
  release(accountId: string, begunAt: number): void;
}

/** A slot whose payment never reached its opening is free again after this. */
const LOST_MS = 30_000;

/** Limits how often an account is given a probe payment. `now` gives epoch milliseconds. */
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
