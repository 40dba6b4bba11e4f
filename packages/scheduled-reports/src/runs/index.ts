export type { RunsContext } from '../context.ts';
export { makeReport } from './make-report.ts';
export { planRuns } from './plan-runs.ts';
