import { newId } from '@switchyard/db';
import { openProcessHeartbeat } from '@switchyard/db/process';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openTestPayments, type TestPayments } from '../testing/context.ts';
import { deleteExpiredIdempotencyRecords } from './delete-expired.ts';
import { claimIdempotencyKey } from './queries.ts';

let context: TestPayments;
beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());

test('records are deleted an hour after they expire, and records of locked keys are kept', async () => {
  const { database } = context.resources;
  const heartbeat = openProcessHeartbeat(database, () => undefined);
  onTestFinished(() => heartbeat.close());
  const request = { merchantId: newId(), mode: 'test', requestHash: new Uint8Array([1]) } as const;
  const begin = new Date('2026-11-20T12:00:00Z');
  const hours = (count: number) => new Date(begin.getTime() + count * 3_600_000);
  await claimIdempotencyKey({ database, heartbeat }, { ...request, key: 'first', resourceId: newId() }, begin, 60_000);
  await claimIdempotencyKey({ database, heartbeat }, { ...request, key: 'second', resourceId: newId() }, hours(2), 60_000);
  context.setClock(hours(24.5));
  expect(await deleteExpiredIdempotencyRecords(context)).toBe(0);
  context.setClock(hours(25));
  expect(await deleteExpiredIdempotencyRecords(context)).toBe(1);
  const kept = await context.database.prisma.idempotencyRecord.findMany({ where: { merchantId: request.merchantId } });
  expect(kept.map(({ key }) => key)).toEqual(['second']);
});
