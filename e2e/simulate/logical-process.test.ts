import { beforeAll, expect, test } from 'vitest';
import { drawsFor } from '../world/plan/rng.ts';
import { type Engine, openEngine } from './database/engine.ts';
import { DatabaseServer } from './database/server.ts';
import { bundle, type Code, compile } from './kernel/code.ts';
import { PACE_OF_PRODUCTION, waitsAt } from './kernel/pace.ts';
import { platformRandom } from './kernel/platform.ts';
import { type Owner, Scheduler } from './kernel/scheduler.ts';
import { LogicalProcess, type Machine } from './logical-process.ts';
import { Network } from './network/network.ts';
import type * as NoteKeeper from './testing/note-keeper.ts';

const DATABASE_URL = 'postgresql://switchyard@database:5432/switchyard';
const URL_OF_PROCESS = 'http://127.0.0.1:3000';

let engine: Engine;
let code: Code;
beforeAll(async () => {
  engine = await openEngine();
  code = compile(await bundle('../testing/note-keeper.ts'), 'note-keeper');
});

/** One process with its database, in a world of its own. */
function openMachine() {
  const scheduler = new Scheduler(Date.UTC(2026, 10, 20), 1);
  const world: Owner = { name: 'world', alive: true, pausedUntil: 0 };
  const network = new Network(scheduler, drawsFor(1, 'network'), world, () => undefined);
  const database = new DatabaseServer(engine, scheduler, drawsFor(1, 'database'), world);
  const random = (name: string) => platformRandom(1, name);
  const machine: Machine = { scheduler, network, database, world, random, note: () => undefined };
  const keeper = new LogicalProcess(machine, {
    name: 'keeper',
    url: URL_OF_PROCESS,
    code,
    clock: { drift: 0 },
    waitOf: waitsAt(PACE_OF_PRODUCTION),
    async program(exports, name) {
      const { keepNotes } = exports as typeof NoteKeeper;
      return { listener: await keepNotes(name, DATABASE_URL) };
    },
  });
  const begunAt = scheduler.now;
  return {
    machine,
    keeper,
    /** Lets everything happen that happens until so long after the beginning. */
    async runUntil(milliseconds: number): Promise<void> {
      let isOver = false;
      scheduler.at(begunAt + milliseconds, world, () => {
        isOver = true;
      });
      await scheduler.run(() => isOver);
    },
    /** Sends a request to the process and collects its outcome. */
    ask(): { readonly heard: string[] } {
      const heard: string[] = [];
      const request = { method: 'GET', origin: URL_OF_PROCESS, path: '/', headers: {}, body: Buffer.alloc(0) };
      network.send(world, request, {
        connected: () => undefined,
        answered: ({ status }) => heard.push(String(status)),
        lost: (problem) => heard.push(problem),
      });
      return { heard };
    },
    rows: (text: string) => database.query(text),
  };
}

test('a process that is killed loses timers, memory and its open transaction, and goes on from nothing when it is started again', async () => {
  const { machine, keeper, runUntil, ask, rows } = openMachine();
  rows('CREATE TABLE tick (run text, count int); CREATE TABLE transaction_of (run text)');
  await runUntil(4_000);
  expect([keeper.isReady(), machine.database.isInTransaction]).toEqual([true, true]);
  const first = ask();
  await runUntil(4_500);
  // The next of its events does not happen any more.
  keeper.crash(0, 10_000);
  await runUntil(6_000);
  expect([keeper.isReady(), machine.database.isInTransaction]).toEqual([false, false]);
  expect(first.heard).toEqual(['ECONNRESET']);
  expect(rows('SELECT * FROM transaction_of')).toEqual([]);
  // No process ticks, answers or commits meanwhile.
  const refused = ask();
  await runUntil(14_000);
  expect(rows('SELECT * FROM tick')).toEqual([
    { run: 'keeper#1', count: '1' },
    { run: 'keeper#1', count: '2' },
  ]);
  expect(refused.heard).toEqual(['ECONNREFUSED']);
  await runUntil(17_000);
  expect([keeper.starts, keeper.isReady()]).toEqual([2, true]);
  const second = ask();
  await runUntil(27_000);
  expect(second.heard).toEqual(['200']);
  expect(rows('SELECT * FROM transaction_of')).toEqual([{ run: 'keeper#2' }]);
  // The count from before the restart is forgotten.
  const ticks = rows(`SELECT count FROM tick WHERE run = 'keeper#2' ORDER BY count`).map(({ count }) => Number(count));
  expect(ticks.length).toBeGreaterThan(3);
  expect(ticks).toEqual(ticks.map((_, at) => at + 1));
});
