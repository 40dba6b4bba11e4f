import { createServer } from 'node:http';
import { createTestDatabase } from '@switchyard/db/testing';
import { openOperations } from '@switchyard/telemetry';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { watchRequests } from '../http/watch-requests.ts';
import { createFirstAnswer } from './first-answer.ts';
import { createShedder, readSheddingLimits } from './shed-load.ts';

test.each([undefined, 'scrape'])(
  '/metrics is 404 on the port of requests, and health is answered, with METRICS_TOKEN %s',
  async (token) => {
    const database = await createTestDatabase();
    const resources = {
      database,
      configuration: { ready: async () => undefined },
      secrets: { check: async () => undefined, state: () => ({ wrong: [], unreadableAccounts: 0 }) },
    };
    const operations = await openOperations({
      process: 'web',
      environment: { METRICS_PORT: '0', METRICS_TOKEN: token },
      resources,
    });
    const watch = watchRequests({ log: pino({ level: 'silent' }), answered: null, keep: null });
    const answerFirst = createFirstAnswer({ operations, watch, shedder: createShedder(readSheddingLimits({})), queue: null });
    const server = createServer((request, response) => {
      answerFirst(request, response, () => response.writeHead(418).end());
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    onTestFinished(async () => {
      server.closeAllConnections();
      server.close();
      await operations.close();
      await database.close();
    });
    const address = server.address();
    const url = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
    const statusOf = async (path: string, headers: Record<string, string> = {}) => (await fetch(url + path, { headers })).status;
    expect(await statusOf('/metrics')).toBe(404);
    expect(await statusOf('/metrics?a=1', { authorization: 'Bearer scrape' })).toBe(404);
    expect(await statusOf('/livez')).toBe(200);
  },
);
