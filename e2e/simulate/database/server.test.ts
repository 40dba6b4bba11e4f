import { beforeAll, expect, test, vi } from 'vitest';
import { drawsFor } from '../../world/plan/rng.ts';
import { type Owner, Scheduler } from '../kernel/scheduler.ts';
import { type Engine, openEngine } from './engine.ts';
import { DatabaseServer } from './server.ts';
import { VirtualSocket } from './socket.ts';
import { splitMessages, writeMessage } from './wire.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});

/** A connection without a driver: what a query is answered with, as the types of messages, and the state after it. */
async function openConnection() {
  const scheduler = new Scheduler(Date.UTC(2026, 10, 20), 1);
  const world: Owner = { name: 'world', alive: true, pausedUntil: 0 };
  const database = new DatabaseServer(engine, scheduler, drawsFor(1, 'database'), world);
  const socket = new VirtualSocket((near) => database.connect(near, world));
  let received = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
  });
  const settle = () => scheduler.run(() => false);
  socket.connect();
  await settle();
  const startUp = Buffer.alloc(8);
  startUp.writeUInt32BE(8, 0);
  socket.write(startUp);
  await settle();
  return {
    database,
    async ask(query: string): Promise<string> {
      received = Buffer.alloc(0);
      socket.write(writeMessage('Q', `${query}\0`));
      await settle();
      const { messages } = splitMessages(received);
      return messages.map(({ type, bytes }) => (type === 'Z' ? `Z${bytes.toString('latin1', 5)}` : type)).join(' ');
    },
  };
}

test('a statement whose time is up fails its transaction, and a COMMIT ends it without what it wrote', async () => {
  const { database, ask } = await openConnection();
  await ask('CREATE TABLE written (value int)');
  expect(await ask('BEGIN')).toBe('C ZT');
  database.conditions.timeoutPerStatement = 1;
  expect(await ask('INSERT INTO written VALUES (1)')).toBe('E ZE');
  expect(await ask('ROLLBACK')).toBe('E ZI');
  database.conditions.timeoutPerStatement = 0;
  await ask('BEGIN');
  await ask('INSERT INTO written VALUES (2)');
  database.conditions.timeoutPerStatement = 1;
  expect(await ask('COMMIT')).toBe('E ZI');
  expect(database.isInTransaction).toBe(false);
  database.conditions.timeoutPerStatement = 0;
  expect(await ask('SELECT 1')).toBe('T D C ZI');
  expect(database.query('SELECT count(*) AS n FROM written')).toEqual([{ n: '0' }]);
});

test('the time-out of a statement sets no timer of this process, whose time is not that of the world', async () => {
  const { ask } = await openConnection();
  await ask(`SET statement_timeout = '5s'`);
  const timer = vi.spyOn(globalThis, 'setTimeout');
  expect(await ask('SELECT 1')).toBe('T D C ZI');
  expect(timer).not.toHaveBeenCalled();
  timer.mockRestore();
  await ask('RESET statement_timeout');
});
