import type { AppRouter } from '@switchyard/api/trpc';
import type { TRPCLink } from '@trpc/client';
import { observable, type Unsubscribable } from '@trpc/server/observable';
import { leaveToSignIn, signedInAgain } from '../auth/ended-session.ts';
import { hasUnsaved } from '../leaving/unsaved.ts';
import { failureCode } from './failure-code.ts';

/** Context of the calls that ask whether a session has begun anew: they do not wait for that. */
export const ASKS_FOR_SESSION = { asksForSession: true };

/**
 * A link that repeats calls of an ended session once the same person has signed in again in place. A refused call did nothing, so
 * that a change is made once. A query of a page with nothing unsaved leaves for the sign-in page instead: what it showed is gone from
 * the screen.
 */
export function holdWhileSignedOut(): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        let isOver = false;
        let running: Unsubscribable | null = null;
        const attempt = () => {
          running = next(op).subscribe({
            next: (value) => observer.next(value),
            complete: () => observer.complete(),
            error(error) {
              if (failureCode(error) !== 'UNAUTHORIZED' || op.context.asksForSession === true) return observer.error(error);
              if (op.type !== 'mutation' && !hasUnsaved()) {
                leaveToSignIn();
                return observer.error(error);
              }
              void signedInAgain().then(() => {
                if (op.signal?.aborted === true) observer.error(error);
                else if (!isOver) attempt();
              });
            },
          });
        };
        attempt();
        return () => {
          isOver = true;
          running?.unsubscribe();
        };
      });
}
