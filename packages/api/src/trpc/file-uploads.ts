import { TRPCError } from '@trpc/server';

/** How far work is, and at its end what became of it. */
export type Progressing<Progress, Outcome> =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'done'; readonly outcome: Outcome };

/** Progress is shown to a person: one in so many milliseconds is enough. */
const SHOWN_MS = 100;

/**
 * Runs work and sends what it says of its progress, the latest where it says much, then its outcome. It runs to its end whether or not somebody
 * still listens.
 */
export async function* withProgress<Progress, Outcome>(
  run: (report: (progress: Progress) => void) => Promise<Outcome>,
): AsyncGenerator<Progressing<Progress, Outcome>, void> {
  const reported: Progress[] = [];
  let wake = Promise.withResolvers<void>();
  const running = run((progress) => {
    reported.push(progress);
    wake.resolve();
  }).then(
    (outcome) => ({ outcome }),
    (error: unknown) => ({ error }),
  );
  for (;;) {
    await Promise.race([wake.promise, running]);
    wake = Promise.withResolvers<void>();
    const [latest] = reported.splice(0).slice(-1);
    if (latest === undefined) break;
    yield { kind: 'progress', progress: latest };
    await Promise.race([running, pause(SHOWN_MS)]);
  }
  const end = await running;
  if ('error' in end) throw end.error;
  yield { kind: 'done', outcome: end.outcome };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

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
