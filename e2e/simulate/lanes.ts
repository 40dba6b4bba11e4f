import { type ChildProcess, fork } from 'node:child_process';

/** First message of a process that runs tasks: it can take the first task. */
const READY = 'ready';

/** Most of what a world makes is gone soon: room for it costs less than looking through it again and again, on several threads. */
const EXEC_ARGV = ['--max-semi-space-size=64'];

/**
 * Runs tasks in processes of their own, each in the next that is free, until there are no more or `take`, which gets the results as they
 * come, returns false. Each process runs `program`, which answers through {@link serveTasks}. Rejects when one ends by itself.
 */
export async function runInLanes<Task extends object, Result>(of: {
  readonly program: URL;
  readonly lanes: number;
  /** The next task; null when there is none. */
  readonly next: () => Task | null;
  readonly take: (result: Result, task: Task) => boolean;
}): Promise<void> {
  const children: ChildProcess[] = [];
  let isOver = false;
  const run = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = fork(of.program, { execArgv: [...process.execArgv, ...EXEC_ARGV] });
      children.push(child);
      let present: Task | null = null;
      const goOn = (): void => {
        present = isOver ? null : of.next();
        if (present === null) child.disconnect();
        else child.send(present);
      };
      child.on('message', (answer: Result | typeof READY) => {
        if (answer !== READY && present !== null && !isOver) isOver = !of.take(answer, present);
        if (isOver) for (const each of children) each.kill();
        else goOn();
      });
      child.on('error', reject);
      child.on('exit', (code) => {
        if (isOver || code === 0) resolve();
        else reject(new Error(`a process ended with ${code} while doing ${JSON.stringify(present)}`));
      });
    });
  await Promise.all(Array.from({ length: of.lanes }, run));
}

/** Answers the tasks of {@link runInLanes} in this process, one after the other, and ends it when there are no more. */
export function serveTasks<Task, Result>(answer: (task: Task) => Promise<Result>): void {
  const send = (message: unknown): void => {
    process.send?.(message);
  };
  process.on('message', (task: Task) => {
    answer(task).then(send, (error: unknown) => {
      console.error(error);
      process.exit(1);
    });
  });
  process.on('disconnect', () => process.exit(0));
  send(READY);
}
