import { cutPlace } from './cut-place.ts';
import { scanRows } from './row-scanner.ts';

export type FileFormat = 'csv' | 'ndjson';

/** What is shown follows what has come this often. */
const SHOWN_EVERY_MS = 150;
const TRIES = 4;
const PAUSE_MS = 700;
/** Spreadsheets read names in UTF-8 only with a byte order mark. */
const BYTE_ORDER_MARK = '\uFEFF';

/** The server said no, and will again. */
class Refused extends Error {}

interface Part {
  readonly bytes: readonly Uint8Array<ArrayBuffer>[];
  /** Rows without titles. */
  readonly rows: number;
  /** Of the last whole row; null when none came. */
  readonly place: string | null;
  readonly name: string;
  /** How many were still to come as it began. */
  readonly expected: number;
  readonly broke: boolean;
}

interface Download {
  readonly format: FileFormat;
  /** Whether what is saved leaves out the first three cells of each row, which say where it stands. Of comma-separated values only. */
  readonly withoutPlace: boolean;
  readonly signal: AbortSignal;
}

/**
 * Fetches a list as a file and hands it to the browser to be saved, telling how many rows have come of how many. One that breaks off
 * goes on after its last whole row. Returns how many rows came; throws, with nothing saved, when it is stopped, refused or breaks off
 * again and again.
 */
export async function downloadList(
  url: string,
  { format, withoutPlace, signal }: Download,
  onProgress: (rows: number, of: number) => void,
): Promise<number> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let [rows, of, name, after]: [number, number | null, string, string | null] = [0, null, '', null];
  for (let attempt = 1; ; attempt += 1) {
    const had = rows;
    const part = await fetchPart(after === null ? url : `${url}&after=${encodeURIComponent(after)}`, {
      format,
      signal,
      titled: after === null,
      onRows: (more, expected) => onProgress(had + more, of ?? expected),
    });
    pieces.push(...part.bytes);
    rows += part.rows;
    of ??= part.expected;
    name = name || part.name;
    after = part.place ?? after;
    if (!part.broke) break;
    if (part.rows > 0) attempt = 1;
    if (attempt >= TRIES) throw new Error('The export broke off again and again. Nothing was saved.');
    await pause(PAUSE_MS * attempt, signal);
  }
  const bytes = withoutPlace ? cutPlace(pieces) : pieces;
  const mark = format === 'csv' ? [BYTE_ORDER_MARK] : [];
  saveFile(new Blob([...mark, ...bytes], { type: format === 'csv' ? 'text/csv' : 'application/x-ndjson' }), name);
  return rows;
}

async function fetchPart(
  url: string,
  {
    format,
    signal,
    titled,
    onRows,
  }: {
    readonly format: FileFormat;
    readonly signal: AbortSignal;
    readonly titled: boolean;
    readonly onRows: (rows: number, of: number) => void;
  },
): Promise<Part> {
  const scanner = scanRows(format);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const titles = format === 'csv' && titled ? 1 : 0;
  const rows = () => Math.max(0, scanner.rows - titles);
  let [name, expected, broke, shownAt] = ['', 0, false, 0];
  try {
    const response = await fetch(url, { signal });
    if (!response.ok || response.body === null) throw new Refused(await reasonOf(response));
    name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? `export.${format}`;
    expected = Number(response.headers.get('x-row-count') ?? 0);
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      pieces.push(value);
      scanner.take(value);
      if (Date.now() - shownAt < SHOWN_EVERY_MS) continue;
      shownAt = Date.now();
      onRows(rows(), expected);
    }
  } catch (error) {
    if (signal.aborted || error instanceof Refused) throw error;
    broke = true;
  }
  // What has no end is not kept: the next part begins with it.
  const place = scanner.place();
  const whole = place === null && broke ? 0 : scanner.whole;
  return { bytes: cut(pieces, whole), rows: whole === 0 ? 0 : rows(), place, name, expected, broke };
}

/** The first so many bytes. */
function cut(pieces: readonly Uint8Array<ArrayBuffer>[], size: number): Uint8Array<ArrayBuffer>[] {
  let left = size;
  return pieces.flatMap((piece) => {
    const part = piece.subarray(0, left);
    left -= part.length;
    return part.length === 0 ? [] : [part];
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

async function reasonOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  const said = typeof body === 'object' && body !== null && 'message' in body ? body.message : null;
  return typeof said === 'string' ? said : 'The server did not give the file.';
}

/** Has the browser save a file. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
