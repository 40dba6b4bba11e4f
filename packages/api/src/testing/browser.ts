import { handleAuth } from '../auth/handle.ts';
import { ADDRESS_HEADER } from '../client-address.ts';
import type { Switchyard } from '../process.ts';
import { ORIGIN, PASSWORD } from './switchyard.ts';

/** A browser's part in sign-in: keeps cookies and sends the origin of a request. */
export class Browser {
  readonly #switchyard: Switchyard;
  readonly #cookies = new Map<string, string>();
  readonly origin: string;
  /** The address it comes from, where the process records addresses. */
  address: string | null = null;

  constructor(switchyard: Switchyard, origin: string = ORIGIN) {
    this.#switchyard = switchyard;
    this.origin = origin;
  }

  /** Headers of the next request. */
  headers(more: Readonly<Record<string, string>> = {}): Headers {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const address = this.address === null ? {} : { [ADDRESS_HEADER]: this.address };
    return new Headers({ origin: this.origin, ...(cookie === '' ? {} : { cookie }), ...address, ...more });
  }

  /** Posts JSON to a path under `/api/auth` and stores the cookies of the response. */
  async post(path: string, body: unknown, more: Readonly<Record<string, string>> = {}): Promise<Response> {
    const headers = this.headers({ 'content-type': 'application/json', ...more });
    const request = new Request(`${this.origin}/api/auth${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const response = await handleAuth(this.#switchyard, request);
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return response;
  }

  signIn(email: string, password: string = PASSWORD): Promise<Response> {
    return this.post('/sign-in/email', { email, password });
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';');
    const at = pair.indexOf('=');
    const gone = attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute));
    if (gone) this.#cookies.delete(pair.slice(0, at));
    else this.#cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }
}
