import type { TestDatabase } from '@switchyard/db/testing';
import { startDatabaseProxy } from '../harness/database-proxy.ts';
import { readText, splitMessages } from '../simulate/database/wire.ts';

/** Statements that begin, end or prepare a transaction or a session, and read or write no table. A new connection sends the last kind. */
const NO_PLAN =
  /^\s*((BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET|LISTEN|UNLISTEN|DEALLOCATE|DISCARD|SHOW)\b|SELECT set_config\([^()]*\) (WHERE|FROM) )/i;

/** The number of tasks that the cluster makes of a statement; 0 for one about reference and local tables alone, null for one without a plan. */
export async function countTasks({ pool }: TestDatabase, { text, parameters }: SentStatement): Promise<number | null> {
  if (NO_PLAN.test(text)) return null;
  const client = await pool.connect();
  const literal = (value: string | null | undefined): string =>
    value === null || value === undefined ? 'NULL' : client.escapeLiteral(value);
  const statement = text.replaceAll(/\$(\d+)/g, (_, number: string) => literal(parameters[Number(number) - 1]));
  const { rows } = await client
    .query<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS off) ${statement}`)
    .finally(() => client.release());
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  const counts = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count));
  if (counts.length === 0 && /Custom Scan \(Citus/.test(plan)) return Number.POSITIVE_INFINITY;
  return counts.reduce((sum, count) => sum + count, 0);
}

const TWO_PHASE = `
SELECT coalesce(sum(result::int), 0)::int AS count
FROM run_command_on_all_nodes('SELECT count(*) FROM pg_dist_transaction') WHERE success`;

/** How many transactions were prepared on a node so far, by any server: the record of each stays, as the cluster of the tests removes none. */
export async function countPreparedTransactions({ pool }: TestDatabase): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(TWO_PHASE);
  return rows[0]?.count ?? 0;
}

/** A statement as it was sent, with its parameters in the order of their numbers. */
interface SentStatement {
  readonly text: string;
  readonly parameters: readonly (string | null)[];
}

/** A way to PostgreSQL that reads along. */
export interface RecordingProxy {
  readonly url: string;
  /** The statements that were sent since the last call, over all connections. */
  take(): SentStatement[];
  close(): Promise<void>;
}

/** Opens a proxy in front of a database: a process that connects through it can send it nothing that is not recorded. */
export async function openRecordingProxy(databaseUrl: string): Promise<RecordingProxy> {
  const sent: SentStatement[] = [];
  const proxy = await startDatabaseProxy(databaseUrl, () => frontendReader((statement) => sent.push(statement)));
  return { url: proxy.url, take: () => sent.splice(0), close: proxy.shut };
}

/** Reads the bytes that one connection sends: a startup message, then messages that have a type. */
function frontendReader(record: (statement: SentStatement) => void): (bytes: Buffer) => void {
  const prepared = new Map<string, string>();
  let isStarted = false;
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    if (!isStarted) {
      if (rest.length < 4 || rest.length < rest.readUInt32BE(0)) return;
      rest = rest.subarray(rest.readUInt32BE(0));
      isStarted = true;
    }
    const { messages, rest: left } = splitMessages(rest);
    rest = left;
    for (const { type, bytes: message } of messages) {
      if (type === 'Q') record({ text: readText(message, 5).text, parameters: [] });
      if (type === 'P') {
        const name = readText(message, 5);
        prepared.set(name.text, readText(message, name.end).text);
      }
      if (type === 'B') record(readBind(message, prepared));
    }
  };
}

const TEXT_FORMAT = 0;

/** The statement and the parameters of a Bind message. */
function readBind(message: Buffer, prepared: ReadonlyMap<string, string>): SentStatement {
  const name = readText(message, readText(message, 5).end);
  let at = name.end;
  const readInt16 = (): number => {
    at += 2;
    return message.readInt16BE(at - 2);
  };
  const formats = Array.from({ length: readInt16() }, readInt16);
  const parameters = Array.from({ length: readInt16() }, (_, index): string | null => {
    const length = message.readInt32BE(at);
    at += 4;
    if (length === -1) return null;
    const value = message.subarray(at, at + length);
    at += length;
    const format = formats.length === 1 ? formats[0] : formats[index];
    return (format ?? TEXT_FORMAT) === TEXT_FORMAT ? value.toString('utf8') : `\\x${value.toString('hex')}`;
  });
  const text = prepared.get(name.text);
  if (text === undefined) throw new Error(`a statement is bound that was never parsed: ${name.text}`);
  return { text, parameters };
}
