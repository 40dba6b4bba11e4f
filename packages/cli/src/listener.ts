import { readConfig, saveConfig } from './config-files.ts';
import type { Credentials } from './credentials.ts';
import type { Surroundings } from './surroundings.ts';

/** An endpoint on this machine, and the secret that its webhooks are signed with. */
export interface Listener {
  readonly forwardTo: string;
  readonly secret: string;
}

/** By address of Switchyard and mode. */
type Listeners = Readonly<Record<string, Partial<Listener>>>;

/** Endpoint and secret of the last `listen` at this address in this mode; empty before the first. */
export function readListener(surroundings: Surroundings, credentials: Credentials): Partial<Listener> {
  return readListeners(surroundings)[nameOf(credentials)] ?? {};
}

/** Keeps them for the next `listen`, readable by their owner only. False where the folder cannot be written. */
export function keepListener(surroundings: Surroundings, credentials: Credentials, listener: Listener): boolean {
  try {
    saveConfig(surroundings, 'listen.json', { ...readListeners(surroundings), [nameOf(credentials)]: listener });
    return true;
  } catch {
    return false;
  }
}

function readListeners(surroundings: Surroundings): Partial<Listeners> {
  return readConfig<Listeners>(surroundings, 'listen.json', 'Delete it.');
}

function nameOf({ url, apiKey }: Credentials): string {
  return `${url} ${apiKey.startsWith('sk_live_') ? 'live' : 'test'}`;
}
