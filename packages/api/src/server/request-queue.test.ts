import { beforeEach, describe, expect, test } from 'vitest';
import { createRequestQueue, type QueuedClass, type RequestQueue } from './request-queue.ts';

const WAIT_MAX_MS = 1_000;

let now: number;
let capacity: boolean;
let queue: RequestQueue;
let started: string[];
let refused: string[];

beforeEach(() => {
  now = 0;
  capacity = true;
  started = [];
  refused = [];
  queue = createRequestQueue({ waitMaxMs: WAIT_MAX_MS, clock: () => now, hasCapacity: () => capacity });
});

function enter(name: string, importance: QueuedClass = 'reads'): () => void {
  return queue.enter(
    importance,
    () => started.push(name),
    () => refused.push(name),
  );
}

/** Delays of the event loop for so long, each every 50 ms. */
function pass(ms: number, delayMs: number): void {
  for (let at = 0; at < ms; at += 50) {
    now += 50;
    queue.sample(delayMs);
  }
}

describe('requests that take turns', () => {
  test('begin eight at a time, and more within half a second while the event loop is in time', () => {
    for (let n = 0; n < 33; n++) enter(String(n));
    expect([started.length, queue.waiting]).toEqual([8, 25]);
    pass(500, 0);
    expect([started.length, queue.waiting]).toEqual([27, 6]);
    pass(500, 0);
    expect([started.length, queue.waiting, refused]).toEqual([32, 0, ['32']]);
  });

  test('wait while the event loop is late, reads before the dashboard, each until one before it has ended', () => {
    pass(1_000, 200);
    expect(queue.limit).toBe(4);
    const ends = ['a', 'b', 'c', 'd'].map((name) => enter(name));
    enter('page', 'dashboard');
    enter('list');
    expect([started.join(''), queue.waiting]).toEqual(['abcd', 2]);
    ends[0]?.();
    ends[0]?.();
    expect(started.slice(4)).toEqual(['list']);
    ends[1]?.();
    expect([started.slice(4), queue.waiting]).toEqual([['list', 'page'], 0]);
  });

  test('are refused only once they waited too long, on a process that is late all the time too', () => {
    pass(1_000, 200);
    for (let n = 0; n < 6; n++) enter(String(n));
    pass(WAIT_MAX_MS - 50, 200);
    expect([started.length, refused]).toEqual([4, []]);
    pass(50, 200);
    expect([refused, queue.waiting]).toEqual([['4', '5'], 0]);
  });

  test('are refused a few at a time, so that refusals hold nothing up', () => {
    pass(1_000, 200);
    for (let n = 0; n < 1_004; n++) enter(String(n));
    pass(WAIT_MAX_MS, 200);
    expect(refused.length).toBe(10);
    pass(100, 200);
    expect(refused.length).toBe(30);
  });

  test('begin no more while more important requests need all there is, and go on afterwards', () => {
    capacity = false;
    enter('a');
    pass(500, 0);
    expect(started).toEqual([]);
    capacity = true;
    pass(50, 0);
    expect(started).toEqual(['a']);
  });

  test('that were left by their clients take no turn', () => {
    pass(1_000, 200);
    const ends = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => enter(name));
    ends[4]?.();
    expect(queue.waiting).toBe(1);
    ends[0]?.();
    expect(started.join('')).toBe('abcdf');
    pass(WAIT_MAX_MS, 200);
    expect(refused).toEqual([]);
  });

  test('of a burst find few under way, whatever ran before', () => {
    pass(1_000, 200);
    pass(1_000, 0);
    expect(queue.limit).toBe(8);
    const ends = Array.from({ length: 40 }, (_, n) => enter(String(n)));
    pass(900, 0);
    expect(queue.limit).toBe(32);
    for (const end of ends) end();
    pass(2_000, 0);
    expect(queue.limit).toBe(8);
  });

  test('are not held up by one pause, however long', () => {
    queue.sample(0);
    queue.sample(5_000);
    queue.sample(0);
    expect(queue.limit).toBe(8);
  });
});
