import { isSettled } from './seed/stamp.ts';

/*
 * Fills a database with what the demo needs: merchants with accounts at the sandbox gateways, their keys, a staff user who may
 * sign in, and a past. Runs at every start. When nothing has changed since the last one, loading the rest would be all that takes time.
 */

if (!(await isSettled(process.env))) {
  const { seed } = await import('./seed/run.ts');
  await seed(process.env);
}
