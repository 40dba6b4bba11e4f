import type { FileCorrection } from '#/copy/settlements.ts';

/** A person's choices for payouts that are stored otherwise: by reference, and for all others. */
export interface FileCorrections {
  readonly corrections: Readonly<Record<string, FileCorrection>>;
  readonly otherwise?: FileCorrection;
}

/** Nothing is said yet. */
export const UNDECIDED: FileCorrections = { corrections: {} };
