import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { firstLine } from './first-line.ts';

export interface SwitchyardServer {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const announcement = z.object({ url: z.url(), headers: z.record(z.string(), z.string()) });

/** Our GraphQL on a database, in a process of its own. */
export async function startSwitchyardServer(databaseUrl: string): Promise<SwitchyardServer> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'switchyard-server-main.ts')], {
    // As `npm start` runs it: outside production, graphql validates its arguments twice.
    env: { ...process.env, DATABASE_URL: databaseUrl, NODE_ENV: 'production' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const line = await Promise.race([firstLine(child.stdout), ended.then(() => null)]);
  if (line === null) throw new Error('the server ended before it listened');
  return {
    ...announcement.parse(JSON.parse(line)),
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}
