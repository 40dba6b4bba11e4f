import type { JobHelpers, TaskSpec } from 'graphile-worker';

/** Work that is done again and again. */
export interface Recurring {
  readonly name: string;
  readonly everyMs: number;
  readonly work: () => Promise<unknown>;
}

/** Never reached by work that reports its own errors: only processes that die at it use up attempts. */
const ATTEMPTS_MAX = 30_000;

/** One job under this name for all processes, however many begin it. */
export function recurringJob({ name }: Recurring): TaskSpec {
  return { jobKey: name, maxAttempts: ATTEMPTS_MAX };
}

/** A task that does its work and queues itself again, whether the work went well or not. */
export function recurringTask(recurring: Recurring, report: (error: unknown, doing: string) => void) {
  return async (_payload: unknown, { addJob }: JobHelpers): Promise<void> => {
    await recurring.work().catch((error: unknown) => report(error, recurring.name));
    await addJob(recurring.name, {}, { ...recurringJob(recurring), runAt: new Date(Date.now() + recurring.everyMs) });
  };
}

/** Does its work in this process until it is stopped, with the pause after each time. */
export function again(
  { name, everyMs, work }: Recurring,
  report: (error: unknown, doing: string) => void,
): { stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> = Promise.resolve();
  const round = () => {
    working = work().then(
      () => undefined,
      (error: unknown) => report(error, name),
    );
    void working.then(() => {
      if (!stopped) timer = setTimeout(round, everyMs);
    });
  };
  round();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await working;
    },
  };
}
