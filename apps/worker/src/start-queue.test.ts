import { EventEmitter } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { openDatabase, retryingPool } from '@switchyard/db/process';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { queueLogger, startQueue } from './start-queue.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** A way to the database that ends every connection until it is opened. */
async function closedWay(): Promise<{ server: Server; url: string; open(): void }> {
  const target = new URL(database.url);
  let isOpen = false;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (!isOpen) {
      socket.destroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname).on('error', () => socket.destroy());
    socket.pipe(upstream).pipe(socket);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the way has no port');
  const url = new URL(target);
  url.port = String(address.port);
  url.hostname = '127.0.0.1';
  url.searchParams.delete('host'); // the server's socket, where it has one
  return {
    server,
    url: url.href,
    open: () => {
      isOpen = true;
    },
  };
}

test('a queue that is started while the database is unavailable begins its jobs once that is back', async () => {
  const way = await closedWay();
  const unavailable = openDatabase({ url: way.url, maxConnections: 2 });
  const reported: string[] = [];
  let done: () => void = () => undefined;
  const ran = new Promise<void>((resolve) => {
    done = resolve;
  });
  const work = {
    pgPool: retryingPool(unavailable.pool),
    concurrency: 1,
    taskList: { greet: () => done() },
    signal: new AbortController().signal,
    report: (_error: unknown, doing: string) => {
      reported.push(doing);
      way.open();
    },
  };
  const runner = await startQueue(work, { events: new EventEmitter(), logger: queueLogger(null), metrics: null });
  await database.pool.query(`SELECT graphile_worker.add_job('greet')`);
  await ran;
  expect(reported[0]).toBe('connecting to the database');
  await runner.stop();
  await unavailable.close();
  way.server.close();
});
