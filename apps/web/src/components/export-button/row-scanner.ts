const [QUOTE, LINE_END] = [34, 10];

/**
 * Follows a file as it comes in pieces: how many bytes of it are whole rows, how many rows those are, and the place of the last one.
 * A line end within quotes ends no row of comma-separated values.
 */
export interface RowScanner {
  /** Rows so far, the line of titles among them. */
  readonly rows: number;
  /** Bytes up to the end of the last whole row. */
  readonly whole: number;
  /** Takes the next piece. */
  take(piece: Uint8Array): void;
  /** The first three cells of the last whole row with a comma between them; null before there is one. */
  place(): string | null;
}

export function scanRows(format: 'csv' | 'ndjson'): RowScanner {
  let [rows, whole, total, quoted] = [0, 0, 0, false];
  let open: Uint8Array[] = [];
  let last: Uint8Array[] = [];
  return {
    get rows() {
      return rows;
    },
    get whole() {
      return whole;
    },
    take(piece) {
      let begin = 0;
      for (const [at, byte] of piece.entries()) {
        if (format === 'csv' && byte === QUOTE) quoted = !quoted;
        if (byte !== LINE_END || quoted) continue;
        rows += 1;
        whole = total + at + 1;
        last = [...open, piece.subarray(begin, at + 1)];
        open = [];
        begin = at + 1;
      }
      if (begin < piece.length) open.push(piece.subarray(begin));
      total += piece.length;
    },
    place: () => (last.length === 0 ? null : placeIn(last, format)),
  };
}

function placeIn(pieces: readonly Uint8Array[], format: 'csv' | 'ndjson'): string | null {
  const decoder = new TextDecoder();
  const row = pieces.map((piece) => decoder.decode(piece, { stream: true })).join('');
  const cells = format === 'csv' ? row.split(',', 3) : firstCells(row);
  // A line of titles is no place.
  return cells.length === 3 && /^[0-9a-f-]{36}$/.test(cells[0] ?? '') ? cells.join(',') : null;
}

function firstCells(row: string): string[] {
  const read: unknown = JSON.parse(row);
  return typeof read === 'object' && read !== null ? Object.values(read).slice(0, 3).map(String) : [];
}
