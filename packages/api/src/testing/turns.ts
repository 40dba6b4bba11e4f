import type { Switchyard } from '../process.ts';
import type { Turns } from '../turns.ts';

/** The turns of a process, counted as they are taken. */
export function watchTurns({ turns }: Switchyard): { readonly turns: Turns; readonly taken: () => number } {
  let taken = 0;
  return {
    turns: {
      take(work, signal) {
        taken += 1;
        return turns.take(work, signal);
      },
    },
    taken: () => taken,
  };
}
