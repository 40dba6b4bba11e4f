import { expect, test } from 'vitest';
import { createReadiness } from './readiness.ts';

test('a process is ready while every check is ok', async () => {
  const readiness = createReadiness('web', { database: async () => 'ok', migrations: async () => 'ok' });
  expect(await readiness.report()).toEqual({
    status: 'ready',
    process: 'web',
    draining: false,
    checks: { database: 'ok', migrations: 'ok' },
  });
});

test('a failed check names itself and says nothing of the error', async () => {
  const readiness = createReadiness('web', {
    database: () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:5432')),
    migrations: async () => 'pending',
  });
  const report = await readiness.report();
  expect(report).toMatchObject({ status: 'not_ready', checks: { database: 'unavailable', migrations: 'pending' } });
  expect(JSON.stringify(report)).not.toContain('10.0.0.7');
});

test('a draining process is not ready, at once', async () => {
  const readiness = createReadiness('worker', { database: async () => 'ok' });
  await readiness.report();
  readiness.drain();
  expect(await readiness.report()).toMatchObject({ status: 'not_ready', draining: true, checks: { database: 'ok' } });
});

test('requests close together share one check', async () => {
  let now = 0;
  let checked = 0;
  const check = async () => {
    checked += 1;
    return 'ok' as const;
  };
  const readiness = createReadiness('web', { database: check }, () => now);
  await Promise.all([readiness.report(), readiness.report()]);
  now = 499;
  await readiness.report();
  expect(checked).toBe(1);
  now = 500;
  await readiness.report();
  expect(checked).toBe(2);
});
