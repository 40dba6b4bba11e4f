import { TRPCError } from '@trpc/server';

/** Files whose content is in memory until it is their turn. */
const WAITING_MAX = 4;

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * Does what reads a file once no other file is being read in this process: the largest one takes a good part of its memory. Throws where too many
 * wait already.
 */
export async function oneFileAtATime<Outcome>(read: () => Promise<Outcome>): Promise<Outcome> {
  if (waiting >= WAITING_MAX) {
    throw new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: 'Other files are being read. Try again in a minute.' });
  }
  waiting += 1;
  const turn = last.then(() => {
    waiting -= 1;
    return read();
  });
  last = turn.catch(() => undefined);
  return turn;
}
