import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

const LINE_FEED = '\n';

/**
 * The rows of a question, which takes no values beside its text, as they come: pieces of whole rows in the text format of COPY. That
 * is a line each, values with tabs between them, `\N` for none, and backslashes before what is meant otherwise. They come with less
 * than half of the work that the usual protocol makes, which names the length of every value. To be read to the end.
 */
export async function* copyOut(client: pg.ClientBase, select: string): AsyncGenerator<Buffer, void, undefined> {
  let begun = Buffer.alloc(0);
  for await (const piece of client.query(copyTo(`COPY (${select}) TO STDOUT`))) {
    const bytes = begun.length === 0 ? piece : Buffer.concat([begun, piece]);
    const whole = bytes.lastIndexOf(LINE_FEED) + 1;
    begun = bytes.subarray(whole);
    if (whole > 0) yield bytes.subarray(0, whole);
    // The network has megabytes more at once: whoever else waits for this process comes first.
    await setImmediate();
  }
}
