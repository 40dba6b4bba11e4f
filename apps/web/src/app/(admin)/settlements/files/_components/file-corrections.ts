import type { FileCorrection } from '#/copy/settlements.ts';

/** What a person wants of payouts that are stored otherwise: by reference, and of all others. */
export interface FileCorrections {
  readonly corrections: Readonly<Record<string, FileCorrection>>;
  readonly otherwise?: FileCorrection;
}

/** Nothing is said yet. */
export const UNDECIDED: FileCorrections = { corrections: {} };
