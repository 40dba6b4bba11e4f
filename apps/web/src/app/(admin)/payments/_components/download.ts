const LINE_END = 10;
/** What is shown follows what has come this often. */
const SHOWN_EVERY_MS = 150;

/**
 * Fetches a file of lines and hands it to the browser to be saved, telling how many lines have come of how many. Returns how many
 * came; throws, with nothing saved, when it is stopped, refused or breaks off.
 */
export async function download(
  url: string,
  signal: AbortSignal,
  onProgress: (rows: number, of: number) => void,
): Promise<number> {
  const response = await fetch(url, { signal });
  if (!response.ok || response.body === null) throw new Error(await reasonOf(response));
  const of = Number(response.headers.get('x-row-count') ?? 0);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let [lines, shownAt] = [0, 0];
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    for (const byte of value) if (byte === LINE_END) lines += 1;
    if (Date.now() - shownAt > SHOWN_EVERY_MS) {
      shownAt = Date.now();
      onProgress(Math.max(0, lines - 1), of);
    }
  }
  save(new Blob(pieces, { type: 'text/csv' }), nameOf(response));
  return Math.max(0, lines - 1);
}

async function reasonOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  const said = typeof body === 'object' && body !== null && 'message' in body ? body.message : null;
  return typeof said === 'string' ? said : 'The server did not give the file.';
}

function nameOf(response: Response): string {
  return /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'export.csv';
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
