import { expect, test } from 'vitest';
import { Problem } from '../bootstrap/problem.mjs';
import { keepRunning, type Started } from './programs.ts';

/** A program that ends when asked to. */
function openProgram(): Started & { die(): void } {
  const { promise: died, resolve } = Promise.withResolvers<Problem>();
  return { died, ready: () => Promise.resolve(), die: () => resolve(new Problem('It has stopped.', [])) };
}

test('a program that ends by itself is started again, and not once it is to end', async () => {
  const end = new AbortController();
  const first = openProgram();
  const second = openProgram();
  const started: Started[] = [];
  const startSecond = () => {
    started.push(second);
    return second;
  };
  const kept = keepRunning('It', first, startSecond, end.signal);
  first.die();
  await expect.poll(() => started).toEqual([second]);
  end.abort();
  second.die();
  expect(await kept).toBeNull();
  expect(started).toEqual([second]);
});
