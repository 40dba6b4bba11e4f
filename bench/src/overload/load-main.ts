import { setPriority } from 'node:os';
import { runLoad } from './load.ts';
import { loadPlanSchema } from './result.ts';

/*
 * A load generator: a process of its own, at the priority that its argument names. Runs each plan that its parent sends, and replies with
 * the result.
 */

setPriority(Number(process.argv[2] ?? 0));

process.on('message', (message) => {
  runLoad(loadPlanSchema.parse(message)).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit(0));
