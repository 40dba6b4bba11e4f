/** How lately a merchant must have called for files to give way. */
const CALLED_WITHIN_MS = 1_000;
/** Reading a piece keeps a processor busy for about a third of this. */
const PIECE_EVERY_MS = 250;

interface Moments {
  readonly now: number;
  /** When the piece before was handed on; null for none. */
  readonly pieceAt: number | null;
  /** When a merchant last called; null for never. */
  readonly calledAt: number | null;
}

/**
 * How long a file waits before its next piece is read, in milliseconds, because payments come first: not at all while no merchant
 * calls. Moments are milliseconds of one clock that never goes back.
 */
export function waitForTurn({ now, pieceAt, calledAt }: Moments): number {
  if (pieceAt === null || calledAt === null || now - calledAt > CALLED_WITHIN_MS) return 0;
  return Math.max(0, pieceAt + PIECE_EVERY_MS - now);
}
