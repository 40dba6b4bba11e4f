import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { SandboxHistory } from './sandbox-history.ts';
import type { SandboxKey } from './sandbox-keys.ts';
import { SANDBOX_HISTORY_FILE, SANDBOX_KEYS_FILE } from './stamp.ts';

/** What the demo file tells: where things are and how to get in. */
export interface Demo {
  readonly webUrl: string;
  readonly sandboxUrl: string;
  readonly secretKey: string;
  readonly secondMerchantKey: string;
  readonly staffEmail: string;
  readonly staffPassword: string;
}

const text = z.string().optional().catch(undefined);
const knownSchema = z.object({ secretKey: text, secondMerchantKey: text, staffEmail: text, staffPassword: text });

/** What can be read of a former demo file. */
export type KnownDemo = z.infer<typeof knownSchema>;

/** Reads the demo file of the last start; one that is missing or broken tells nothing. */
export async function readDemoFile(path: string): Promise<KnownDemo> {
  const content = await readOrEmpty(path);
  try {
    return knownSchema.catch({}).parse(JSON.parse(content));
  } catch {
    return {};
  }
}

/** What the sandbox must know: who may call it, and what it is to have received. */
export interface SandboxKnowledge {
  readonly keys: readonly SandboxKey[];
  readonly history: readonly SandboxHistory[];
}

/** Writes the demo file, and beside it what the sandbox must know. All can be read by their owner only. */
export async function writeDemoFiles(path: string, demo: Demo, { keys, history }: SandboxKnowledge): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await replaceFile(path, demo);
  await replaceFile(join(dirname(path), SANDBOX_KEYS_FILE), keys);
  await replaceFile(join(dirname(path), SANDBOX_HISTORY_FILE), history, { indent: 0 });
}

/** Puts JSON in place of a file in one step; one that says the same already is not touched. */
export async function replaceFile(path: string, content: unknown, { indent } = { indent: 2 }): Promise<void> {
  const written = `${JSON.stringify(content, null, indent)}\n`;
  if ((await readOrEmpty(path)) === written) return;
  const beside = `${path}.${process.pid}.new`;
  await writeFile(beside, written, { mode: 0o600 });
  await rename(beside, path);
}

async function readOrEmpty(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}
