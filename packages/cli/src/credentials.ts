import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Surroundings, UsageError } from './surroundings.ts';

/** Where Switchyard is, and the secret key to call it with. */
export interface Credentials {
  readonly url: string;
  readonly apiKey: string;
}

/** The file that `login` writes: in the user's configuration folder. */
export function credentialsFile({ environment, homeFolder }: Surroundings): string {
  const folder =
    environment.XDG_CONFIG_HOME || (process.platform === 'win32' && environment.APPDATA) || join(homeFolder, '.config');
  return join(folder, 'switchyard', 'credentials.json');
}

/** Writes the file, readable by its owner only. Returns its path. */
export function saveCredentials(surroundings: Surroundings, credentials: Credentials): string {
  const path = credentialsFile(surroundings);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // A file of its own that takes the place of the old one: the mode of a file that exists would stay as it is.
  const beside = `${path}.${process.pid}`;
  writeFileSync(beside, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(beside, path);
  return path;
}

/** `SWITCHYARD_URL` and `SWITCHYARD_API_KEY` come before what `login` saved. Throws {@link UsageError} when one is nowhere. */
export function readCredentials(surroundings: Surroundings): Credentials {
  const saved = readSaved(credentialsFile(surroundings));
  const url = surroundings.environment.SWITCHYARD_URL || saved.url;
  const apiKey = surroundings.environment.SWITCHYARD_API_KEY || saved.apiKey;
  if (!url || !apiKey) {
    throw new UsageError('Run `switchyard login` first, or set SWITCHYARD_URL and SWITCHYARD_API_KEY.');
  }
  return { url: readUrl(url), apiKey };
}

/** The address where none is named: of the environment, else of the last login. Throws {@link UsageError} when there is neither. */
export function readAddress(surroundings: Surroundings): string {
  const address = surroundings.environment.SWITCHYARD_URL || readSaved(credentialsFile(surroundings)).url;
  if (address) return address;
  throw new UsageError('Say where Switchyard is: `switchyard login --url https://pay.example`, or set SWITCHYARD_URL.');
}

/** A web address without a slash at its end. Throws {@link UsageError} for anything else. */
export function readUrl(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new UsageError(`${text} is no address such as https://pay.example`);
  return text.replace(/\/+$/, '');
}

function readSaved(path: string): Partial<Credentials> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return {};
  }
  try {
    const saved: Partial<Credentials> | null = JSON.parse(text);
    return saved ?? {};
  } catch {
    throw new UsageError(`${path} is damaged. Run \`switchyard login\` again.`);
  }
}
