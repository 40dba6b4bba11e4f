import type { FaultPlan } from '../plan/faults.ts';

/** Where a plan is driven: our processes with their database, and their time. */
export interface Host {
  /** Waits until every process takes work. */
  untilReady(): Promise<void>;
  /** Rows of a statement. */
  rows(statement: string): Promise<readonly unknown[]>;
  /** Begins a fault of processes, database or network; what it gives ends it. Rejects for a fault that cannot be had here. */
  begin(fault: FaultPlan): Promise<() => void>;
  /** Lets this much time pass while only our processes do anything. */
  pass(milliseconds: number, slack: Slack): Promise<void>;
  /** True if days pass as they are, so that the lists of each are compared once it is over. */
  readonly comparesLists: boolean;
  /** Writes a line of the run's log. */
  note(line: string): void;
}

/** How late what is due may be done while time passes. */
export type Slack = 'seconds' | 'minutes' | 'hours' | 'days';
