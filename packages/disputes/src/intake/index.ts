export { type ReadDisputesOutcome, readDisputes } from './read-disputes.ts';
export { scheduleDisputeReading } from './schedule-reading.ts';
