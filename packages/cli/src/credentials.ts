import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Surroundings, UsageError } from './print.ts';

/** Where Switchyard is, and the secret key to call it with. */
export interface Credentials {
  readonly url: string;
  readonly apiKey: string;
}

/** Keeps them for later commands, readable by their owner only. Returns the path of the file. */
export function saveCredentials(surroundings: Surroundings, credentials: Credentials): string {
  return saveConfig(surroundings, 'credentials.json', credentials);
}

/** `SWITCHYARD_URL` and `SWITCHYARD_API_KEY` come before what `login` saved. Throws {@link UsageError} when one is nowhere. */
export function readCredentials(surroundings: Surroundings): Credentials {
  const saved = readSaved(surroundings);
  const url = surroundings.environment.SWITCHYARD_URL || saved.url;
  const apiKey = surroundings.environment.SWITCHYARD_API_KEY || saved.apiKey;
  if (!url || !apiKey) {
    throw new UsageError('Run `switchyard login` first, or set SWITCHYARD_URL and SWITCHYARD_API_KEY.');
  }
  return { url: readUrl(url), apiKey };
}

/** The address where none is named: of the environment, else of the last login. Null when there is neither. */
export function knownAddress(surroundings: Surroundings): string | null {
  return surroundings.environment.SWITCHYARD_URL || readSaved(surroundings).url || null;
}

/** A web address without a slash at its end. Throws {@link UsageError} for anything else. */
export function readUrl(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw new UsageError(`${text} is no address such as https://pay.example`);
  return text.replace(/\/+$/, '');
}

function readSaved(surroundings: Surroundings): Partial<Credentials> {
  return readConfig<Credentials>(surroundings, 'credentials.json', 'Run `switchyard login --url https://pay.example` again.');
}

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
