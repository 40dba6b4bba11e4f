import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Items that are handled at once: some milliseconds. */
const TURN = 1_000;

/** Maps many items and lets others run in between: the process that reads a file of 100,000 rows answers reports as well. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item, at: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [at, item] of items.entries()) {
    if (at > 0 && at % TURN === 0) await yieldToEventLoop();
    results.push(map(item, at));
  }
  return results;
}

/** How far taking a file in is: lines that are stored, of all that will be. */
export interface TakeProgress {
  readonly stage: 'reading' | 'storing';
  readonly done: number;
  readonly of: number;
}
