import type { Owner, Scheduler } from '../../kernel/scheduler.ts';

/** The result of work, or undefined when it takes longer; the work itself goes on. */
export function within<T>(scheduler: Scheduler, world: Owner, ms: number, work: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = scheduler.after(ms, world, () => resolve(undefined));
    work.then(resolve, reject).finally(() => {
      timer.isCancelled = true;
    });
  });
}
