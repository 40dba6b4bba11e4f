import { expect, test } from 'vitest';
import { runInLanes } from '../lanes.ts';
import type { MutationResult, MutationTask } from '../mutations/level.ts';
import type { Mutation } from '../mutations/list.ts';

const LIMIT_MS = 300_000;

/** The code that decides and the code that computes decisions again are the same function. */
const COUNTED_FROM_ONE: Mutation = {
  name: 'the candidates of a decision are counted from one',
  theme: null,
  file: 'packages/routing/src/decide/decide.ts',
  search: 'index: candidates.length,',
  replace: 'index: candidates.length + 1,',
};

test('a bug in the code that decides is found by computing decisions again', { timeout: LIMIT_MS }, async () => {
  const tasks: MutationTask[] = [{ mutation: COUNTED_FROM_ONE, each: 4, seconds: 60 }];
  const results: MutationResult[] = [];
  await runInLanes<MutationTask, MutationResult>({
    program: new URL('../mutations/worlds-lane.ts', import.meta.url),
    lanes: 1,
    next: () => tasks.shift() ?? null,
    take: (result) => results.push(result) > 0,
  });
  expect(results).toMatchObject([{ by: '`decision_differs`', runs: 1 }]);
});
