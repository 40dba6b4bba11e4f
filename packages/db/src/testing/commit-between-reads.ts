import { openDatabase } from '../connect.ts';
import type { Database } from '../index.ts';
import { openReports, type Reports } from '../read-only-pool.ts';
import { TEST_CONNECTION } from './database.ts';

/** Databases whose statements can be interrupted. */
export interface InterruptedDatabases {
  readonly database: Database;
  readonly reports: Reports;
}

/** A read, and a change that is committed while it runs, both of rows of their own. */
export interface ReadAndChange<Answer> {
  read(databases: InterruptedDatabases): Promise<Answer>;
  /** Runs on other connections than the read. */
  change(): Promise<void>;
}

const STATEMENTS_MAX = 200;

/**
 * Runs a read again and again, with a change committed before its second statement, before its third, and so on, as long as there is
 * such a statement: `prepare` makes rows for each run. Returns all answers: those of a read in one snapshot show nothing of the change, or
 * all of it.
 */
export async function answersWithCommitBetweenReads<Answer>(
  url: string,
  prepare: () => Promise<ReadAndChange<Answer>>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let gap = 1; gap < STATEMENTS_MAX; gap += 1) {
    const { read, change } = await prepare();
    let statements = 0;
    let changed: Promise<void> | null = null;
    const interrupt = async (): Promise<void> => {
      statements += 1;
      if (statements === gap + 1) changed = change();
      // The read goes on after a change that failed, which fails below.
      await changed?.catch(() => undefined);
    };
    const databases = openInterrupted(url, interrupt);
    try {
      answers.push(await read(databases));
    } finally {
      await Promise.all([databases.database.close(), databases.reports.close()]);
    }
    if (changed === null) return answers;
    await changed;
  }
  throw new Error(`the read has ${STATEMENTS_MAX} statements or more`);
}

function openInterrupted(url: string, interrupt: () => Promise<void>): InterruptedDatabases {
  const onConnection = (connection: object): void => interruptStatements(connection, interrupt);
  return {
    database: openDatabase({ url, maxConnections: 4, ...TEST_CONNECTION, onConnection }),
    reports: openReports({ url, ...TEST_CONNECTION, onIdleError: () => undefined, onConnection }),
  };
}

/** Statements that begin or end a transaction, or set up a connection, read nothing. */
const NO_READ = /^\s*(BEGIN|COMMIT|ROLLBACK|SET|SELECT set_config)\b/i;

/** Has something done before each statement of a connection that reads. */
function interruptStatements(connection: object, interrupt: () => Promise<void>): void {
  const send: unknown = Reflect.get(connection, 'query');
  if (typeof send !== 'function') throw new Error('a connection has no method `query`');
  const query = (...args: readonly unknown[]): unknown => {
    const [first] = args;
    const text: unknown = typeof first === 'object' && first !== null ? Reflect.get(first, 'text') : first;
    if (typeof text === 'string' && NO_READ.test(text)) return Reflect.apply(send, connection, args);
    const sent = interrupt().then((): unknown => Reflect.apply(send, connection, args));
    return typeof args.at(-1) === 'function' ? undefined : sent;
  };
  Object.assign(connection, { query });
}
