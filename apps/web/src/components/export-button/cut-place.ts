const [QUOTE, LINE_END, COMMA] = [34, 10, 44];
/** The merchant, the moment and the id. None of them holds a comma or a quote. */
const PLACE_CELLS = 3;

/**
 * Comma-separated values without the first three cells of each row, which only say where it stands. The pieces begin with a row and
 * may be cut anywhere.
 */
export function cutPlace(pieces: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer>[] {
  let [commas, quoted] = [0, false];
  return pieces.flatMap((piece) => {
    const kept: Uint8Array<ArrayBuffer>[] = [];
    let begin = commas < PLACE_CELLS ? -1 : 0;
    for (const [at, byte] of piece.entries()) {
      if (commas < PLACE_CELLS) {
        if (byte !== COMMA) continue;
        commas += 1;
        if (commas === PLACE_CELLS) begin = at + 1;
      } else if (byte === QUOTE) quoted = !quoted;
      else if (byte === LINE_END && !quoted) {
        kept.push(piece.subarray(begin, at + 1));
        [commas, begin] = [0, -1];
      }
    }
    if (begin >= 0 && begin < piece.length) kept.push(piece.subarray(begin));
    return kept;
  });
}
