import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { SandboxRequest } from './sandbox-data.ts';
import { SANDBOX_FILE } from './stamp.ts';

/** The content of the demo file: addresses and credentials. */
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

/** The readable part of an earlier demo file. */
export type KnownDemo = z.infer<typeof knownSchema>;

/** Reads the demo file of the last start; a missing or broken one is treated as empty. */
export async function readDemoFile(path: string): Promise<KnownDemo> {
  const content = await readOrEmpty(path);
  try {
    return knownSchema.catch({}).parse(JSON.parse(content));
  } catch {
    return {};
  }
}

/** Writes the demo file, and beside it what the sandbox has to be told, readable by their owner only. */
export async function writeDemoFiles(path: string, demo: Demo, sandbox: readonly SandboxRequest[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await replaceFile(path, demo);
  await replaceFile(join(dirname(path), SANDBOX_FILE), sandbox, { indent: 0 });
}

/** Replaces a JSON file atomically; an unchanged one is not written. */
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
