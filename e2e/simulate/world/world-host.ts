import type { Stretch } from '../kernel/paced-wait.ts';

/** Actions of the world on our processes and the database, and its view of the database. */
export interface WorldHost {
  readonly webs: readonly ProcessControl[];
  readonly workers: readonly ProcessControl[];
  /** Rows of a statement, each as JSON; run between the statements of our processes. */
  rows(statement: string): Promise<readonly unknown[]>;
  readonly database: DatabaseControl;
  /** The network on the way to addresses that begin with this. */
  setConditions(address: string, conditions: NetworkTrouble | null): void;
  /** Timers of our processes wait longer; null ends it. */
  starve(stretch: Stretch | null): void;
  /** Writes a line of the run's log. */
  note(line: string): void;
}

export interface ProcessControl {
  readonly name: string;
  /** Where it listens; a worker listens nowhere. */
  readonly url: string;
  /** Kills it after this many more of its events, and starts it again later. What it gives calls off a crash that is still to come. */
  crash(afterEvents: number, downMs: number): () => void;
  pause(milliseconds: number): void;
  /** Sets its clock this far ahead of the world's. */
  setAhead(milliseconds: number): void;
  isReady(): boolean;
}

export interface DatabaseControl {
  setAway(isAway: boolean): void;
  cutConnections(): void;
  /** How likely each statement loses its connection or exceeds its time. */
  setTrouble(trouble: { readonly loss: number; readonly timeout: number; readonly latencyMs: number } | null): void;
}

/** How the network behaves; each but the milliseconds is how likely a request is hit. */
export interface NetworkTrouble {
  readonly latencyMs?: number;
  readonly lateMs?: number;
  readonly refused?: number;
  readonly requestLost?: number;
  readonly answerLost?: number;
  readonly halfOpen?: number;
  readonly late?: number;
  readonly repeated?: number;
}
