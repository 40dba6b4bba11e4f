import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Surroundings, UsageError } from './surroundings.ts';

/** Files that this program writes, in the user's configuration folder. */
export type ConfigFile = 'credentials.json' | 'listen.json';

/** The path of a file in the user's configuration folder. */
export function configPath({ environment, homeFolder }: Surroundings, name: ConfigFile): string {
  const folder =
    environment.XDG_CONFIG_HOME || (process.platform === 'win32' && environment.APPDATA) || join(homeFolder, '.config');
  return join(folder, 'switchyard', name);
}

/** Writes a file, readable by its owner only. Returns its path. */
export function saveConfig(surroundings: Surroundings, name: ConfigFile, content: object): string {
  const path = configPath(surroundings, name);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // A file of its own that takes the place of the old one: the mode of a file that exists would stay as it is.
  const beside = `${path}.${process.pid}`;
  writeFileSync(beside, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(beside, path);
  return path;
}

/** Content of a file; empty where there is none. Throws {@link UsageError} with `remedy` for a damaged one. */
export function readConfig<Content extends object>(
  surroundings: Surroundings,
  name: ConfigFile,
  remedy: string,
): Partial<Content> {
  const path = configPath(surroundings, name);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return {};
  }
  try {
    const saved: Partial<Content> | null = JSON.parse(text);
    return saved ?? {};
  } catch {
    throw new UsageError(`${path} is damaged. ${remedy}`);
  }
}
