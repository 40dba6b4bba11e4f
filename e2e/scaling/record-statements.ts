import type { Database } from '@switchyard/db';

/** A statement as it was sent. */
export interface SentStatement {
  /** Of a prepared statement; null for Prisma's. */
  readonly name: string | null;
  readonly text: string;
  readonly values: readonly unknown[];
}

type Pool = Database['pool'];
type Client = Parameters<Parameters<Pool['on']>[1]>[0];

const recorded = new WeakSet<object>();

/** Calls `onStatement` with every statement sent through a pool from now on. */
export function recordStatements(pool: Pool, onStatement: (statement: SentStatement) => void): void {
  pool.on('acquire', (client: Client) => {
    if (typeof client !== 'object' || recorded.has(client) || !('query' in client)) return;
    recorded.add(client);
    const query: unknown = client.query;
    if (typeof query !== 'function') return;
    Object.assign(client, {
      query(...args: unknown[]) {
        const statement = readStatement(args);
        if (statement !== null) onStatement(statement);
        return Reflect.apply(query, client, args);
      },
    });
  });
}

function readStatement([first, second]: readonly unknown[]): SentStatement | null {
  if (typeof first === 'string') return { name: null, text: first, values: Array.isArray(second) ? second : [] };
  if (typeof first !== 'object' || first === null || !('text' in first) || typeof first.text !== 'string') return null;
  const values = 'values' in first && Array.isArray(first.values) ? first.values : second;
  const name = 'name' in first && typeof first.name === 'string' ? first.name : null;
  return { name, text: first.text, values: Array.isArray(values) ? values : [] };
}
