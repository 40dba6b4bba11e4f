/** Environment of a command line. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly homeFolder: string;
  /** Writes what was asked for. */
  out(text: string): void;
  /** Writes what else a person should know. */
  err(text: string): void;
  /** Asks at the terminal. Null where there is none. */
  readLine(question: string): Promise<string | null>;
  /** Asks at the terminal, without showing the answer; reads a line of the pipe where there is none. */
  readSecret(question: string): Promise<string>;
  /** Reads lines that a person pastes, to their end or until `limit` is aborted. */
  readText(limit: AbortSignal): Promise<string>;
  /** The folder that relative paths are read from. */
  readonly folder: string;
  /** Aborted when the command should end. */
  readonly signal: AbortSignal;
}

/** Something that the person at the terminal can put right; the message says how. Ends with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
