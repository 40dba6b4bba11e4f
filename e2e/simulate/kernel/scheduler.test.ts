import { describe, expect, test } from 'vitest';
import { type Owner, Scheduler } from './scheduler.ts';

function openScheduler(): { readonly scheduler: Scheduler; readonly owner: Owner; readonly run: () => Promise<void> } {
  const scheduler = new Scheduler(0, 1);
  const owner: Owner = { name: 'one', alive: true, pausedUntil: 0 };
  return { scheduler, owner, run: () => scheduler.run(() => false) };
}

describe('the scheduler', () => {
  test('lets everything that an event leads to happen before the next event', async () => {
    const { scheduler, owner, run } = openScheduler();
    const happened: string[] = [];
    const steps = async (name: string): Promise<void> => {
      for (let step = 0; step < 20; step++) await new Promise<void>((resolve) => process.nextTick(resolve));
      happened.push(`${name} is over at ${scheduler.now}`);
    };
    for (let at = 1; at <= 200; at++) scheduler.at(at, owner, () => void steps(String(at)));
    await run();
    expect(happened).toEqual(Array.from({ length: 200 }, (_, at) => `${at + 1} is over at ${at + 1}`));
  });

  test('of a paused process, lets happen afterwards what was due meanwhile, in its order, and nothing that is called off then', async () => {
    const { scheduler, owner, run } = openScheduler();
    const happened: string[] = [];
    owner.pausedUntil = 100;
    scheduler.at(10, owner, () => {
      happened.push(`first at ${scheduler.now}`);
      second.isCancelled = true;
    });
    const second = scheduler.at(20, owner, () => happened.push('second'));
    scheduler.at(30, owner, () => happened.push(`third at ${scheduler.now}`));
    await run();
    expect(happened).toEqual(['first at 100', 'third at 100']);
  });

  test('fails with the error of an event', async () => {
    const { scheduler, owner, run } = openScheduler();
    scheduler.at(1, owner, () => {
      throw new Error('it broke');
    });
    await expect(run()).rejects.toThrow('it broke');
  });
});
