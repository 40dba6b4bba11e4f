export { openLog } from './log/open-log.ts';
export { reportTrouble } from './log/report-trouble.ts';
export { activeTraceparent, type TraceIds, traceOf } from './log/trace-of.ts';
export type { AnsweredRequest, ExpectedRequests } from './metrics/http-metrics.ts';
export type { WorkerMetrics } from './metrics/worker-metrics.ts';
export { type OperatedProcess, openOperations, type RunningOperations } from './open-operations.ts';
export { answerHealth, answerNotFound, isHealthPath } from './operations-server.ts';
export { startTracing } from './tracing/start-tracing.ts';
export type { Tracing } from './tracing/tracing.ts';
