import { newId } from '@switchyard/db';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeHealth, type HealthChange, readHealthStatuses } from './queries.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const NOW = new Date('2026-11-20T14:00:05Z');

test('of two processes that change the health of an account the first is heard, once, with one entry in the feed', async () => {
  const key = { merchantId: newId(), accountId: newId(), method: '*' };
  const change = (state: string, fromState: string | null): HealthChange => ({
    ...key,
    state,
    why: { code: 'unused' },
    since: NOW,
    countFrom: NOW,
    relapses: 0,
    demotedTo: null,
    demotedBy: null,
    demotedAt: null,
    demotedSucceeded: 0,
    demotedFaulted: 0,
    demotedShared: 0,
    usualMs: null,
    usualAt: null,
    event: { eventId: newId(), fromState, detail: {} },
  });
  const move = async (moved: HealthChange, version: number) =>
    (await changeHealth(database, [{ change: moved, version }], NOW)).length === 1;
  expect(await move(change('down', null), 0)).toBe(true);
  expect(await move(change('degraded', null), 0)).toBe(false);
  expect(await move(change('probing', 'down'), 1)).toBe(true);
  expect(await move(change('healthy', 'down'), 1)).toBe(false);
  expect(await readHealthStatuses(database)).toMatchObject([{ ...key, state: 'probing', version: 2 }]);
  const events = await database.prisma.healthEvent.findMany({ where: { merchantId: key.merchantId }, orderBy: { id: 'asc' } });
  expect(events.map(({ toState }) => toState).sort()).toEqual(['down', 'probing']);
});
