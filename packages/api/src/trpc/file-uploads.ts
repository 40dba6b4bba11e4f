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
